internal import AccessPolicy
internal import AgentProtocol
internal import Glibc
internal import Latchkey
internal import LinuxSystem
internal import SecretVault
internal import SodiumKit
internal import Synchronization

/// Keeps the kernel's keys of the encrypted folders where `decide` wants them: there while a file of the folder's class
/// may be opened, and gone otherwise.
///
/// A lock of the vault waits for nothing: the keys of the vault are wiped by then. One thread has keys taken from the
/// kernel. It looks at no path, asks no vault and waits for no program. Another does all that, and gives keys.
final class FolderKeeper: Sendable {
    private struct State: Sendable {
        /// The folders that the kernel may have keys of, by their identifiers.
        var known: [String: KnownFolder] = [:]
        var wasUnlocked = false
        var hasLooked = false
        /// True while a key is given to the kernel.
        var isGiving = false
        var isEnding = false
        /// The number of rounds for folders that could not be locked.
        var tries = 0
    }

    let records: FolderRecords
    private let keychain: Keychain
    private let requester: Requester
    private let drops: DroppedFiles
    private let dropping: Worker
    private let notices: FolderNotices
    private let state = Mutex(State())
    private let rounds = Mutex<(taking: Worker, giving: Worker)?>(nil)

    /// The pause after which the kernel is asked again to forget files that were open, in milliseconds.
    private static let pause = 2000
    private static let longPause = 30_000
    /// The longest time that a request waits for folders to open or lock, in milliseconds.
    static let patience = 3000

    /// Starts the threads. They begin with a look: an agent that was killed may have left folders open.
    init(_ keychain: Keychain, as requester: Requester, dropsIn folder: String, telling notices: FolderNotices)
        throws(AgentError)
    {
        let drops = DroppedFiles(keychain, in: folder)
        (self.keychain, self.requester, self.drops) = (keychain, requester, drops)
        let records = FolderRecords(keychain: keychain)
        self.records = records
        self.notices = notices
        dropping = try Worker.doing {
            for folder in (try? records.all(by: requester)) ?? [] where !folder.isMoving { drops.move(into: folder) }
        }
        let taking = try Worker.repeating { [self] in takeKeys() }
        let giving = try Worker.repeating { [self] in
            // A key that has to go comes first.
            _ = taking.settle(upTo: Self.patience)
            return look()
        }
        rounds.withLock { $0 = (taking, giving) }
        giving.want()
    }

    private var taking: Worker? { rounds.withLock { $0?.taking } }
    private var giving: Worker? { rounds.withLock { $0?.giving } }

    // MARK: - Requests

    /// Requests a look at every folder, and does not wait for it.
    func want() {
        guard let (taking, giving) = rounds.withLock({ $0 }) else { return }
        taking.want()
        giving.want()
    }

    /// Requests a look at every folder, and waits for its end. Returns false if it takes longer than some seconds.
    @discardableResult
    func settle() -> Bool {
        guard let (taking, giving) = rounds.withLock({ $0 }) else { return false }
        taking.want()
        return giving.settle(upTo: Self.patience)
    }

    /// Waits until every key that has to go has gone, but not longer than some seconds.
    @discardableResult
    func lock() -> Bool { taking?.settle(upTo: Self.patience) ?? false }

    /// True if the vault may have a folder. It waits for nothing.
    var hasAny: Bool { state.withLock { !$0.hasLooked || !$0.known.isEmpty } }

    /// Follows the vault if it was locked or unlocked since the last call. After an unlock, it waits for the folders to
    /// open; a lock waits for nothing.
    func follow() {
        let (isUnlocked, hasChanged, hasFolders) = state.withLock { state in
            let isUnlocked = keychain.isUnlocked
            defer { state.wasUnlocked = isUnlocked }
            return (isUnlocked, state.wasUnlocked != isUnlocked, !state.hasLooked || !state.known.isEmpty)
        }
        guard hasChanged else { return }
        if isUnlocked && hasFolders { settle() } else { want() }
    }

