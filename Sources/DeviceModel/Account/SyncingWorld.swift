public import AccessPolicy

/// A world whose synchronizable items move between the devices of an account.
public struct SyncingWorld: SyncingKeychain, Sendable {
    /// The device and its items.
    public package(set) var world: World
    /// The number of the secret in each slot.
    private var secrets = InlineArray<8, UInt32>(repeating: 0)
    /// The number of the change that wrote each slot.
    private var marks = InlineArray<8, UInt32>(repeating: 0)
    private var changes: UInt32 = 0

    /// An item as it travels.
    public struct Content: Hashable, Sendable {
        /// The slot, which stands for the primary key.
        public let slot: SlotID
        /// The facts about the item.
        public let item: Item
        /// The number of the secret.
        public let secret: UInt32
    }

    /// Creates a device that is in no account yet.
    public init(_ world: World) { self.world = world }

    /// The number of the secret that is stored in a slot; nil if there is none.
    public func secret(in id: SlotID) -> UInt32? {
        world[id]?.isPresent == true ? secrets[Int(id.rawValue)] : nil
    }

    /// Applies an event to the device.
    @discardableResult
    public mutating func apply(_ event: Event) -> Effects { world.apply(event) }

    /// Performs a call of an app. An add or an update that is granted stores this secret.
    @discardableResult
    public mutating func perform(_ call: Call, secret: UInt32 = 0) -> Outcome {
        let outcome = world.perform(call)
        if outcome.decision.isGranted, case .item(let id, let action, _) = call.subject,
            action == .add || action == .update
        {
            write(secret, in: id)
        }
        return outcome
    }

    private mutating func write(_ secret: UInt32, in id: SlotID) {
        secrets[Int(id.rawValue)] = secret
        changes += 1
        marks[Int(id.rawValue)] = changes
    }

    // MARK: - The account

    /// Returns every synchronizable item.
    public func rows() -> [SyncRow<SyncingWorld>] {
        world.places.compactMap { id in
            guard let slot = world[id], slot.isPresent, slot.item.isSynchronizable else { return nil }
            return SyncRow(
                place: id, mark: marks[Int(id.rawValue)], item: slot.item, view: .applications,
                label: id.rawValue)
        }
    }

    /// Returns the slot of an item that arrives.
    public func place(of content: Content) -> SlotID { content.slot }

    /// Returns the number of an item's slot, which is its name.
    public func label(of content: Content) -> UInt8 { content.slot.rawValue }

    /// Opens an item for sending, if a read is granted without a prompt.
    public func content(at id: SlotID) -> Content? {
        guard let slot = world[id], slot.isPresent, isGranted(.readData, slot.item) else { return nil }
        return Content(slot: id, item: slot.item, secret: secrets[Int(id.rawValue)])
    }

    /// Stores an item that arrives, if an add is granted without a prompt.
    public mutating func put(_ content: Content) -> UInt32? {
        var new = content.item
        new.binding = nil
        guard isGranted(.add, new) else { return nil }
        world.put(content.item, at: content.slot, applicationPassword: 0)
        write(content.secret, in: content.slot)
        return marks[Int(content.slot.rawValue)]
    }

    /// Removes an item.
    public mutating func remove(at id: SlotID) { world.remove(at: id) }

    private func isGranted(_ action: Action, _ item: Item) -> Bool {
        var conditions = world.device.conditions()
        conditions.groups = [item.group]
        return decide(Request(action, item, in: Context(), interaction: .fail), under: conditions).isGranted
    }
}
