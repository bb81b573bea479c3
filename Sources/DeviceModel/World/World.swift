public import AccessPolicy

/// A device and the items that are stored on it, without their secrets.
///
/// ``perform(_:)`` makes a call of an app, ``act(_:by:)`` lets a person cause an event, and ``apply(_:)`` applies an
/// event directly.
public struct World: Hashable, Sendable {
    /// The device.
    public package(set) var device: Device
    /// The places of the items.
    package var slots = Slots()
    /// The files of the app.
    public package(set) var files = FileSlots()
    /// The backup; nil if none was made.
    package var backup: Backup?
    /// The number of items stored so far. Each gets a new number, so that evidence for one never counts for its
    /// successor.
    package var stored: UInt64 = 0

    /// The facts about the backup. The slots hold the copies of the items.
    package struct Backup: Hashable, Sendable {
        package var isEncrypted: Bool
        /// True if the backup is of the device in this world.
        package var isOfThisDevice: Bool

        package init(isEncrypted: Bool, isOfThisDevice: Bool) {
            self.isEncrypted = isEncrypted
            self.isOfThisDevice = isOfThisDevice
        }
    }

    /// Creates a world in which the device stores no items.
    public init(_ device: Device) { self.device = device }

    /// Adds a slot for an item, without storing the item.
    ///
    /// - Throws: ``StoringError/noRoom`` if the world already has ``SlotID/capacity`` slots.
    public mutating func addSlot(for item: Item) throws(StoringError) -> SlotID {
        guard let id = slots.append(Slot(item)) else { throw .noRoom }
        return id
    }

    /// Adds a slot and stores an item in it, without a prompt, as an app in the item's access group would.
    ///
    /// The item is bound to the present enrolled set and class key.
    ///
    /// - Throws: ``StoringError/denied(_:)`` if the device in its present state cannot store the item, or
    ///   ``StoringError/noRoom`` if the world already has ``SlotID/capacity`` slots.
    public mutating func store(_ item: Item, applicationPassword: UInt8 = 0) throws(StoringError) -> SlotID {
        var context = Context()
        context.offersApplicationPassword = applicationPassword != 0
        var new = item
        new.binding = nil
        let caller = Conditions.ofTheSystem(device.conditions(), for: item)
        let decision = decide(Request(.add, new, in: context, interaction: .fail), under: caller)
        if let denial = decision.denial { throw .denied(denial) }
        let id = try addSlot(for: item)
        put(item, at: id, applicationPassword: applicationPassword)
        return id
    }

    /// Adds a file of the app, which exists from now on. Its index is the number of files before it.
    ///
    /// - Throws: ``StoringError/noRoom`` if the world already has ``FileSlots/capacity`` files.
    public mutating func addFile(_ file: FileSlot) throws(StoringError) {
        if !files.append(file) { throw .noRoom }
    }

    /// The slot with this number; nil if there is none.
    public subscript(id: SlotID) -> Slot? { Int(id.rawValue) < slots.count ? slots[id] : nil }

    /// The numbers of the slots, in order.
    package var places: some Sequence<SlotID> { (0..<UInt8(slots.count)).lazy.compactMap(SlotID.init(rawValue:)) }
    /// True if a backup exists.
    package var hasBackup: Bool { backup != nil }
    /// True if a backup exists and is of the device in this world.
    package var holdsBackupOfThisDevice: Bool { backup?.isOfThisDevice == true }

    /// The number of the next item that is stored.
    var nextID: ItemID { ItemID(rawValue: stored + 1) }

    mutating func put(_ item: Item, at id: SlotID, applicationPassword: UInt8) {
        var slot = slots[id]
        slot.item = item
        slot.item.id = nextID
        stored += 1
        slot.item.binding = device.conditions().binding
        slot.isPresent = true
        slot.applicationPassword = item.control.needsApplicationPassword ? applicationPassword : 0
        slots[id] = slot
    }

    package mutating func remove(at id: SlotID) { slots[id].clear() }

    /// Replaces the device by another one of the same kind that was just set up, on which the items in these slots arrive
    /// from its account. A backup of the former device can be restored onto it.
    ///
    /// - Returns: False if the model has no more numbers for another device.
    package mutating func moveToAnotherDevice(receiving arriving: [SlotID]) -> Bool {
        if device.erase().refusal != nil { return false }
        eraseEverything()
        backup?.isOfThisDevice = false
        for id in arriving { _ = receive(id) }
        return true
    }