    /// Follows a lock of the vault, and waits for nothing.
    func noteLock() {
        state.withLock { $0.wasUnlocked = false }
        want()
    }

    /// Locks every folder, because the agent ends, and waits for that.
    func close() {
        state.withLock { $0.isEnding = true }
        lock()
        // The other thread may have been giving a key just then.
        for _ in 0..<Self.patience {
            if !state.withLock({ $0.isGiving }) { break }
            usleep(1000)
        }
        lock()
    }

    /// Notes that the kernel has the key of this folder, which the vault is about to store.
    func note(_ folder: EncryptedFolder) {
        state.withLock { state in
            var known = state.known[folder.identifier] ?? KnownFolder(folder, key: .given, place: .plain)
            known.folder = folder
            known.give()
            state.known[folder.identifier] = known
        }
    }

    /// Takes the key of a folder from the kernel, although the vault is unlocked.
    func forget(_ identifier: String) {
        state.withLock { $0.known[identifier]?.isUnwanted = true }
        lock()
    }

    /// The state of every folder, as the last look found it.
    var reports: [EncryptedFolderReport] {
        state.withLock { $0.known.values.filter(\.isStored) }.sorted { $0.folder.path < $1.folder.path }.map { known in
            var report = EncryptedFolderReport()
            (report.folder, report.state, report.trouble) = (known.folder, known.state, known.trouble)
            if report.state == .locked, let identifier = FolderKeyIdentifier(known.folder.identifier),
                FolderKeys.isGivenByThisUser(identifier, hint: known.folder.path)
            {
                report.state = .shared
            }
            report.drops = drops.count(of: known.folder.identifier)
            if report.state == .held { report.processes = FolderHolders(of: known.folder).lines }
            return report
        }
    }

    // MARK: - Dropped files

    /// Seals a copy of the file at `path` for a folder, and moves it there if that is open. Returns true if it was moved.
    ///
    /// - Throws: `AgentError` if the file cannot be sealed, or the content of the folder is being moved: after that, there may be
    ///   no folder that the file could go to.
    func drop(_ path: String, into folder: EncryptedFolder) throws(AgentError) -> Bool {
        guard !folder.isMoving else {
            throw AgentError(
                .request,
                "the content of \(folder.path) is being moved: run `latchkey folder status`, and drop the file later")
        }
        try drops.add(path, for: folder)
        return drops.move(into: folder)
    }

    /// Returns the number of files that wait for a folder.
    func drops(for identifier: String) -> Int { drops.count(of: identifier) }

    /// Deletes the files that wait for a folder, whose key is gone.
    func discardDrops(for identifier: String) { drops.discard(identifier) }

    // MARK: - Taking keys

    /// Takes every key that has to go. Returns the pause until the kernel is asked again; nil if nothing is left to take.
    private func takeKeys() -> Int? {
        let before = closing
        wait(for: before.compactMap { begin($0.folder.identifier) })
        // A process that is just being started has the files of its parent open for a moment.
        let known = Set(before.filter { $0.key == .held }.map(\.folder.identifier))
        for _ in 0..<4 {
            let held = closing.filter { $0.key == .held && !known.contains($0.folder.identifier) }
            if held.isEmpty { break }
            usleep(20_000)
            wait(for: held.compactMap { begin($0.folder.identifier) })
        }
        // The agent that has given a shared key tells when it takes it.
        let left = closing.filter { $0.key != .kept && $0.key != .shared }
        for folder in left
        where folder.key == .held && folder.folder.isEnding && !known.contains(folder.folder.identifier) {
            giving?.want()
        }
        return state.withLock { state in
            state.tries = left.isEmpty ? 0 : state.tries + 1
            // Each time, the kernel writes everything to the disk. So a program that goes on for hours is asked about more rarely.
            return left.isEmpty ? nil : state.tries < 15 ? Self.pause : Self.longPause
        }
    }

