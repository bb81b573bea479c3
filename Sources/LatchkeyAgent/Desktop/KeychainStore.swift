internal import AccessPolicy
internal import Glibc
package import Latchkey
internal import LinuxSystem
package import SecretService
internal import SecretTools
internal import SecretVault
internal import SodiumKit
internal import Synchronization
internal import SystemServices
package import UserPresence

/// The secrets of a vault as the Secret Service of a desktop shows them.
///
/// A collection is a folder of the vault that the owner or a program has made one, and an item is a secret in it. What the
/// service shows without asking is in records of their own (``SecretRecord``), which can be read while the vault is locked. No
/// record grants anything: `decide` answers each read of a secret.
package final class KeychainStore: SecretStore {
    /// The parts of the process around it that the store needs.
    package struct Surroundings: Sendable {
        /// The settings of the vault.
        package var settings: @Sendable () -> VaultSettings
        /// Returns the user who answers prompts for a program; nil if no prompt can be shown.
        package var user: @Sendable (SecretCaller) -> (any DeviceUser)?
        /// Locks the vault at once.
        package var lock: @Sendable () -> Void
        /// Called around each call that uses the vault.
        package var begin: @Sendable () -> Void = {}
        /// Called around each call that uses the vault.
        package var end: @Sendable () -> Void = {}
        /// The milliseconds of a clock that also counts while the machine sleeps.
        package var now: @Sendable () -> Int64

        /// Creates surroundings.
        package init(
            settings: @escaping @Sendable () -> VaultSettings,
            user: @escaping @Sendable (SecretCaller) -> (any DeviceUser)?, lock: @escaping @Sendable () -> Void,
            now: @escaping @Sendable () -> Int64
        ) {
            (self.settings, self.user, self.lock, self.now) = (settings, user, lock, now)
        }
    }

    let keychain: Keychain
    let surroundings: Surroundings
    let records: SecretRecords
    let grants: SecretGrants
    let log = SecretRequestLog()
    /// The access group and the service of the secrets.
    let group: String
    let service: String
    private let index = Mutex(SecretIndex())
    /// Held while the records change, so that a reload never undoes a change.
    private let changing = Mutex(())
    /// The records whose secrets were gone when the records were read the last time.
    let homeless = Mutex<Set<String>>([])
    private let watchers = Mutex<[@Sendable (SecretService.SecretChange) -> Void]>([])
    private let programs = Mutex<[String: DesktopProgram]>([:])
    private let wasUnlocked: Atomic<Bool>
    private let rounds = Mutex<Rounds?>(nil)

    /// The folder of the default collection.
    static let usualFolder = "login"
    /// The alias of the default collection.
    static let usualAlias = "default"
    /// The number of connections of which the program is remembered.
    private static let mostPrograms = 1024

    /// Creates the store over the secrets of this service in this access group, and reads what it shows.
    ///
    /// - Throws: ``AgentError`` if the vault cannot be read, or the system has no thread left.
    package init(
        _ keychain: Keychain, group: String, service: String, _ surroundings: Surroundings
    ) throws(AgentError) {
        (self.keychain, self.surroundings, self.group, self.service) = (keychain, surroundings, group, service)
        let requester = Requester(Peer.thisProcess.text, groups: [group])
        records = SecretRecords(keychain: keychain, requester: requester)
        grants = try SecretGrants(now: surroundings.now)
        wasUnlocked = Atomic(keychain.isUnlocked)
        do throws(KeychainError) {
            let first = try loaded()
            index.withLock { $0 = first }
        } catch { throw AgentError(error) }
        let rounds = try Rounds { [weak self] in
            self?.reload()
            return nil
        }
        self.rounds.withLock { $0 = rounds }
    }

    // MARK: - Following the vault

    /// Notes that the vault may have changed, and waits for nothing. Another thread reads the records again.
    package func noteChange() { rounds.withLock { $0 }?.want() }

    /// Notes that the vault may have been locked or unlocked.
    package func follow() {
        let isUnlocked = keychain.isUnlocked
        let was = wasUnlocked.exchange(isUnlocked, ordering: .sequentiallyConsistent)
        if was != isUnlocked {
            if !isUnlocked { grants.endAll() }
            noteChange()
            for shelf in withIndex({ $0.shelves }) { tell(.collectionChanged(shelf.id)) }
        }
    }

    /// Ends all grants, because the vault is locked, and waits for nothing.
    package func noteLock() {
        grants.endAll()
        wasUnlocked.store(false, ordering: .sequentiallyConsistent)
        noteChange()
        for shelf in withIndex({ $0.shelves }) { tell(.collectionChanged(shelf.id)) }
    }

    /// Waits until every change so far is shown, but not longer than this. Returns false if it takes longer.
    @discardableResult
    package func settle(upTo milliseconds: Int) -> Bool { rounds.withLock { $0 }?.settle(upTo: milliseconds) ?? false }

    private func reload() {
        let changes: [SecretService.SecretChange] = changing.withLock { _ in
            // If the records cannot be read now, the index stays as it was.
            guard let next = try? loaded() else { return [] }
            return withIndex { index in
                let changes = next.changes(since: index)
                index = next
                return changes
            }
        }
        for change in changes { tell(change) }
    }

    /// Runs `body` while nothing else changes or reads records.
    func changeRecords<Value>(_ body: () throws(KeychainError) -> Value) throws(KeychainError) -> Value {
        try changing.withLock { (_) throws(KeychainError) in try body() }
    }

    func withIndex<Value>(_ body: (inout SecretIndex) -> Value) -> Value { index.withLock { body(&$0) } }

    func tell(_ change: SecretService.SecretChange) {
        for watcher in watchers.withLock({ $0 }) { watcher(change) }
    }

    // MARK: - Looking

    /// The collections, the default one first.
    package var collections: [SecretCollection] { withIndex { $0.shelves.map(\.shown) } }

    /// The aliases that are set, and `default`.
    package var aliases: [String: CollectionID] {
        withIndex { index in
            var aliases: [String: CollectionID] = [:]
            if let first = index.shelves.first { aliases[Self.usualAlias] = first.id }
            for shelf in index.shelves { for alias in shelf.record.aliases { aliases[alias] = shelf.id } }
            return aliases
        }
    }

    /// Returns the items of a collection.
    package func items(in collection: CollectionID) -> [SecretItem] {
        withIndex { $0.items(in: collection).compactMap(\.shown) }
    }

    /// Returns an item.
    package func item(_ id: SecretService.ItemID) -> SecretItem? { withIndex { $0.entry(id)?.shown } }

    /// Returns the items that have all these attributes.
    package func search(_ attributes: [String: String], in collection: CollectionID?) -> [SecretService.ItemID] {
        withIndex { $0.search(attributes, in: collection).compactMap(\.id) }
    }

    /// Returns true if a caller has to unlock an item first.
    ///
    /// An item whose policy needs authentication is locked for all callers without a grant, whatever the sensor would say: asking
    /// it takes time that the bus does not have.
    package func isLocked(_ item: SecretService.ItemID, for caller: SecretCaller) -> Bool {
        guard let entry = withIndex({ $0.entry(item) }) else { return true }
        if grants.has(item, for: caller, under: sessionRule(for: entry)) { return false }
        if entry.control.isProtected { return true }
        guard let decision = try? keychain.decision(.readData, .id(entry.secret), by: records.requester) else {
            return true
        }
        return !decision.isGranted
    }

    /// Returns true if the vault is locked.
    package func isLocked(_ collection: CollectionID) -> Bool { !keychain.isUnlocked }

    /// Calls a closure after each change of what the store shows.
    package func whenChanged(_ body: @escaping @Sendable (SecretService.SecretChange) -> Void) {
        watchers.withLock { $0.append(body) }
    }

    /// Ends the grants of a caller that has left the bus.
    package func forget(_ caller: SecretCaller) {
        grants.end(of: caller)
        programs.withLock { $0[caller.connection] = nil }
    }

    // MARK: - Rules and programs

    /// Returns the rule that holds for an item.
    func rule(for entry: SecretIndex.Entry) -> SecretRules.Rule? {
        surroundings.settings().secretService.rules.rule(for: entry.record.attributes)
    }

    /// Returns the rule that holds for an item, if it says once per session.
    func sessionRule(for entry: SecretIndex.Entry) -> SecretRules.Rule? {
        rule(for: entry).flatMap { $0.frequency == .oncePerSession ? $0 : nil }
    }

    /// Returns the program of a caller, as it was when it called first.
    func program(of caller: SecretCaller) -> DesktopProgram {
        if let known = programs.withLock({ $0[caller.connection] }) { return known }
        let program = DesktopProgram(caller, user: geteuid()) { RemoteLogin.contains($0) || LoginSession.isRemote($0) }
        programs.withLock { programs in
            if programs.count >= Self.mostPrograms { programs.removeAll() }
            programs[caller.connection] = program
        }
        return program
    }

    /// Returns the requester that the audit log names for a program.
    func requester(_ program: DesktopProgram) -> Requester {
        var requester = Requester(program.peer.text, groups: [group])
        requester.program = program.peer.program
        requester.isRemote = program.isRemote
        return requester
    }

    // MARK: - Reports

    /// A report of all that the service shows now, and of the latest requests.
    package var report: SecretServiceReport {
        let (shelves, all) = withIndex { ($0.shelves, $0.all) }
        var report = SecretServiceReport()
        report.isLocked = !keychain.isUnlocked
        report.collections = shelves.map { shelf in
            var shown = SecretServiceReport.Collection()
            (shown.folder, shown.label) = (shelf.record.folder, shelf.record.label)
            (shown.isHidden, shown.items) = (shelf.record.isHidden, all.count { $0.collection == shelf.id })
            return shown
        }
        report.requests = log.latest
        return report
    }
}
