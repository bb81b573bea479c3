internal import AccessPolicy
internal import DeviceModel
package import Latchkey
package import SecretVault

extension LiveState {
    /// An item as a device declares it.
    package struct KnownItem: Sendable {
        package var name: String
        /// The app; nil if it is not known.
        package var app: String?
        /// The class, as in `kSecClass`.
        package var itemClass: ItemClass
        /// The policy in words, if the item is not stored.
        package var policy: String
        /// The identifier; nil if the item was never stored.
        package var id: ItemIdentifier?

        package init(name: String, app: String?, itemClass: ItemClass, policy: String, id: ItemIdentifier?) {
            self.name = name
            self.app = app
            self.itemClass = itemClass
            self.policy = policy
            self.id = id
        }
    }

    /// The most records of the audit log in a state.
    private static let mostRecords = 20
    /// The most records that are read to find those.
    private static let mostReadRecords = 200

    /// Reads the state of a simulated device from its vault. It leaves no record.
    ///
    /// - Parameter onlooker: The caller whose records are left out; nil to show all.
    /// - Throws: ``KeychainError`` if the vault cannot be read.
    package init(
        _ keychain: Keychain, holder: String?, people: [String], items: [KnownItem], files: [LiveFile],
        withoutRecordsOf onlooker: String? = nil
    ) throws(KeychainError) {
        let stored = keychain.everything
        var shown: [LiveItem] = []
        for item in items {
            let found = item.id.flatMap { id in stored.first { $0.id == id } }
            shown.append(try LiveItem(item, found, on: keychain))
        }
        var names: [[UInt8]: String] = [:]
        for item in items { if let id = item.id { names[id.bytes] = item.name } }
        let records: [AuditRecord]
        do {
            _ = try keychain.vault.newestAuditRecord  // This puts the records that wait into the log.
            let read = onlooker == nil ? Self.mostRecords : Self.mostReadRecords
            records = try keychain.vault.auditRecords(atMost: read).records.filter { $0.caller != onlooker }
        } catch {
            throw .vault(error)
        }
        self.init(
            try LiveDevice(keychain), holder: holder, people: people, items: shown, files: files,
            log: records.prefix(Self.mostRecords).reversed().map { LiveRecord($0, item: names[$0.subject]) })
    }
}

extension LiveDevice {
    fileprivate init(_ keychain: Keychain) throws(KeychainError) {
        let device = try keychain.device
        let contents: KeybagContents
        do { contents = try keychain.vault.keybagContents() } catch { throw .vault(error) }
        self.init(
            sensor: device.settings.sensor.name,
            sensorWords: device.settings.sensor.productName ?? "no sensor", isLocked: device.isLocked,
            hasFirstUnlock: device.hasFirstUnlock,
            hasPasscode: device.passcode != nil, isPasscodeRequired: !device.passcodeReasons.isEmpty,
            isLockedOut: device.isLockedOut, isDisabled: device.isDisabled, enrolled: try keychain.enrolledNames,
            companion: device.companion.state.name, companionWords: device.companion.state.words,
            time: device.now.milliseconds,
            clock: (device.now - .start).written,
            openClasses: device.conditions(for: .first).openClasses.map { $0.name }, classKeys: contents.classKeys,
            gates: contents.gates)
    }
}

extension CompanionState {
    /// The state in words, for a page.
    fileprivate var words: String {
        switch self {
        case .notPaired: "no watch paired"
        case .away: "a paired watch, away"
        case .locked: "a paired watch, nearby and locked"
        case .ready: "a paired watch, nearby and unlocked"
        }
    }
}

extension LiveItem {
    fileprivate init(
        _ item: LiveState.KnownItem, _ found: FoundItem?, on keychain: Keychain
    ) throws(KeychainError) {
        var (state, wraps) = (State.absent, [LiveWrap]())
        if let found {
            let reference = ItemReference.id(found.id)
            state = try keychain.isInvalidated(reference) == true ? .lost : .present
            do {
                wraps =
                    try keychain.vault.wrapNeeds(of: reference)?.map { need in
                        LiveWrap(way: "\(Ways(need.way))", classKey: need.classKey, gates: need.gates)
                    } ?? []
            } catch {
                throw .vault(error)
            }
        }
        self.init(
            title: item.name, app: item.app, itemClass: item.itemClass.rawValue,
            policy: found.map { "\($0.control)" } ?? item.policy, state: state, wraps: wraps)
    }
}

extension LiveRecord {
    fileprivate init(_ record: AuditRecord, item: String?) {
        self.init(
            place: record.place, time: record.hour, kind: record.kind.word, action: record.action,
            caller: record.caller, item: item, rules: record.rules, count: Int(record.count))
    }
}