    /// The folders that have to be locked, and are not.
    private var closing: [KnownFolder] {
        state.withLock { state in state.known.values.filter { isClosing($0, state) } }
    }

    private func isClosing(_ known: KnownFolder, _ state: borrowing State) -> Bool {
        let isLocked = known.folder.protection.ofFiles.keyClass == .whenUnlocked && !keychain.isUnlocked
        return known.key != .gone && (isLocked || known.isUnwanted || state.isEnding)
    }

    private func wait(for signals: [Signal]) {
        let end = ContinuousClock.now + .milliseconds(Self.patience)
        for signal in signals {
            let left = (end - ContinuousClock.now) / .milliseconds(1)
            _ = signal.wait(upTo: max(1, Int(left)))
        }
    }

    /// Begins to take a key, on a thread of its own: the kernel writes to the disk before it answers, and no folder waits for
    /// the disk of another. Returns nil if a thread is at it, or the key may stay.
    private func begin(_ identifier: String) -> Signal? {
        let known: KnownFolder? = state.withLock { state in
            guard let known = state.known[identifier], !known.isBeingTaken, isClosing(known, state) else { return nil }
            state.known[identifier]?.isBeingTaken = true
            return known
        }
        guard let known else { return nil }
        let signal = Signal()
        let isStarted = Supervisor.detach { [self] in
            take(known)
            signal.give()
        }
        if isStarted { return signal }
        take(known)
        return nil
    }

    private func take(_ known: KnownFolder) {
        let key = FolderKeyIdentifier(known.folder.identifier).map { taken($0, known) } ?? .gone
        let (isStale, mayStay) = state.withLock { state in
            let identifier = known.folder.identifier
            // The kernel may have got the key again meanwhile, and then it is not known which was first.
            let isStale = state.known[identifier].map { $0.gifts != known.gifts } ?? false
            state.known[identifier]?.key = isStale ? .given : key
            state.known[identifier]?.isBeingTaken = false
            return (
                isStale,
                state.known[identifier].map { !$0.isUnwanted } == true && !state.isEnding && keychain.isUnlocked
            )
        }
        if isStale { taking?.want() }
        if mayStay { giving?.want() }
    }

    /// Takes a key from the kernel, and returns what is left of it.
    private func taken(_ identifier: FolderKeyIdentifier, _ known: KnownFolder) -> KnownFolder.Key {
        // This agent has taken the key before. If it is there again, another agent of this user has given it since.
        if known.key == .held || known.key == .shared,
            FolderKeys.isGivenByThisUser(identifier, hint: known.folder.path)
        {
            return .shared
        }
        let outcome = FolderKeys.removeEverywhere(identifier, hint: known.folder.path, device: known.device)
        let isFirst = known.key == .given
        switch outcome {
        case .removed, .remains: if isFirst { notices.tell() }
        case .absent, .unreached: break
        }
        switch outcome {
        case .removed, .absent: return .gone
        case .remains(let holders): return holders.otherUsers ? .kept : .held
        case .unreached(let mountPoint, let error):
            return .unreached(
                "its key may still be in the file system at \(mountPoint), which cannot be asked: \(error)")
        }
    }

    // MARK: - Giving keys

