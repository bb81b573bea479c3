internal import DeviceModel
internal import Glibc
internal import Latchkey
internal import LinuxSystem
internal import PlainText
internal import SecretVault
internal import Synchronization
internal import UserPresence

/// Whoever watches for what should lock a vault, such as that the machine is about to sleep, as long as it is held.
package protocol LockWatch: AnyObject, Sendable {
    /// Why it does not see that now; nil where it does.
    var trouble: String? { get }
}

/// The process that holds the keys of one vault while it is unlocked, and answers for it.
///
/// It decides itself, and believes no client that somebody has authenticated: what is typed or touched at a client's terminal
/// comes here and is checked here.
package final class Agent: Sendable {
    /// How an agent is started.
    package struct Options: Sendable {
        /// After how many seconds without a request the vault is locked, where that is not what its settings say.
        package var locksAfter: Int?
        /// Sockets that somebody listens on already for it.
        package var sockets: [Int32] = []
        /// Is called once requests are answered.
        package var whenReady: @Sendable () -> Void = {}
        /// Is called when it is to end.
        package var whenEnding: @Sendable () -> Void = {}
        /// Is called if the audit log lacks the last records, with what a person reads.
        package var whenLosing: @Sendable (LostRecords) -> Void = { _ in }
        /// Given a way to lock the vault, watches for what should lock it; without it nobody does.
        package var watch: (@Sendable (_ lock: @escaping @Sendable () -> Void) -> any LockWatch)?

        package init() {}
    }

    /// Whose items the agent's are.
    static let group = "latchkey"

    let keychain: Keychain
    let place: AgentPlace
    let settings: VaultSettings
    let limits: ResourceLimits
    let clients: Clients
    let budget = SecretBudget(large: WireLimits.secretsUnderWay)
    let locksAfter: Int?
    private let loop: AgentLoop
    private let lastActivity = Atomic<Int64>(0)
    private let watch = Mutex<(any LockWatch)?>(nil)
    private let underWay = Atomic(0)
    /// Requests under way, until their answers are sent.
    private let answering = Atomic(0)
    /// Takes in what another program has changed.
    private let looking: Chore
    /// Records a lock.
    private let recording: Chore

    /// What every client is told first.
    let greeting: Head

    private init(
        _ keychain: Keychain, _ place: AgentPlace, _ settings: VaultSettings, _ limits: ResourceLimits,
        _ options: Options, _ loop: AgentLoop
    ) throws(AgentError) {
        self.limits = limits
        clients = Clients(limit: limits.clients)
        self.keychain = keychain
        self.place = place
        self.settings = settings
        self.loop = loop
        looking = try Chore {
            _ = try? keychain.device  // this takes in what another program has destroyed
        }
        recording = try Chore { _ = try? keychain.finishLock() }
        keychain.whenItClosesItself { loop.stop() }
        let wanted = options.locksAfter.map { $0 > 0 ? $0 : nil } ?? settings.locksAfter
        locksAfter = wanted.map { min($0, VaultSettings.longestLock) }
        greeting = Head([
            "latchkey": .number("\(WireLimits.version)"), "vault": .string(place.vault),
            "process": .number("\(getpid())"), "knows": .array(WireLimits.additions.map { .string($0) }),
        ])
        noteActivity()
    }

    /// Shuts the process off from others, opens the vault, and answers requests until it is told to stop or a signal ends it.
    /// Nothing is left open or unwiped when it comes back.
    package static func run(at place: AgentPlace, _ options: Options) throws(AgentError) {
        try Hardening.apply()
        let limits = try ResourceLimits()
        Descriptors.closeInherited(but: options.sockets + [AgentStart.descriptor].compactMap { $0 })
        do throws(VaultError) { try Vault.requireWritable(folder: place.vault) } catch {
            throw AgentError(KeychainError.vault(error))
        }
        // Nothing is left in a folder that is no vault's.
        guard access(place.vault + "/vault.db", F_OK) == 0 else {
            throw AgentError(.vault, "there is no vault at \(place.vault): latchkey init makes one")
        }
        let lock = try AgentLock(place)
        let loop = try AgentLoop(watching: place.vault)
        let settings = try VaultSettings(of: place)
        let keychain = try opened(place, settings)
        let agent = try Agent(keychain, place, settings, limits, options, loop)
        defer { agent.end(options) }
        var sockets = options.sockets
        var made: SocketFiles.Identity?
        if sockets.isEmpty {
            try SocketFiles.make(folder: place.socketFolder)
            sockets = [try SocketFiles.listen(at: place.socket)]
            made = SocketFiles.Identity(place.socket)
        }
        for socket in sockets { _ = fcntl(socket, F_SETFL, O_NONBLOCK) }
        defer { for socket in sockets { close(socket) } }
        try lock.say(SocketFiles.path(of: sockets[0]) ?? place.socket)
        agent.watch.withLock { $0 = options.watch?({ agent.lock() }) }
        options.whenReady()
        agent.serve(sockets, as: lock)
        if let made { SocketFiles.remove(place.socket, of: made) }
    }

    /// The keychain of the vault, with the authenticators that its settings name.
    private static func opened(_ place: AgentPlace, _ settings: VaultSettings) throws(AgentError) -> Keychain {
        do throws(KeychainError) {
            return try Keychain.open(
                at: place.vault, authenticator: settings.authenticator, command: settings.sensor)
        } catch { throw AgentError(error) }
    }

    /// Why the vault would not be locked when the machine goes to sleep; nil where it would.
    var sleepTrouble: String? { watch.withLock { $0.map(\.trouble) ?? "nobody watches for it" } }

    /// Wipes the keys before anything else. A request that still holds the vault after this time ends with the process.
    private func end(_ options: Options) {
        keychain.seal()
        watch.withLock { $0 = nil }
        options.whenEnding()
        waitForAnswers()
        clients.endAll()
        if let lost = closeVault() { options.whenLosing(lost) }
    }

    /// Lets requests that are under way say how they ended. Without keys they end at once, unless a user still has a prompt.
    private func waitForAnswers() {
        for _ in 0..<Self.patienceForAnswers where answering.load(ordering: .relaxed) > 0 { usleep(1000) }
    }

    /// The time that requests under way get to answer, in milliseconds.
    private static let patienceForAnswers = 500

    /// Wipes the keys, writes the last records and closes the files. Returns what the audit log lacks then; nil if nothing.
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

    /// The time a vault gets to write its last record and close its files, in milliseconds.
    private static let patienceAtEnd = 1500

    /// Locks the vault at once; another thread records it.
    private func lock() {
        if (try? keychain.lockAtOnce()) != nil { recording.want() }
    }

    /// True once the vault has closed itself after an error. The agent can answer nothing then.
    var hasFailed: Bool { keychain.hasClosedItself }

    /// Returns the error to send to a client once the vault has closed itself.
    func failure(_ error: AgentError) -> AgentError {
        guard error == AgentError(KeychainError.vault(.closed)) else { return error }
        return AgentError(.agent, "the agent wiped all keys after an error and ends: run the command again")
    }

    /// Ends the agent, once whoever asked for it has been told.
    func stop() { loop.stop() }

    /// Begins a request of any kind.
    func beginAnswer() { answering.add(1, ordering: .relaxed) }

    /// Ends a request, whose answer is sent.
    func endAnswer() { answering.subtract(1, ordering: .relaxed) }

    /// Somebody asked for something: until it is done the vault does not lock itself.
    func beginWork() { underWay.add(1, ordering: .relaxed) }

    /// It is done: the time until the vault locks itself begins anew.
    func endWork() {
        noteActivity()
        underWay.subtract(1, ordering: .relaxed)
    }

    private func noteActivity() { lastActivity.store(AgentLoop.now, ordering: .relaxed) }

    // MARK: - The loop

    private func serve(_ sockets: [Int32], as lock: borrowing AgentLock) {
        while true {
            switch loop.wait(for: sockets, upTo: untilLock()) {
            case .stopped: return
            case .changed:
                if !lock.isInPlace { return }
                looking.want()
            case .time: break
            case .connecting(let socket): admit(from: socket)
            }
            lockWhenIdle()
            if hasFailed { return }
        }
    }

    /// How many milliseconds are left until the vault locks itself; nil where it does not.
    private func untilLock() -> Int64? {
        guard let locksAfter, keychain.isUnlocked else { return nil }
        if underWay.load(ordering: .relaxed) > 0 { return Int64(locksAfter) * 1000 }
        return max(0, lastActivity.load(ordering: .relaxed) + Int64(locksAfter) * 1000 - AgentLoop.now)
    }

    private func lockWhenIdle() {
        if untilLock() == 0 { lock() }
    }

    private func admit(from listening: Int32) {
        let socket = accept(listening, nil, nil)
        guard socket >= 0 else {
            // Whoever is left waiting for want of descriptors would be offered again at once.
            if [EMFILE, ENFILE, ENOMEM, ENOBUFS].contains(errno) { usleep(10_000) }
            return
        }
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        guard let peer = Peer(of: socket), peer.user == geteuid() else {
            close(socket)
            return
        }
        let session = Session(self, socket, peer)
        guard clients.admit(session) else {
            try? session.tell(AgentError(.agent, "the agent serves as many as it can: try again in a moment"))
            return
        }
        let isStarted = Supervisor.detach { [clients] in
            session.serve()
            clients.leave(session)
        }
        if !isStarted { clients.leave(session) }
    }
}

extension VaultSettings {
    /// Who has a say in the passcode besides the keys.
    var authenticator: PAMAuthenticator? { pam.map { PAMAuthenticator(service: $0.service, folder: $0.folder) } }
}

extension Keychain {
    /// Opens a vault with the sensor that it was made with: a fake one, this command, or none.
    fileprivate static func open(
        at path: String, authenticator: PAMAuthenticator?, command: [String]?
    ) throws(KeychainError) -> Keychain {
        let probe = try open(at: path)
        let (kind, isFake) = (try probe.device.settings.sensor, probe.hasFakeSensor)
        probe.close()
        let sensor: SensorChoice
        if kind == .none {
            sensor = .none
        } else if isFake {
            sensor = .fake
        } else {
            sensor = command.map { .external(ExternalSensor(command: $0, kind: kind)) } ?? .none
        }
        // Every client may be asked at the same time.
        var patience = Patience()
        patience.prompts = 2 * WireLimits.clients
        return try open(at: path, authenticator: authenticator, sensor: sensor, patience: patience)
    }
}
