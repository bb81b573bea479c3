internal import AccessPolicy
package import AgentProtocol
internal import DeviceModel
internal import Glibc
internal import Latchkey
internal import LinuxSystem
internal import PlainText
internal import SecretVault
internal import Synchronization
internal import UserPresence

/// A watch for events that lock a vault, such as the machine going to sleep. It lasts as long as the object.
package protocol LockWatch: AnyObject, Sendable {
    /// The reason why it cannot see such events now; nil if it can.
    var trouble: String? { get }
}

/// The process that holds the keys of one vault while it is unlocked, and answers requests for it.
///
/// The agent decides by itself. No client can claim that its user authenticated: the client sends what was typed or
/// touched, and the agent checks it.
package final class Agent: Sendable {
    package struct Options: Sendable {
        /// The number of seconds without a request after which the vault locks itself; nil for what its settings say.
        package var locksAfter: Int?
        /// Listening sockets that a service manager passes on; empty to open one.
        package var sockets: [Int32] = []
        /// Listening sockets for SSH clients that a service manager passes on; empty to open one.
        package var sshSockets: [Int32] = []
        /// A closure that the agent calls once it answers requests.
        package var whenReady: @Sendable () -> Void = {}
        /// A closure that the agent calls when it is about to end.
        package var whenEnding: @Sendable () -> Void = {}
        /// A closure that the agent calls if the audit log lacks the last records.
        package var whenLosing: @Sendable (LostRecords) -> Void = { _ in }
        /// A closure that starts a watch, which calls `lock` before the machine sleeps, for example. Without it there
        /// is no watch.
        package var watch: (@Sendable (_ lock: @escaping @Sendable () -> Void) -> any LockWatch)?

        package init() {}
    }

    /// The access group of the agent's items.
    static let group = "latchkey"

    let keychain: Keychain
    let place: AgentPlace
    private let currentSettings: Mutex<ReadSettings>
    /// True once the settings were in effect as the owner chose them.
    private let hasSettled = Atomic(false)
    /// Held while the settings change.
    private let changing = Mutex(())
    let limits: ResourceLimits
    let clients: Clients
    let budget = SecretBudget(large: WireLimits.secretsUnderWay)
    /// The number of seconds without a request after which the vault locks itself, if the command line says so.
    private let toldLock: Int?
    /// The requests whose prompts wait for another terminal.
    let approvals = Approvals()
    /// The authentications that count beyond the connection that brought them.
    let kept: KeptContexts
    /// The number of locks so far.
    var locks: Int { kept.locks }
    /// Tells the parts what happens to the vault.
    let events = VaultEvents()
    /// The names of the keys that clients are adding now.
    let namesOfNewKeys = Mutex<Set<String>>([])
    private let loop: AgentLoop
    private let lastActivity = Atomic<Int64>(0)
    private let wasUnlocked = Atomic(false)
    private let watch = Mutex<(any LockWatch)?>(nil)
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
    let sshKeys: SSHKeyList
    /// Uses keys on smart cards.
    let cards: CardKeys
    /// Tells the user of signatures without a prompt.
    let notices: SSHNotices
    /// The path at which SSH clients connect; nil if the agent cannot listen there.
    private let sshPath = Mutex<String?>(nil)
    var sshSocket: String? { sshPath.withLock { $0 } }
    /// Serves the vault to programs of the desktop.
    let desktop: DesktopService
    /// Checks the passwords of logins.
    let logins: LoginPasswords
    /// Ends the former login password in time.
    private let formerPasscode: FormerPasscodeWatch
    /// Puts into effect what a check of the settings has shown.
    private let following: Worker

    /// The first message to every client.
    private let firstGreeting: WireObject
    /// The first message to a client. It names the pinentry and the place of prompts, because the vault may be locked.
    var greeting: WireObject {
        var head = firstGreeting
        let settings = settings
        if let pinentry = settings.pinentry { head["pinentry"] = .string(pinentry) }
        if let prompt = settings.prompt { head["prompt"] = .string(prompt) }
        return head
    }

    private init(
        _ keychain: Keychain, _ place: AgentPlace, _ settings: ReadSettings, _ limits: ResourceLimits,
        _ options: Options, _ loop: AgentLoop, _ notices: FolderNotices
    ) throws(AgentError) {
        self.limits = limits
        clients = Clients(limit: limits.clients)
        self.keychain = keychain
        self.place = place
        currentSettings = Mutex(settings)
        toldLock = options.locksAfter
        let kept = try KeptContexts { Instant(milliseconds: AgentLoop.now) }
        self.kept = kept
        self.loop = loop
        sshKeys = SSHKeyList(place)
        cards = try CardKeys()
        self.notices = try SSHNotices()
        recording = try LockRecorder(keychain)
        sensorLook = try SensorLook(keychain)
        let folders = try FolderKeeper(
            keychain, as: Requester(Peer.thisProcess.text, groups: [Self.group]), dropsIn: place.vault + "/drops",
            telling: notices)
        self.folders = folders
        let desktop = DesktopService(
            keychain, group: Self.group, service: Visit.service, budget, kept, now: { AgentLoop.now })
        self.desktop = desktop
        let formerPasscode = FormerPasscodeWatch { try keychain.formerPasscodeRemains }
        self.formerPasscode = formerPasscode
        let settling = Settling()
        let following = try Worker.doing { settling.agent?.followSettings() }
        self.following = following
        let events = events
        logins = try LoginPasswords(keychain) { events.tell(.loginChecked) }
        looking = try Worker.doing {
            _ = try? keychain.device  // Reading the state applies what another program has changed.
            events.tell(.touched)
        }
        events.subscribe { kept.hear($0) }
        events.subscribe { folders.hear($0) }
        events.subscribe { desktop.hear($0) }
        events.subscribe { event in
            switch event {
            case .used:
                settling.agent?.followSettings()
                settling.agent?.followUnlock()
            case .loginChecked, .touched:
                formerPasscode.look()
                following.want()
                loop.wake()
            case .settings: loop.wake()
            case .locked, .closing: break
            }
        }
        keychain.whenItClosesItself { loop.stop() }
        firstGreeting = WireObject([
            "latchkey": .number("\(WireLimits.version)"), "vault": .string(place.vault),
            "process": .number("\(getpid())"),
        ])
        noteActivity()
        formerPasscode.look()
        settling.hold(self)
        followSettings()
    }

    /// Returns the notices for all agents that have their sockets in the same folder.
    private static func notices(_ place: AgentPlace) -> FolderNotices {
        // Without a folder for this login, the socket is in the vault, and no other agent looks there.
        if place.socketFolder == place.vault { return FolderNotices(in: nil) }
        let isPrivate = (try? SocketFiles.make(folder: place.socketFolder)) != nil
        return FolderNotices(in: isPrivate ? place.socketFolder : nil)
    }

    /// Closes the process to other programs, opens the vault, and answers requests until a client or a signal ends the
    /// agent. When this returns, all files are closed and all keys are wiped.
    package static func run(at place: AgentPlace, _ options: Options) throws(AgentError) {
        try Hardening.apply()
        let limits = try ResourceLimits()
        Descriptors.closeInherited(
            but: options.sockets + options.sshSockets + [AgentStart.descriptor].compactMap { $0 })
        do throws(VaultError) { try Vault.requireWritable(folder: place.vault) } catch {
            throw AgentError(KeychainError.vault(error))
        }
        // Check first: leave nothing in a folder without a vault.
        guard access(place.vault + "/vault.db", F_OK) == 0 else {
            throw AgentError(.vault, "there is no vault at \(place.vault): create one with `latchkey init`")
        }
        let lock = try AgentLock(place)
        let loop = try AgentLoop(watching: place.vault)
        let (keychain, settings) = try ReadSettings.opened(place)
        let notices = Self.notices(place)
        loop.listen(to: notices)
        let agent = try Agent(keychain, place, settings, limits, options, loop, notices)
        defer { agent.end(options) }
        agent.startDesktop()
        var sockets = options.sockets
        var made: SocketFiles.Identity?
        if sockets.isEmpty {
            try SocketFiles.make(folder: place.socketFolder)
            sockets = [try SocketFiles.listen(at: place.socket)]
            made = SocketFiles.Identity(place.socket)
        }
        var sshSockets = options.sshSockets
        var madeForSSH: SocketFiles.Identity?
        // Without this socket the agent serves everyone but SSH clients.
        if sshSockets.isEmpty, let socket = try? openSSHSocket(place) {
            sshSockets = [socket]
            madeForSSH = SocketFiles.Identity(place.sshSocket)
        }
        for socket in sockets + sshSockets { _ = fcntl(socket, F_SETFL, O_NONBLOCK) }
        defer { for socket in sockets + sshSockets { close(socket) } }
        agent.sshPath.withLock { path in path = sshSockets.first.map { SocketFiles.path(of: $0) ?? place.sshSocket } }
        try lock.say(SocketFiles.path(of: sockets[0]) ?? place.socket)
        agent.watch.withLock {
            $0 = options.watch?({
                agent.lock()
                // The machine waits with its sleep until the folders are locked as well, or the time is over.
                agent.folders.lock()
            })
        }
        options.whenReady()
        let ssh = SSHServer(agent)
        agent.serve(sockets, ssh, sshSockets, as: lock)
        ssh.endAll()
        if let madeForSSH { SocketFiles.remove(place.sshSocket, of: madeForSSH) }
        if let made { SocketFiles.remove(place.socket, of: made) }
    }

    private static func openSSHSocket(_ place: AgentPlace) throws(AgentError) -> Int32 {
        let folder = place.sshSocket.lastIndex(of: "/").map { String(place.sshSocket[..<$0]) } ?? ""
        try SocketFiles.make(folder: folder)
        return try SocketFiles.listen(at: place.sshSocket)
    }

    /// The settings of the vault that are in effect: those that the owner chose, once a passcode has shown that these are
    /// the ones, and strict ones until then.
    var settings: VaultSettings {
        let read = currentSettings.withLock { $0 }
        return read.isValid && keychain.hasChecked(read.bytes) ? read.settings : read.settings.strictest
    }

    /// The settings as they are in the vault, checked or not.
    var storedSettings: VaultSettings { currentSettings.withLock { $0.settings } }

    /// Puts settings into effect that were changed, except for the authenticators, which the agent uses until it ends.
    private func apply(_ settings: VaultSettings) {
        currentSettings.withLock { $0 = ReadSettings(settings, for: place) }
        events.tell(.settings(settings))
    }

    /// Puts into effect what a check of the settings has shown. If the owner's are others than the agent has read, it ends:
    /// it may have a sensor and a PAM service that the owner did not choose. It also ends if another program has changed the
    /// root, because it may have seen a vault that is not its owner's.
    func followSettings() {
        if keychain.hasOtherRoot { return loop.stop() }
        let isOther = changing.withLockIfAvailable { _ in
            keychain.hasCheckedSettings && !keychain.hasChecked(currentSettings.withLock { $0.bytes })
        }
        if isOther == true { return loop.stop() }
        let settings = settings
        kept.reuse = settings.reuseLimit
        guard keychain.hasCheckedSettings, !hasSettled.exchange(true, ordering: .relaxed) else { return }
        sensorLook.begin()
        // If this fails, secrets that were deleted too long ago stay until the next deletion.
        try? keychain.forgetRemoved(beyond: settings.historyLimit)
    }

    /// Has the loop look when the vault locks itself, if it was unlocked since the last call.
    private func followUnlock() {
        let isUnlocked = keychain.isUnlocked
        if wasUnlocked.exchange(isUnlocked, ordering: .relaxed) != isUnlocked { loop.wake() }
    }

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

    /// The number of seconds without a request after which the vault locks itself; nil if it does not.
    var locksAfter: Int? {
        let wanted = toldLock.map { $0 > 0 ? $0 : nil } ?? settings.locksAfter
        return wanted.map { min($0, VaultSettings.longestLock) }
    }

    /// The reason why the vault would not be locked before the machine sleeps; nil if it would.
    var sleepTrouble: String? { watch.withLock { $0.map(\.trouble) ?? "the agent was started without a watch for it" } }

    /// Ends the agent. The keys are wiped first; a request that holds the vault for too long ends with the process.
    private func end(_ options: Options) {
        keychain.seal()
        watch.withLock { $0 = nil }
        options.whenEnding()
        events.tell(.closing)
        waitForAnswers()
        clients.endAll()
        if let lost = closeVault() { options.whenLosing(lost) }
    }

    /// Waits until requests under way are answered. Without keys they end at once, unless a prompt is open.
    private func waitForAnswers() {
        for _ in 0..<Self.patienceForAnswers where answering.load(ordering: .relaxed) > 0 { usleep(1000) }
    }

    /// The time that requests under way get to be answered, in milliseconds.
    private static let patienceForAnswers = 500

    /// Wipes the keys, writes the last records and closes the files. Returns the records that the audit log lacks then;
    /// nil if there are none.
    func closeVault() -> LostRecords? {
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

    /// Locks the vault at once. Another thread records it.
    private func lock() {
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

    /// Starts to serve programs of the desktop, if the settings say so.
    private func startDesktop() {
        desktop.start(
            storedSettings[.secretService].flag,
            DesktopService.Host(
                settings: { [weak self] in self?.settings ?? VaultSettings().strictest },
                approving: { [weak self] in self?.approvingUser(at: $0) },
                lock: { [weak self] in self?.lock() },
                noteCall: { [weak self] hasAuthenticated in
                    if hasAuthenticated { self?.noteActivity() }
                    self?.events.tell(.used(mayHaveChanged: false))
                }))
    }

    /// True once the vault has closed itself after an error. The agent cannot answer then.
    var hasFailed: Bool { keychain.hasClosedItself }

    /// Returns the error for a client: if the vault has closed itself, one that says so.
    func failure(_ error: AgentError) -> AgentError {
        guard error == AgentError(KeychainError.vault(.closed)) else { return error }
        return AgentError(.agent, "the agent ends, because it wiped all keys after an error: run the command again")
    }

    /// Ends the agent. Call this once the client that asked for it has its answer.
    func stop() { loop.stop() }

    /// Notes that a request of any kind begins.
    func beginAnswer() { answering.add(1, ordering: .relaxed) }

    /// Notes that the answer to a request is sent.
    func endAnswer() { answering.subtract(1, ordering: .relaxed) }

    /// Notes that a request uses the vault. The vault does not lock itself until the request is done.
    func beginWork() { underWay.add(1, ordering: .relaxed) }

    /// Notes that such a request is done, and restarts the time until the vault locks itself.
    func endWork() {
        noteActivity()
        underWay.subtract(1, ordering: .relaxed)
    }

    /// Restarts the time until the vault locks itself.
    func noteActivity() { lastActivity.store(AgentLoop.now, ordering: .relaxed) }

    // MARK: - The loop

    private func serve(
        _ sockets: [Int32], _ ssh: SSHServer, _ sshSockets: [Int32], as lock: borrowing AgentLock
    ) {
        while true {
            switch loop.wait(for: sockets + sshSockets, upTo: untilNextEnd()) {
            case .stopped: return
            case .changed:
                if !lock.isInPlace { return }
                looking.want()
            case .keyTaken: folders.want()
            case .time: break
            case .connecting(let socket):
                guard let client = Self.accepted(from: socket) else { break }
                if sshSockets.contains(socket) { ssh.admit(client) } else { admit(client) }
            }
            lockWhenIdle()
            if formerPasscode.takeTurn() { looking.want() }
            if hasFailed { return }
        }
    }

    /// Returns the milliseconds until the vault locks itself; nil if it does not.
    private func untilLock() -> Int64? {
        guard let locksAfter, keychain.isUnlocked else { return nil }
        if underWay.load(ordering: .relaxed) > 0 { return Int64(locksAfter) * 1000 }
        return max(0, lastActivity.load(ordering: .relaxed) + Int64(locksAfter) * 1000 - AgentLoop.now)
    }

    /// Returns the milliseconds until the vault locks itself, or the former passcode may be over; nil if neither will be.
    private func untilNextEnd() -> Int64? {
        [untilLock(), formerPasscode.untilLook].compactMap { $0 }.min()
    }

    private func lockWhenIdle() {
        if untilLock() == 0 { lock() }
    }

    private static func accepted(from listening: Int32) -> Int32? {
        let socket = accept(listening, nil, nil)
        guard socket >= 0 else {
            // Out of descriptors or memory, poll would report the same client again at once.
            if [EMFILE, ENFILE, ENOMEM, ENOBUFS].contains(errno) { usleep(10_000) }
            return nil
        }
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        return socket
    }

    private func admit(_ socket: Int32) {
        guard let peer = Peer(of: socket), peer.user == geteuid() else {
            close(socket)
            return
        }
        admit(SocketConnection(self, socket, peer))
    }

    /// Serves a client on a thread of its own, unless there are too many.
    private func admit(_ connection: SocketConnection) {
        guard clients.admit(connection) else {
            try? connection.tell(AgentError(.agent, "the agent serves too many clients: try again in a moment"))
            return
        }
        let isStarted = Supervisor.detach { [clients] in
            connection.serve()
            clients.leave(connection)
        }
        if !isStarted { clients.leave(connection) }
    }
}
