internal import AccessPolicy
internal import DeviceModel
internal import Latchkey
internal import SecretVault

extension SimulatedDevice {
    /// The prompts that the user was shown, in order, also those that they dismissed.
    ///
    ///     #expect(device.prompts.map(\.factor) == [.biometry, .passcode])
    public var prompts: [PromptRecord] { logbook.prompts }

    /// How often the user was asked whether the app may use Face ID.
    ///
    ///     #expect(device.permissionAlerts == 1)
    public var permissionAlerts: Int { logbook.alerts }

    /// Every decision with its trace; of very many the latest.
    ///
    ///     #expect(device.decisions.last?.rule == .biometrySetChanged)
    public var decisions: [DecisionRecord] { logbook.decisions }

    /// What the app called, and what each call came to.
    ///
    ///     #expect(device.calls.last?.code == 0, "\(device)")
    public var calls: [CallRecord] { logbook.calls }

    /// Forgets what is on record so far. The device stays as it is.
    ///
    ///     device.clearRecords()
    public func clearRecords() { logbook.clear() }

    /// The device and what is stored on it, at this moment.
    ///
    ///     #expect(device.world.items.count == 1)
    public var world: World { World(self) }

    /// A device and what is stored on it, at one moment.
    public struct World: Sendable {
        /// True if the screen is locked.
        public let isLocked: Bool
        /// True if it was unlocked since it started.
        public let hasFirstUnlock: Bool
        /// True if a passcode is set.
        public let hasPasscode: Bool
        /// True if biometry waits for the passcode because of failed matches.
        public let isLockedOut: Bool
        /// Who is enrolled, by name.
        public let enrolled: [String]
        /// The device's clock.
        public let time: Duration
        /// What is stored, the app's and others', also what nobody can open any more.
        public let items: [Item]

        /// Something that is stored.
        public struct Item: Sendable {
            /// What it demands, in words such as `whenUnlocked, biometryCurrentSet`.
            public let accessPolicy: String
            /// Its class, by Apple's value of `kSecClass`.
            public let itemClass: String
            /// Its account; nil where it has none, or is locked.
            public let account: String?
            /// Its service.
            public let service: String?
            /// Its server.
            public let server: String?
            /// Its label.
            public let label: String?
            /// Its access group; nil where it is locked.
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
            let onlookers = device.onlookers
            items = keychain.everything.map { found in
                Item(found, onlookers.lazy.compactMap { try? keychain.inventory(.id(found.id), by: $0) }.first)
            }
        }
    }
}

extension SimulatedDevice {
    /// Whoever looks at what is stored, which is no doing of the app's and on no record: in all groups that there were, so many at
    /// a time as count for one caller.
    fileprivate var onlookers: [Requester] {
        let (groups, app) = (knownGroups, keychain.requester.app)
        let capacity = Caller.groupCapacity
        return stride(from: 0, to: groups.count, by: capacity).map { first in
            Requester(Logbook.onlooker, groups: Array(groups[first...].prefix(capacity)), app: app)
        }
    }
}

extension SimulatedDevice.World.Item {
    fileprivate init(_ found: FoundItem, _ stored: StoredItem?) {
        func text(_ name: String) -> String? {
            if case .string(let text)? = stored?.description.attributes[name] { text } else { nil }
        }
        accessPolicy = "\(found.control)"
        itemClass = found.itemClass.rawValue
        account = text("acct")
        service = text("svce")
        server = text("srvr")
        label = text("labl")
        group = stored?.description.group
    }
}

extension SimulatedDevice: CustomStringConvertible {
    /// How it stands, and the last of what came to pass on it, with the rules that fired.
    public var description: String {
        let world = world
        var state = [world.isLocked ? "locked" : "unlocked", world.hasPasscode ? "passcode" : "no passcode"]
        if !world.hasFirstUnlock { state.append("not unlocked since it started") }
        if world.isLockedOut { state.append("biometry locked out") }
        state.append("enrolled: \(world.enrolled.isEmpty ? "nobody" : world.enrolled.joined(separator: ", "))")
        state.append("\(world.items.count) items")
        var lines = logbook.lines
        let stray = StrayCalls.counts
        if !logbook.wasCalled && !stray.isEmpty {
            let names = stray.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }.joined(separator: ", ")
            lines.append("no call has come to this device; where none was chosen, these were made: \(names)")
        }
        return ([state.joined(separator: "; ")] + lines.suffix(20)).joined(separator: "\n    ")
    }
}
