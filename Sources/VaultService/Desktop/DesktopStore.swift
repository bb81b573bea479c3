internal import AccessPolicy
package import AgentProtocol
internal import Glibc
internal import Latchkey
internal import LinuxSystem
package import SecretService
internal import SecretTools
internal import SecretVault
internal import SodiumKit
internal import Synchronization
internal import SystemServices

/// The secrets of a vault as the Secret Service of a desktop shows them.
///
/// A collection is a folder of the vault that the owner or a program has made one, and an item is a secret in it. What the
/// service shows without asking is in records of their own (``SecretRecord``), which can be read while the vault is locked. No
/// record grants anything: `decide` answers each read of a secret.
package final class DesktopStore: SecretStore {
    let service: VaultService
    var keychain: Keychain { service.keychain }
    let records: SecretRecords
    /// The authentications of users for programs: for one connection, or under a rule that says once per session.
    var kept: KeptContexts { service.kept }
    let log = SecretRequestLog()
    /// The limits on prompts, by the executables and connections of programs.
    package let limits: AskingLimits<String>
    private let index = Mutex(Shelves())
    /// Held while the records change, so that a reload never undoes a change.
    private let changing = Mutex(())
    /// The records whose secrets were gone when the records were read the last time.
    let homeless = Mutex<Set<String>>([])
    private let watchers = Mutex<[@Sendable (ShelfChange) -> Void]>([])
    private let programs = Mutex<[String: DesktopProgram]>([:])
    private let wasUnlocked: Atomic<Bool>
    private let rounds = Mutex<Worker?>(nil)
    private let look = Mutex(Look())
    /// The folders of hidden collections, as they were while the vault was unlocked.
    private let hiddenFolders = Mutex<Set<String>>([])

    /// The state of the thread that reads the records again.
    private struct Look: Sendable {
        /// The items when the records were read last; nil if they have to be read again.
        var mark: ItemsMark?
        var need = Need.look
        /// The time until which changes by other programs wait, so that reading does not become the main work.
        var earliest = ContinuousClock.now
    }

    /// The reason to read the records again.
    private enum Need: Int, Comparable {
        /// The vault was touched, perhaps by its own audit log.
        case look
        /// A request may have changed items.
        case change
        /// Everything is read, because the vault was locked or unlocked.
        case all

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// How much longer than reading the records the pause after it lasts.
    private static let rest = 5
    /// The pause after the records could not be read, in milliseconds.
    private static let pauseAfterFailure = 1000
    /// The number of prompts that all programs together can have open, and the number that can end without an answer within a
    /// minute.
    static let mostPrompts = 4
    /// The number of connections of which the program is remembered.
    private static let mostPrograms = 1024

    /// Creates the store of a service, and reads what it shows.
    ///
    /// - Throws: ``AgentError`` if the vault cannot be read, or the system has no thread left.
    init(_ service: VaultService) throws(AgentError) {
        self.service = service
        records = SecretRecords(
            keychain: service.keychain, requester: Requester(Peer.thisProcess.text, groups: [VaultService.group]))
        limits = AskingLimits(mostInAll: Self.mostPrompts, mostMisses: Self.mostPrompts, now: service.now)
        wasUnlocked = Atomic(service.keychain.isUnlocked)
        do throws(KeychainError) {
            let first = try loaded()
            index.withLock { $0 = first }
            keepHiddenFolders(of: first)
        } catch { throw AgentError(error) }
        let rounds = try Worker.repeating { [weak self] in self?.followVault() }
        self.rounds.withLock { $0 = rounds }
    }

    // MARK: - Following the vault

    /// Notes that another program may have changed the vault, and waits for nothing. Another thread looks, and reads the records
    /// again if an item has changed.
    package func noteLook() { want(.look) }

    /// Notes that a request may have changed items, and waits for nothing.
    package func noteChange() { want(.change) }

    private func want(_ need: Need) {
        look.withLock { $0.need = max($0.need, need) }
        rounds.withLock { $0 }?.want()
    }

    /// Notes that a request is done.
    func follow(hasChanged: Bool) {
        follow()
        if hasChanged { noteChange() }
    }

    /// Notes that the vault may have been locked or unlocked.
    package func follow() {
        let isUnlocked = keychain.isUnlocked
        let was = wasUnlocked.exchange(isUnlocked, ordering: .sequentiallyConsistent)
        if was == isUnlocked { return }
        if isUnlocked { return noteAccess() }
        // The service has not heard of this lock.
        kept.noteLock()
        noteLock()
    }

    /// Hides what a locked vault hides, and waits for nothing. All grants have ended before.
    package func noteLock() {
        wasUnlocked.store(false, ordering: .sequentiallyConsistent)
        let changes: [ShelfChange] = withIndex { index in
            let former = index
            // A collection may have been hidden since the records were read.
            keepHiddenFolders(of: former)
            index.hide()
            return index.changes(since: former)
        }
        for change in changes { tell(change) }
        noteAccess()
    }

    /// Tells that every collection was locked or unlocked, and has all records read again.
    private func noteAccess() {
        want(.all)
        for shelf in withIndex({ $0.shelves }) { tell(.collectionChanged(shelf.id)) }
    }

    /// Waits until every change so far is shown, but not longer than this. Returns false if it takes longer.
    @discardableResult
    package func settle(upTo milliseconds: Int) -> Bool {
        look.withLock { $0.need = .all }
        return rounds.withLock { $0 }?.settle(upTo: milliseconds) ?? false
    }

    /// Reads the records again if there is a reason. Returns the milliseconds after which it has to look again; nil if it is done.
    private func followVault() -> Int? {
        let (known, need, earliest) = look.withLock { look in
            defer { look.need = .look }
            return (look.mark, look.need, look.earliest)
        }
        // Taken before the records are read: a change meanwhile makes another round.
        let mark = try? keychain.vault.itemsMark()
        if need != .all, let mark, mark == known { return nil }
        if need == .look, .now < earliest {
            return max(1, Int((ContinuousClock.now.duration(to: earliest) / .milliseconds(1)).rounded(.up)))
        }
        let start = ContinuousClock.now
        guard reload() else {
            look.withLock { $0.mark = nil }
            return Self.pauseAfterFailure
        }
        let end = start.duration(to: .now) * Self.rest
        look.withLock { look in
            look.mark = mark
            look.earliest = .now + end
        }
        return nil
    }

    /// Reads the records again. Returns false if they cannot be read now; then the index stays as it was.
    private func reload() -> Bool {
        let changes: [ShelfChange]? = changing.withLock { _ in
            guard var next = try? loaded() else { return nil }
            keepHiddenFolders(of: next)
            return withIndex { index in
                // A lock that came meanwhile has hidden what `next` may show.
                if !keychain.isUnlocked { next.hide() }
                let changes = next.changes(since: index)
                index = next
                return changes
            }
        }
        for change in changes ?? [] { tell(change) }
        return changes != nil
    }

    private func keepHiddenFolders(of index: Shelves) {
        guard index.isComplete else { return }
        hiddenFolders.withLock { $0 = Set(index.shelves.filter(\.record.isHidden).map(\.record.folder)) }
    }

    /// Runs `body` while nothing else changes or reads records.
    func changeRecords<Value, Failure>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        try changing.withLock { (_) throws(Failure) in try body() }
    }

    func withIndex<Value>(_ body: (inout Shelves) -> Value) -> Value { index.withLock { body(&$0) } }

    func tell(_ change: ShelfChange) {
        for watcher in watchers.withLock({ $0 }) { watcher(change) }
    }

    // MARK: - Looking

    /// The collections, the default one first.
    package var collections: [SecretCollection] { withIndex { $0.shelves.map(\.shown) } }

    /// The aliases that are set, and `default`.
    package var aliases: [String: CollectionID] {
        withIndex { index in
            var aliases: [String: CollectionID] = [:]
            if let first = index.shelves.first { aliases[Shelves.usualAlias] = first.id }
            for shelf in index.shelves { for alias in shelf.record.aliases { aliases[alias] = shelf.id } }
            return aliases
        }
    }

    package func items(in collection: CollectionID) -> [SecretItem] {
        withIndex { $0.items(in: collection).compactMap(\.shown) }
    }

    package func item(_ id: ShelfItemID) -> SecretItem? { withIndex { $0.entry(id)?.shown } }

    /// Returns the items that have all these attributes.
    package func search(_ attributes: [String: String], in collection: CollectionID?) -> [ShelfItemID] {
        withIndex { $0.search(attributes, in: collection).compactMap(\.id) }
    }

    /// Returns true if a caller has to unlock an item first.
    ///
    /// An item whose policy needs authentication is locked for all callers without a grant, whatever the sensor would say: asking
    /// it takes time that the bus does not have. This only shows: `decide` decides about each read.
    package func isLocked(_ item: ShelfItemID, for caller: SecretCaller) -> Bool {
        guard let entry = withIndex({ $0.entry(item) }) else { return true }
        let scopes =
            [.connection(caller.connection, item)] + (sessionRule(for: entry).map { [KeptScope.rule($0.text)] } ?? [])
        if scopes.contains(where: { !kept.contexts(in: $0).isEmpty }) { return false }
        return entry.control.isProtected || !keychain.vault.isAvailable(entry.control.protection)
    }

    /// Returns true if the vault is locked, or if it was unlocked a moment ago and not all of it is shown yet.
    package func isLocked(_ collection: CollectionID) -> Bool {
        !keychain.isUnlocked || !withIndex { $0.isComplete }
    }

    /// Calls a closure after each change of what the store shows.
    package func whenChanged(_ body: @escaping @Sendable (ShelfChange) -> Void) {
        watchers.withLock { $0.append(body) }
    }

    /// Ends the grants of a caller that has left the bus.
    package func forget(_ caller: SecretCaller) {
        kept.forget { if case .connection(caller.connection, _) = $0 { true } else { false } }
        programs.withLock { $0[caller.connection] = nil }
    }

    // MARK: - Rules and programs

    func rule(for entry: Shelves.Entry) -> SecretRules.Rule? {
        service.settings.secretRules.rule(for: entry.record.attributes)
    }

    /// Returns the rule that opens an item once per session, if the user has opened the item under it before.
    func sessionRule(for entry: Shelves.Entry) -> SecretRules.Rule? {
        rule(for: entry).flatMap {
            $0.frequency == .oncePerSession && entry.record.approvedRule == $0.text ? $0 : nil
        }
    }

    /// Returns the program of a caller, as it was when it called first.
    func program(of caller: SecretCaller) -> DesktopProgram {
        if let known = programs.withLock({ $0[caller.connection] }) { return known }
        let program = DesktopProgram(caller, user: geteuid(), isRemote: Visit.isRemote)
        programs.withLock { programs in
            if programs.count >= Self.mostPrograms { programs.removeAll() }
            programs[caller.connection] = program
        }
        return program
    }

    // MARK: - Reports

    /// The programs that get no prompt now, each by its executable. A connection has the name of one as well.
    private var silences: [SecretServiceReport.Silence] {
        let now = service.now()
        return limits.silences.compactMap { silence in
            guard silence.name.map({ $0.hasPrefix("/") || $0 == DesktopProgram.unknown }) ?? true else { return nil }
            var shown = SecretServiceReport.Silence()
            // The next full second.
            shown.end = Int(Self.now + (silence.end - now + 999) / 1000)
            shown.program = silence.name
            return shown
        }.sorted { ($0.program ?? "", $0.end) < ($1.program ?? "", $1.end) }
    }

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
        report.silences = silences
        let hidden = report.isLocked ? hiddenFolders.withLock { $0 } : []
        report.requests = log.latest.filter { request in
            !hidden.contains { request.name == $0 || request.name.utf8.starts(with: ($0 + "/").utf8) }
        }
        return report
    }
}
