public import AccessPolicy

/// A device and what is stored on it, without a byte of any secret: what a request may do, and what it changes.
public struct World: Hashable, Sendable {
    /// The device.
    public package(set) var device: Device
    package var slots = Slots()
    package var backup: Backup?
    /// Numbers what is stored, so that a proof for one item is never one for its successor.
    package var stored: UInt64 = 0

    /// What is known of the backup there is, besides the copies that the slots hold.
    package struct Backup: Hashable, Sendable {
        package var isEncrypted: Bool
        package var isOfThisDevice: Bool

        package init(isEncrypted: Bool, isOfThisDevice: Bool) {
            self.isEncrypted = isEncrypted
            self.isOfThisDevice = isOfThisDevice
        }
    }

    /// A device with nothing stored on it.
    public init(_ device: Device) { self.device = device }

    /// Makes room for an item that is not stored yet. A world has room for eight.
    public mutating func addSlot(for item: Item) throws(StoringError) -> SlotID {
        guard let id = slots.append(Slot(item)) else { throw .noRoom }
        return id
    }

    /// Makes room for an item and stores it, without asking anybody, as an app that has the item's group would.
    ///
    /// What it is tied to is what the device has now. Fails where an item like this cannot be stored on the device as it is.
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

    /// The slot of this number; nil where there is none.
    public subscript(id: SlotID) -> Slot? { Int(id.rawValue) < slots.count ? slots[id] : nil }

    /// Its slots, in order.
    package var places: some Sequence<SlotID> { (0..<UInt8(slots.count)).lazy.compactMap(SlotID.init(rawValue:)) }
    /// True if there is a backup.
    package var hasBackup: Bool { backup != nil }
    /// True if there is a backup, and it is one of the device that we look at.
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

    mutating func remove(at id: SlotID) { slots[id].clear() }
}

// MARK: - Events

extension World {
    /// Lets `event` happen to the device, whoever holds it, and carries out what it does to the items.
    @discardableResult
    public mutating func apply(_ event: Event) -> Effects {
        if lacksBackup(for: event) { return Effects(.noBackup) }
        let effects = device.apply(event)
        for effect in effects {
            switch effect {
            case .eraseAll: slots.changeEach { $0.clear() }
            case .exportBackup(let isEncrypted): export(encrypted: isEncrypted)
            case .importBackup(let sameDevice): bringBack(sameDevice: sameDevice)
            case .refused, .authenticated, .rejected, .endSheets, .wipeContexts, .close, .open, .forgetUnlockKey,
                .rewrapRoot,
                .createPasscodeClass, .destroyPasscodeClass, .destroyDomainState, .destroySensor, .beginDomainState:
                break  // of keys a world has none; that they are gone shows in what an item is bound to
            }
        }
        return effects
    }

    /// Why `event` would be refused; nil where it would happen. The device alone says so, and is less to try it on.
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
    }

    private mutating func bringBack(sameDevice: Bool) {
        guard let taken = backup else { return }
        let isHome = sameDevice && taken.isOfThisDevice
        backup?.isOfThisDevice = isHome
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
    /// The same conditions for a caller that has the item's group.
    fileprivate static func ofTheSystem(_ conditions: Conditions, for item: Item) -> Conditions {
        var conditions = conditions
        conditions.groups = [item.group]
        return conditions
    }
}

/// Why an item was not stored.
public enum StoringError: Error, Hashable, Sendable, CustomStringConvertible {
    /// All slots are taken.
    case noRoom
    /// The device as it is cannot store an item like this.
    case denied(Denial)

    /// What is in the way.
    public var description: String {
        switch self {
        case .noRoom: "a world has room for \(SlotID.capacity) items, and all are taken"
        case .denied(let denial): "the item cannot be stored: \(denial.rule.summary) (\(denial.rule.identifier))"
        }
    }
}
