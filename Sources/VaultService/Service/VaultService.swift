internal import AccessPolicy
package import AgentProtocol
internal import Glibc
package import Latchkey
internal import LinuxSystem
internal import SecretVault
internal import SodiumKit
internal import Synchronization

/// One vault, as everyone at its doors uses it: what their users have proved, who is asked, what may wait, and what happens at a lock.
///
/// A caller is a ``Visit`` here, whether it came by a socket or by the bus. The service opens nothing by itself: `decide` answers each
/// request.
package final class VaultService: Sendable {
    /// The access group of the items, and the service of those that are secrets.
    package static let group = "latchkey"
    package static let serviceOfSecrets = "latchkey"

    let keychain: Keychain
    package let place: AgentPlace
    private let currentSettings: Mutex<ReadSettings>
    /// True once the settings were in effect as the owner chose them.
    private let hasSettled = Atomic(false)
    /// Held while the settings change.
    private let changing = Mutex(())
    /// The number of seconds without a request after which the vault locks itself, if the command line says so.
    private let toldLock: Int?
    /// The room for secrets and lists that are under way.
    package let budget = SecretBudget(large: WireLimits.secretsUnderWay)
    /// The requests whose prompts wait for another terminal.
    let approvals = Approvals()
    /// The authentications that count beyond the visit that brought them.
    let kept: KeptContexts
    /// Tells the parts what happens to the vault.
    package let events = VaultEvents()
    /// The milliseconds of a clock that also counts while the machine sleeps.
    let now: @Sendable () -> Int64
    /// The names of the keys that clients are adding now.
    let namesOfNewKeys = Mutex<Set<String>>([])
    /// The names of the secrets whose counters are counting now.
    let namesThatCount = Mutex<Set<String>>([])
    private let hosting: Hosting
    private let activity = Atomic<Int64>(0)
    private let wasUnlocked = Atomic(false)
    private let isStopped = Atomic(false)
    private let underWay = Atomic(0)
    /// The number of requests whose answers are not sent yet.
    private let answering = Atomic(0)
    /// Applies what another program has changed in the vault.
    private let looking: Worker
    /// Records that the vault was locked.
    private let recording: LockRecorder
    /// Asks the sensor, for reports.
    let sensorLook: SensorLook
    /// Opens and locks the folders that the kernel encrypts.
    let folders: FolderKeeper
    /// The keys that SSH clients see.
    package let sshKeys: SSHKeyList
    /// The secrets that are lent now.
    let loans: Loans
    /// Uses keys on smart cards.
    let cards: CardKeys
    /// Checks the passwords of logins.
    let logins: LoginPasswords
    /// Ends the former login password in time.
    private let formerPasscode: FormerPasscodeWatch
    /// Puts into effect what a check of the settings has shown.
    private let following: Worker
    private let madeStore = Mutex<DesktopStore?>(nil)

    /// Opens the vault at a place, with the authenticators that its settings name.
    ///
    /// - Parameters:
    ///   - locksAfter: The number of seconds without a request after which the vault locks itself; nil for what its settings say.
    ///   - notices: The notices for other services of the user, which may open the same folders.
    package convenience init(
        opening place: AgentPlace, locksAfter: Int? = nil, _ notices: FolderNotices
    ) throws(AgentError) {
        let (keychain, settings) = try ReadSettings.opened(place)
        try self.init(keychain, at: place, settings, locksAfter: locksAfter, notices) {
            SystemClock.sinceBoot.milliseconds
        }
    }

    /// Creates the service of an open vault, with these settings and this clock.
    package init(
        _ keychain: Keychain, at place: AgentPlace, _ settings: ReadSettings, locksAfter: Int? = nil,
        _ notices: FolderNotices = FolderNotices(in: nil), now: @escaping @Sendable () -> Int64
    ) throws(AgentError) {
        (self.keychain, self.place, self.now) = (keychain, place, now)
        currentSettings = Mutex(settings)
        toldLock = locksAfter
        let kept = try KeptContexts { Instant(milliseconds: now()) }
        self.kept = kept
        sshKeys = SSHKeyList(place)
        let loans = Loans(now: now)
        self.loans = loans
        cards = try CardKeys()
        recording = try LockRecorder(keychain)
        sensorLook = try SensorLook(keychain)
        let folders = try FolderKeeper(
            keychain, as: Requester(Peer.thisProcess.text, groups: [Self.group]), dropsIn: place.vault + "/drops",
            telling: notices)
        self.folders = folders
        let formerPasscode = FormerPasscodeWatch(now: now) { try keychain.formerPasscodeRemains }
        self.formerPasscode = formerPasscode
        let hosting = Hosting()
        self.hosting = hosting
        let following = try Worker.doing { hosting.service?.followSettings() }
        self.following = following
        let events = events
        logins = try LoginPasswords(keychain) { events.tell(.loginChecked) }
        looking = try Worker.doing {
            _ = try? keychain.device  // Reading the state applies what another program has changed.
            events.tell(.touched)
        }
        events.subscribe { kept.hear($0) }
        events.subscribe { folders.hear($0) }
        events.subscribe { loans.hear($0) }
        events.subscribe { hosting.service?.store?.hear($0) }
        events.subscribe { event in
            switch event {
            case .used:
                hosting.service?.followSettings()
                hosting.service?.followUnlock()
            case .loginChecked, .touched:
                formerPasscode.look()
                following.want()
                hosting.host?.wake()
            case .settings: hosting.host?.wake()
            case .locked, .closing: break
            }
        }
        keychain.whenItClosesItself { hosting.host?.stop() }
        noteActivity()
        formerPasscode.look()
        hosting.hold(self)
        followSettings()
    }

    /// Throws if there is no vault at a place, or if the process may not write to it.
    package static func require(at place: AgentPlace) throws(AgentError) {
        do throws(VaultError) { try Vault.requireWritable(folder: place.vault) } catch {
            throw AgentError(KeychainError.vault(error))
        }
        // Check first: leave nothing in a folder without a vault.
        guard access(place.vault + "/vault.db", F_OK) == 0 else {
            throw AgentError(.vault, "there is no vault at \(place.vault): create one with `latchkey init`")
        }
    }

    /// The process around the service; nil if there is none.
    var host: (any ServiceHost)? { hosting.host }

    /// Has the service tell `host` what it has to do, as long as both exist.
    package func serve(in host: any ServiceHost) {
        hosting.hold(host)
        // These may have failed while there was no host to stop.
        followSettings()
        if hasFailed { host.stop() }
    }

    // MARK: - Programs of the desktop

    private var store: DesktopStore? { madeStore.withLock { $0 } }

    /// Returns the vault as programs of the desktop see it. It exists as soon as a request needs it, so that `latchkey secret-service`
    /// works without a bus too.
    package func desktopStore() throws(AgentError) -> DesktopStore {
        if let store { return store }
        let made = try DesktopStore(self)
        return madeStore.withLock { store in
            if let store { return store }
            store = made
            return made
        }
    }

    /// Lets every program of the desktop prompt again, because the user has authenticated at the terminal of a command.
    func endSilences() { store?.limits.endSilences() }

    // MARK: - Settings

    /// The settings of the vault that are in effect: those that the owner chose, once a passcode has shown that these are
    /// the ones, and strict ones until then.
    package var settings: VaultSettings {
        let read = currentSettings.withLock { $0 }
        return read.isValid && keychain.hasChecked(read.bytes) ? read.settings : read.settings.strictest
    }

    /// The settings as they are in the vault, checked or not.
    package var storedSettings: VaultSettings { currentSettings.withLock { $0.settings } }

    /// Puts settings into effect that were changed, except for the authenticators, which the service uses until it ends.
    private func apply(_ settings: VaultSettings) {
        currentSettings.withLock { $0 = ReadSettings(settings, for: place) }
        events.tell(.settings(settings))
    }

    /// Puts into effect what a check of the settings has shown. If the owner's are others than the service has read, its process
    /// ends: it may have a sensor and a PAM service that the owner did not choose. It also ends if another program has changed the
    /// root, because it may have seen a vault that is not its owner's.
    func followSettings() {
        if keychain.hasOtherRoot { return stop() }
        let isOther = changing.withLockIfAvailable { _ in
            keychain.hasCheckedSettings && !keychain.hasChecked(currentSettings.withLock { $0.bytes })
        }
        if isOther == true { return stop() }
        let settings = settings
        kept.reuse = settings.reuseLimit
        guard keychain.hasCheckedSettings, !hasSettled.exchange(true, ordering: .relaxed) else { return }
        sensorLook.begin()
        // If this fails, secrets that were deleted too long ago stay until the next deletion.
        try? keychain.forgetRemoved(beyond: settings.historyLimit)
    }

    private func stop() {
        isStopped.store(true, ordering: .relaxed)
        host?.stop()
    }

    /// True once the process ends for a change by another program.
    var isEnding: Bool { isStopped.load(ordering: .relaxed) }

    /// Changes the settings, one change after another: none undoes what another has changed meanwhile.
    func changeSettings(
        _ body: (VaultSettings) throws(AgentError) -> VaultSettings
    ) throws(AgentError) -> (former: VaultSettings, changed: VaultSettings) {
        try changing.withLock { (_) throws(AgentError) in
            let read = currentSettings.withLock { $0 }
            // The passcode has shown what the owner chose. Only that is the beginning of a change.
            guard read.isValid, keychain.hasChecked(read.bytes) else {
                throw AgentError(
                    .vault,
                    "the settings have changed since the agent started: run `latchkey agent stop`, and try again")
            }
            let former = read.settings
            let changed = try body(former)
            apply(changed)
            return (former, changed)
        }
    }

    // MARK: - Locking

    /// True while the vault is unlocked.
    package var isUnlocked: Bool { keychain.isUnlocked }

    /// The number of locks so far.
    var locks: Int { kept.locks }

    /// Locks the vault at once. Another thread records it.
    package func lock() {
        if (try? keychain.lockAtOnce()) != nil { recording.want() }
        events.tell(.locked)
    }

    /// Locks the vault at once, and returns what is known of the record a moment later. Throws if the vault is closed, and its
    /// keys are wiped.
    func lockAndRecord() throws(KeychainError) -> LockRecorder.Outcome {
        do {
            defer { events.tell(.locked) }
            _ = try keychain.lockAtOnce()
        }
        return recording.record()
    }

    /// Has the host look when the vault locks itself, if it was unlocked since the last call.
    private func followUnlock() {
        let isUnlocked = keychain.isUnlocked
        if wasUnlocked.exchange(isUnlocked, ordering: .relaxed) != isUnlocked { host?.wake() }
    }

    /// The number of seconds without a request after which the vault locks itself; nil if it does not.
    var locksAfter: Int? {
        let wanted = toldLock.map { $0 > 0 ? $0 : nil } ?? settings.locksAfter
        return wanted.map { min($0, VaultSettings.longestLock) }
    }

    /// Returns the milliseconds until the vault locks itself; nil if it does not.
    private func untilLock() -> Int64? {
        guard let locksAfter, keychain.isUnlocked else { return nil }
        if underWay.load(ordering: .relaxed) > 0 { return Int64(locksAfter) * 1000 }
        return max(0, lastActivity + Int64(locksAfter) * 1000 - now())
    }

    /// The milliseconds until ``followTime()`` has something to do; nil if there is nothing.
    package var untilNextEnd: Int64? { [untilLock(), formerPasscode.untilLook].compactMap { $0 }.min() }

    /// Locks the vault if it was not used for long enough, and ends the former passcode if its time is over.
    package func followTime() {
        if untilLock() == 0 { lock() }
        if formerPasscode.takeTurn() { looking.want() }
    }

    /// Notes that another program may have changed the vault. Another thread looks.
    package func noteTouched() { looking.want() }

    /// Notes that another process of the user has taken the key of a folder. Another thread looks.
    package func noteTakenKey() { folders.want() }

    /// Waits until the folders are locked as well, but not for long.
    package func waitForLockedFolders() { _ = folders.lock() }

    // MARK: - Requests under way

    /// Notes that a request of any kind begins.
    package func beginAnswer() { answering.add(1, ordering: .relaxed) }

    /// Notes that the answer to a request is sent.
    package func endAnswer() { answering.subtract(1, ordering: .relaxed) }

    /// Notes that a request uses the vault. The vault does not lock itself until the request is done.
    func beginWork() { underWay.add(1, ordering: .relaxed) }

    /// Notes that such a request is done, and restarts the time until the vault locks itself.
    func endWork() {
        noteActivity()
        underWay.subtract(1, ordering: .relaxed)
    }

    /// Restarts the time until the vault locks itself.
    func noteActivity() { activity.store(now(), ordering: .relaxed) }

    /// The time at which the vault was used last.
    package var lastActivity: Int64 { activity.load(ordering: .relaxed) }

    // MARK: - The end

    /// True once the vault has closed itself after an error. Nothing can be answered then.
    package var hasFailed: Bool { keychain.hasClosedItself }

    /// Returns the error for a client: if the vault has closed itself, one that says so.
    func failure(_ error: AgentError) -> AgentError {
        guard error == AgentError(KeychainError.vault(.closed)) else { return error }
        return AgentError(.agent, "the agent ends, because it wiped all keys after an error: run the command again")
    }

    /// Wipes the keys. Requests under way end, unless a prompt is open.
    package func seal() { keychain.seal() }

    /// Ends what the parts do for the vault, and waits a moment until requests under way are answered.
    package func endParts() {
        events.tell(.closing)
        for _ in 0..<Self.patienceForAnswers where answering.load(ordering: .relaxed) > 0 { usleep(1000) }
        madeStore.withLock { $0 = nil }
        events.end()
    }

    /// The time that requests under way get to be answered, in milliseconds.
    private static let patienceForAnswers = 500

    /// Wipes the keys, writes the last records and closes the files. Returns the records that the audit log lacks then;
    /// nil if there are none.
    package func closeVault() -> LostRecords? {
        keychain.seal()
        let isClosed = Signal()
        let isStarted = Supervisor.detach { [keychain] in
            keychain.close()
            isClosed.give()
        }
        guard isStarted, isClosed.wait(upTo: Self.patienceAtEnd) else { return .unknown }
        let lost = keychain.unwrittenRecords
        return lost > 0 ? .records(lost) : nil
    }

    /// The time that the vault gets to write its last record and close its files, in milliseconds.
    private static let patienceAtEnd = 1500
}