    /// Stores a new item in this slot, as if it arrived from the account. Returns false if it has to wait for an unlock.
    package mutating func receive(_ id: SlotID) -> Bool {
        var receiver = SyncingWorld(self)
        guard receiver.put(SyncingWorld.Content(slot: id, item: slots[id].item, secret: 0)) != nil else { return false }
        self = receiver.world
        return true
    }
}

// MARK: - Events

extension World {
    /// Applies an event to the device, without regard to who causes it, and carries out its effects on the items.
    @discardableResult
    public mutating func apply(_ event: Event) -> Effects {
        if lacksBackup(for: event) { return Effects(.noBackup) }
        let effects = device.apply(event)
        // A restart ends every app, which closes its files.
        if event == .reboot, effects.refusal == nil { files.changeEach { $0.isOpen = false } }
        // An iterator would copy all effects first.
        for place in effects.indices {
            switch effects[place] {
            case .eraseAll: eraseEverything()
            case .exportBackup(let isEncrypted): export(encrypted: isEncrypted)
            case .importBackup(let sameDevice): bringBack(sameDevice: sameDevice)
            case .refused, .authenticated, .rejected, .endSheets, .wipeContexts, .close, .open, .forgetUnlockKey,
                .rewrapRoot,
                .createPasscodeClass, .destroyPasscodeClass, .destroyDomainState, .destroySensor, .beginDomainState:
                break  // a world holds no keys; the binding of an item shows whether its keys still exist
            }
        }
        return effects
    }

    private mutating func eraseEverything() {
        slots.changeEach { $0.clear() }
        files.changeEach { $0.clear() }
    }

    /// Returns the reason why an event would be refused; nil if it would happen. Only the device is copied for the
    /// trial, which is cheaper than copying the world.
    func refusal(of event: Event) -> Refusal? {
        if lacksBackup(for: event) { return .noBackup }
        var trial = device
        return trial.apply(event).refusal
    }

    private func lacksBackup(for event: Event) -> Bool {
        switch event {
        case .restoredOntoThisDevice, .restoredOntoAnotherDevice: backup == nil
        case .reboot, .lock, .passcodeEntered, .presented, .timePassed, .passcodeSet, .passcodeChanged,
            .passcodeRemoved,
            .passcodeRecovered, .enrolled, .removed, .biometryReset, .sensorForgot, .securityDelayStarted,
            .companionPaired, .companionUnpaired, .companionNear, .companionAway, .companionUnlocked, .companionLocked,
            .appInstalled, .appRemoved, .biometryPermitted, .biometryDenied, .backupTaken, .remoteLock, .emergency,
            .erase:
            false
        }
    }

    private mutating func export(encrypted: Bool) {
        backup = Backup(isEncrypted: encrypted, isOfThisDevice: true)
        let conditions = device.conditions()
        slots.changeEach { slot in
            let travels = slot.isPresent && slot.item.travel(inEncryptedBackup: encrypted) != .never
            slot.copy = travels && invalidation(of: slot.item, under: conditions) == nil ? slot.item : nil
        }
        // The class of a file does not matter to a backup, which holds the content of all that are not excluded.
        files.changeEach { $0.hasCopy = $0.isPresent && !$0.isExcludedFromBackup }
    }

    private mutating func bringBack(sameDevice: Bool) {
        guard let taken = backup else { return }
        let isHome = sameDevice && taken.isOfThisDevice
        backup?.isOfThisDevice = isHome
        files.changeEach { file in
            if file.hasCopy { file.isPresent = true }
        }
        for number in 0..<UInt8(slots.count) {
            guard let id = SlotID(rawValue: number), let copy = slots[id].copy else { continue }
            let travel = copy.travel(inEncryptedBackup: taken.isEncrypted)
            if travel == .anywhere || (travel == .sameDevice && isHome) {
                put(copy, at: id, applicationPassword: 0)
            }
        }
    }
}

extension Conditions {
    /// Returns the conditions for a caller in the item's access group.
    fileprivate static func ofTheSystem(_ conditions: Conditions, for item: Item) -> Conditions {
        var conditions = conditions
        conditions.groups = [item.group]
        return conditions
    }
}

/// The reason why an item was not stored.
public enum StoringError: Error, Hashable, Sendable, CustomStringConvertible {
    /// All slots are in use.
    case noRoom
    /// The device in its present state cannot store the item.
    case denied(Denial)

    /// The reason, with its rule.
    public var description: String {
        switch self {
        case .noRoom: "the model has room for \(SlotID.capacity) items, and all places are in use"
        case .denied(let denial): "the item cannot be stored: \(denial.rule.summary) (\(denial.rule.identifier))"
        }
    }
}
