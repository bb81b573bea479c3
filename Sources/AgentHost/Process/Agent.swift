package import AgentProtocol
internal import Glibc
internal import LinuxSystem
internal import PlainText
package import Prompts
package import SecretService
internal import SodiumKit
internal import Synchronization
internal import VaultService

/// A watch for events that lock a vault, such as the machine going to sleep. It lasts as long as the object.
package protocol LockWatch: AnyObject, Sendable {
    /// The reason why it cannot see such events now; nil if it can.
    var trouble: String? { get }
}

/// The process that holds the keys of one vault while it is unlocked, with the doors by which requests come.
///
/// No client can claim that its user authenticated: the client sends what was typed or touched, and the service checks it.
package final class Agent: ServiceHost {
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

    let service: VaultService
    let limits: ResourceLimits
    private let clients: Clients
    private let loop: AgentLoop
    private let watch = Mutex<(any LockWatch)?>(nil)
    /// The path at which SSH clients connect, or the reason why the agent cannot listen there.
    private let sshPlace = Mutex<Result<String, AgentError>?>(nil)
    /// Serves the vault to programs of the desktop.
    private let desktop: DesktopService
    /// Tells the user of signatures without a prompt.
    let notices: SSHNotices

    /// The first message to every client.
    private let firstGreeting: WireObject
    /// The first message to a client. It names the pinentry and the place of prompts, because the vault may be locked.
    var greeting: WireObject {
        var head = firstGreeting
        let settings = service.settings
        if let pinentry = settings.pinentry { head["pinentry"] = .string(pinentry) }
        if let prompt = settings.prompt { head["prompt"] = .string(prompt) }
        return head
    }

    private init(_ service: VaultService, _ limits: ResourceLimits, _ loop: AgentLoop) throws(AgentError) {
        (self.service, self.limits, self.loop) = (service, limits, loop)
        clients = Clients(limit: limits.clients)
        notices = try SSHNotices()
        let desktop = DesktopService(service)
        self.desktop = desktop
        service.events.subscribe { desktop.hear($0) }
        firstGreeting = WireObject([
            "latchkey": .number("\(WireLimits.version)"), "vault": .string(service.place.vault),
            "process": .number("\(getpid())"),
        ])
        service.serve(in: self)
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
        try VaultService.require(at: place)
        let lock = try AgentLock(place)
        let loop = try AgentLoop(watching: place.vault)
        let notices = Self.notices(place)
        loop.listen(to: notices)
        let service = try VaultService(opening: place, locksAfter: options.locksAfter, notices)
        let agent = try Agent(service, limits, loop)
        defer { agent.end(options) }
        agent.desktop.start()
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
        if sshSockets.isEmpty {
            do throws(AgentError) {
                sshSockets = [try openSSHSocket(place)]
                madeForSSH = SocketFiles.Identity(place.sshSocket)
            } catch { agent.sshPlace.withLock { $0 = .failure(error) } }
        }
        for socket in sockets + sshSockets { _ = fcntl(socket, F_SETFL, O_NONBLOCK) }
        defer { for socket in sockets + sshSockets { close(socket) } }
        if let socket = sshSockets.first {
            agent.sshPlace.withLock { $0 = .success(SocketFiles.path(of: socket) ?? place.sshSocket) }
        }
        try lock.say(SocketFiles.path(of: sockets[0]) ?? place.socket)
        agent.watch.withLock {
            $0 = options.watch?({
                service.lock()
                // The machine waits with its sleep until the folders are locked as well, or the time is over.
                service.waitForLockedFolders()
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

    /// Ends the agent. The keys are wiped first; a request that holds the vault for too long ends with the process.
    private func end(_ options: Options) {
        service.seal()
        watch.withLock { $0 = nil }
        options.whenEnding()
        service.endParts()
        clients.endAll()
        if let lost = service.closeVault() { options.whenLosing(lost) }
    }

    // MARK: - The host of the service

    package var sleepTrouble: String? {
        watch.withLock { $0.map(\.trouble) ?? "the agent was started without a watch for it" }
    }

    package var limitTroubles: [String] { limits.troubles }

    package var sshSocket: String? { sshPlace.withLock { try? $0?.get() } }

    package var sshTrouble: String? {
        sshPlace.withLock { if case .failure(let error) = $0 { error.message } else { nil } }
    }

    package var busState: (word: String, owner: Int32?, trouble: String?) { desktop.state }

    /// Returns the user at a pinentry on the display of the calling process, or else at its terminal, or else at one that
    /// `latchkey approve` offers.
    package func user(for caller: SecretCaller) -> (any DeviceUser)? {
        service.settings.user(at: caller.process) ?? service.approvingUser(at: caller.process)
    }

    package func stop() { loop.stop() }

    package func wake() { loop.wake() }

    // MARK: - The loop

    private func serve(
        _ sockets: [Int32], _ ssh: SSHServer, _ sshSockets: [Int32], as lock: borrowing AgentLock
    ) {
        while true {
            switch loop.wait(for: sockets + sshSockets, upTo: service.untilNextEnd) {
            case .stopped: return
            case .changed:
                if !lock.isInPlace { return }
                service.noteTouched()
            case .keyTaken: service.noteTakenKey()
            case .time: break
            case .connecting(let socket):
                guard let client = Self.accepted(from: socket) else { break }
                if sshSockets.contains(socket) { ssh.admit(client) } else { admit(client) }
            }
            service.followTime()
            if service.hasFailed { return }
        }
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
