public import AccessPolicy

/// A place for one item: the items that have been under one primary key, one after another.
public struct Slot: Hashable, Sendable {
    /// The item that is there, or the one that was, or the one that an add would put there.
    public package(set) var item: Item
    /// True if there is one.
    public package(set) var isPresent = false
    /// Which application password opens it; zero for none.
    public package(set) var applicationPassword: UInt8 = 0
    /// What the backup holds of it.
    package var copy: Item?

    init(_ item: Item) { self.item = item }

    /// Takes the item out; what the backup holds of it stays.
    mutating func clear() {
        isPresent = false
        item.binding = nil
        applicationPassword = 0
    }
}

/// Which slot.
public struct SlotID: RawRepresentable, Hashable, Sendable {
    /// The number; below ``capacity``.
    public let rawValue: UInt8

    /// How many slots a world has.
    public static let capacity = 8

    /// The slot with this number; nil where a world has none.
    public init?(rawValue: UInt8) {
        guard rawValue < Self.capacity else { return nil }
        self.rawValue = rawValue
    }
}

/// The slots of a world.
package struct Slots: Hashable, Sendable {
    private var places = InlineArray<8, Slot>(repeating: Slot(Item(AccessControl(.whenUnlocked))))
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

    /// Looks at a slot, or changes it, where it is: a copy of all of them takes longer than most of what is done with one.
    func with<Result>(_ id: SlotID, _ body: (borrowing Slot) -> Result) -> Result { body(places[Int(id.rawValue)]) }
    package mutating func change(_ id: SlotID, _ body: (inout Slot) -> Void) { body(&places[Int(id.rawValue)]) }

    package mutating func changeEach(_ change: (inout Slot) -> Void) {
        for index in 0..<count { change(&places[index]) }
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.count == right.count && (0..<left.count).allSatisfy { left.places[$0] == right.places[$0] }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for index in 0..<count { hasher.combine(places[index]) }
    }
}
