public import AccessPolicy

/// A place for the items that have one primary key, one after another.
public struct Slot: Hashable, Sendable {
    /// The stored item. If there is none, the last one, or the one that an add would store.
    public package(set) var item: Item
    /// True if an item is stored.
    public package(set) var isPresent = false
    /// The application password that opens the item; zero for none.
    public package(set) var applicationPassword: UInt8 = 0
    /// The copy of the item in the backup; nil if it has none.
    package var copy: Item?

    init(_ item: Item) { self.item = item }

    /// Removes the item. The copy in the backup remains.
    mutating func clear() {
        isPresent = false
        item.binding = nil
        applicationPassword = 0
    }
}

/// The number of a slot.
public struct SlotID: RawRepresentable, Hashable, Sendable {
    /// The number, which is less than ``capacity``.
    public let rawValue: UInt8

    /// The number of slots that a world has room for.
    public static let capacity = 8

    /// Creates the number of a slot; nil if it is ``capacity`` or more.
    public init?(rawValue: UInt8) {
        guard rawValue < Self.capacity else { return nil }
        self.rawValue = rawValue
    }
}

/// The slots of a world.
package struct Slots: Hashable, Sendable {
    private var places = InlineArray<8, Slot>(repeating: Slot(Item(AccessControl(.whenUnlocked))))
    /// The number of slots in use.
    package private(set) var count = 0

    package subscript(id: SlotID) -> Slot {
        get { places[Int(id.rawValue)] }
        set { places[Int(id.rawValue)] = newValue }
    }

    mutating func append(_ slot: Slot) -> SlotID? {
        guard let id = SlotID(rawValue: UInt8(count)) else { return nil }
        self[id] = slot
        count += 1
        return id
    }

    /// Calls `body` with a slot in place. Copying all slots would take longer than most uses of one.
    package func with<Result>(_ id: SlotID, _ body: (borrowing Slot) -> Result) -> Result {
        body(places[Int(id.rawValue)])
    }
    package mutating func change(_ id: SlotID, _ body: (inout Slot) -> Void) { body(&places[Int(id.rawValue)]) }

    package mutating func changeEach(_ change: (inout Slot) -> Void) {
        for index in 0..<count { change(&places[index]) }
    }

    /// Returns true if both have equal slots.
    package static func == (left: Self, right: Self) -> Bool {
        left.count == right.count && (0..<left.count).allSatisfy { left.places[$0] == right.places[$0] }
    }

    /// Hashes the slots in use.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for index in 0..<count { hasher.combine(places[index]) }
    }
}