    /// Gives the kernel every key that it may have. Returns the pause until the next look if the vault cannot say which.
    private func look() -> Int? {
        guard !state.withLock({ $0.isEnding }) else { return nil }
        guard let folders = try? records.all(by: requester) else { return Self.pause }
        let identifiers = Set(folders.map(\.identifier))
        // True if a key may have to go that the other thread does not know of.
        var hasNews = false
        state.withLock { state in
            for (identifier, known) in state.known where !identifiers.contains(identifier) {
                if known.key == .gone {
                    state.known[identifier] = nil
                } else {
                    hasNews = true
                    state.known[identifier]?.isUnwanted = true
                    state.known[identifier]?.isStored = false
                }
            }
        }
        // All folders are known before any path is looked at: a path that hangs must keep no other folder open.
        for folder in folders {
            let mayOpen = mayOpen(folder)
            state.withLock { state in
                // The kernel may have a key that an earlier agent gave it.
                var known =
                    state.known[folder.identifier] ?? KnownFolder(folder, key: .given, place: .encrypted)
                hasNews = hasNews || known.isUnwanted == mayOpen
                (known.folder, known.isUnwanted, known.isStored) = (folder, !mayOpen, true)
                state.known[folder.identifier] = known
            }
        }
        if hasNews { taking?.want() }
        var hasOpen = false
        for folder in folders {
            let place = Self.place(of: folder)
            let device = FolderKeys.device(of: folder.path)
            let known = state.withLock { state in
                state.known[folder.identifier]?.place = place
                if let device { state.known[folder.identifier]?.device = device }
                return state.known[folder.identifier]
            }
            guard let known else { continue }
            // A look that an unlock has requested follows, if this one may not open the folder yet.
            if !known.isUnwanted && mayOpen(folder) {
                if open(folder, at: place) { hasOpen = true }
            } else if known.key == .held && folder.isEnding {
                FolderHolders(of: folder).end()
            }
        }
        state.withLock { $0.hasLooked = true }
        // What has to go after all, and what could not go while a program held it.
        _ = taking?.settle(upTo: Self.patience)
        if hasOpen { dropping.want() }
        return nil
    }

    /// Returns true if the rules let a file of this folder be opened now.
    private func mayOpen(_ folder: EncryptedFolder) -> Bool {
        (try? keychain.vault.decision(.open(folder.protection.ofFiles), about: nil))?.isGranted ?? false
    }

    private static func place(of folder: EncryptedFolder) -> KnownFolder.Place {
        do throws(SystemError) {
            switch try FolderKeys.encryption(of: folder.path) {
            case .encrypted(let found): return "\(found)" == folder.identifier ? .encrypted : .other
            // It is being protected or unprotected.
            case .plain where folder.isMoving: return .plain
            case .plain, .foreign, .unavailable: return .other
            }
        } catch {
            return .missing(error)
        }
    }

    /// Opens a folder. Returns true if it is open then.
    private func open(_ folder: EncryptedFolder, at place: KnownFolder.Place) -> Bool {
        guard place == .encrypted || place == .plain, let identifier = FolderKeyIdentifier(folder.identifier) else {
            return false
        }
        if place == .encrypted, folder.protection == .unlessOpen { drops.prepare() }
        if case .present(byThisUser: true, _) = try? FolderKeys.state(of: identifier, at: folder.path) {
            state.withLock { $0.known[folder.identifier]?.give() }
            return place == .encrypted
        }
        // If it cannot be read, the vault has been locked meanwhile, and another look follows.
        guard let key = try? records.readKey(of: folder.identifier, by: requester) else { return false }
        let mayGive = state.withLock { state in
            state.isGiving = !state.isEnding
            return state.isGiving
        }
        guard mayGive else { return false }
        var trouble: SystemError?
        do throws(SystemError) {
            _ = try key.withBytes { (bytes) throws(SystemError) in try FolderKeys.add(bytes, to: folder.path) }
        } catch {
            trouble = error
        }
        state.withLock { state in
            state.isGiving = false
            // A lock may have come in between. The look ends with taking such keys.
            if let trouble {
                state.known[folder.identifier]?.place = .missing(trouble)
            } else {
                state.known[folder.identifier]?.give()
            }
        }
        // The look may hang at the path of another folder before it ends.
        if closing.contains(where: { $0.folder.identifier == folder.identifier }) { taking?.want() }
        return trouble == nil && place == .encrypted
    }
}

extension EncryptedFolder {
    /// True if a lock ends processes that have files open. While the content is moved, that would be the command itself.
    fileprivate var isEnding: Bool { holders == .end && !isMoving }
}
