internal import AccessPolicy
internal import DeviceModel
internal import Latchkey
internal import SecretVault

extension SimulatedDevice {
    /// The prompts that the user was shown, in order, including those that were dismissed.
    ///
    ///     #expect(device.prompts.map(\.factor) == [.biometry, .passcode])
    public var prompts: [PromptRecord] { logbook.prompts }

    /// The number of times the user was asked whether the app may use Face ID.
    ///
    ///     #expect(device.permissionAlerts == 1)
    public var permissionAlerts: Int { logbook.alerts }

    /// The decisions with the rules that fired, in order. A long test keeps the latest.
    ///
    ///     #expect(device.decisions.last?.rule == .biometrySetChanged)
    public var decisions: [DecisionRecord] { logbook.decisions }

    /// The decisions about files, in order: one when a file is created, opened or moved to another class, and one for each
    /// use of an open file. A long test keeps the latest.
    ///
    ///     #expect(device.fileDecisions.last?.rule == .locked)
    public var fileDecisions: [FileDecisionRecord] { logbook.fileDecisions }

    /// The calls that the app made, with their results.
    ///
    ///     #expect(device.calls.last?.code == 0, "\(device)")
    public var calls: [CallRecord] { logbook.calls }

    /// Forgets the records so far. The device stays as it is.
    ///
    ///     device.clearRecords()
    public func clearRecords() { logbook.clear() }

    /// The state of the device and its items at this moment.
    ///
    ///     #expect(device.world.items.count == 1)
    public var world: World { World(self) }

    /// The state of a device and its items at one moment.
    public struct World: Sendable {
        /// True if the screen is locked.
        public let isLocked: Bool
        /// True if the device was unlocked since it started.
        public let hasFirstUnlock: Bool
        /// True if a passcode is set.
        public let hasPasscode: Bool
        /// True if biometry is locked out until the passcode is entered, after too many failed matches.
        public let isLockedOut: Bool
        /// The names of the enrolled fingers or faces.
        public let enrolled: [String]
        /// The time on the device's clock.
        public let time: Duration
        /// The stored items of all apps, including ones that can never be opened again.
        public let items: [Item]

        /// A stored item.
        public struct Item: Sendable {
            /// The access policy, in words such as `whenUnlocked, biometryCurrentSet`.
            public let accessPolicy: String
            /// The item class, as a value of `kSecClass`.
            public let itemClass: String
            /// The account; nil if the item has none or is locked.
            public let account: String?
            /// The service; nil if the item has none or is locked.
            public let service: String?
            /// The server; nil if the item has none or is locked.
            public let server: String?
            /// The label; nil if the item has none or is locked.
            public let label: String?
            /// The access group; nil if the item is locked.
            public let group: String?
        }

        init(_ device: SimulatedDevice) {
            let keychain = device.keychain
            let model = (try? keychain.device) ?? Device()
            isLocked = model.isLocked
            hasFirstUnlock = model.hasFirstUnlock
            hasPasscode = model.passcode != nil
            isLockedOut = model.isLockedOut
            enrolled = device.enrolled
            time = .milliseconds(model.now.milliseconds)
            items = device.inventory.map { Item($0, $1) }
        }
    }
}

extension SimulatedDevice {
    /// Every stored item, with its description unless it is locked. Listing leaves no record.
    var inventory: [(found: FoundItem, stored: StoredItem?)] {
        let (onlookers, keychain) = (onlookers, keychain)
        return keychain.everything.map { found in
            (found, onlookers.lazy.compactMap { try? keychain.inventory(.id(found.id), by: $0) }.first)
        }
    }

    /// Requesters that list items without leaving a record. Together they have every access group, each as many as one
    /// caller may have.
    private var onlookers: [Requester] {
        let (groups, app) = (knownGroups, keychain.requester.app)
        let capacity = Caller.groupCapacity
        return stride(from: 0, to: groups.count, by: capacity).map { first in
            Requester(Logbook.onlooker, groups: Array(groups[first...].prefix(capacity)), app: app)
        }
    }
}

extension SimulatedDevice.World.Item {
    fileprivate init(_ found: FoundItem, _ stored: StoredItem?) {
        let attributes = stored?.description.attributes
        accessPolicy = "\(found.control)"
        itemClass = found.itemClass.rawValue
        account = attributes?.text(.account)
        service = attributes?.text(.service)
        server = attributes?.text(.server)
        label = attributes?.text(.label)
        group = stored?.description.group
    }
}

extension SimulatedDevice: CustomStringConvertible {
    /// The state of the device and the latest records, with the rules that fired.
    public var description: String {
        let world = world
        var state = [world.isLocked ? "locked" : "unlocked", world.hasPasscode ? "passcode" : "no passcode"]
        if !world.hasFirstUnlock { state.append("not unlocked since it started") }
        if world.isLockedOut { state.append("biometry locked out") }
        state.append("enrolled: \(world.enrolled.isEmpty ? "none" : world.enrolled.joined(separator: ", "))")
        state.append("\(world.items.count) items")
        var lines = logbook.lines
        let stray = StrayCalls.number
        if !logbook.wasCalled && stray > 0 {
            lines.append("no call reached this device; calls that were made where none was chosen: \(stray)")
        }
        return ([state.joined(separator: "; ")] + lines.suffix(20)).joined(separator: "\n    ")
    }
}
