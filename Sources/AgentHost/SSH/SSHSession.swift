internal import AccessPolicy
internal import AgentProtocol
internal import Glibc
internal import KeyKit
internal import LinuxSystem
internal import PlainText
internal import Prompts
internal import SSHProtocol
internal import SodiumKit
internal import Synchronization
internal import VaultService

/// One SSH client, from the moment it connects until it is gone.
///
/// Each signature is a visit of its own, ``SSHVisit``.
final class SSHSession: Sendable {
    let caller: SSHCaller
    private let began = AgentLoop.now
    let server: SSHServer
    let socket: Int32
    /// Held while the socket is shut down or closed.
    private let isClosed = Mutex(false)
    private let activity = Atomic(SSHPlace.Activity.none.rawValue)

    /// The signatures that are made one after the other.
    struct Line: Hashable, Sendable {
        var blob: [UInt8]
        /// The session or unit of the caller; nil for a caller of its own.
        var holder: Holder?
        /// The caller, where there is no holder.
        var process: Int32
    }

    /// The place of the client among all.
    var place: SSHPlace {
        SSHPlace(
            SSHPlace.Activity(rawValue: activity.load(ordering: .relaxed)) ?? .working, process: caller.peer.process,
            began: began)
    }

    private func note(_ activity: SSHPlace.Activity) { self.activity.store(activity.rawValue, ordering: .relaxed) }

    init(_ server: SSHServer, _ socket: Int32, _ caller: SSHCaller) {
        self.server = server
        self.socket = socket
        self.caller = caller
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        // A client that does not read its answers holds up nothing but itself, and not for long.
        var patience = timeval(tv_sec: Int(WireLimits.patience) / 1000, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Makes the thread that serves the client return.
    func end() {
        isClosed.withLock { if !$0 { shutdown(socket, Int32(SHUT_RDWR)) } }
    }

    func close() {
        isClosed.withLock { isClosed in
            if !isClosed { Glibc.close(socket) }
            isClosed = true
        }
    }

    /// Answers requests until the client is gone.
    func serve() {
        var route = SSHRoute()
        while let message = receive() {
            note(.working)
            let answer = SSHAgentRequest(message).map { self.answer($0, &route) } ?? .failure
            let isSent = answer.bytes.withUnsafeBytes { bytes in send(bytes) }
            note(.none)
            if !isSent { return }
        }
    }

    private func send(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let count = Glibc.send(socket, part.baseAddress, part.count, Int32(MSG_NOSIGNAL))
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    // MARK: - Reading

    /// Returns the next message without its length. A message with a secret body is only its number; nothing keeps the
    /// rest. Returns nil if the client is gone or sends what is no message.
    private func receive() -> [UInt8]? {
        var waited = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        while poll(&waited, 1, -1) < 0 { guard errno == EINTR else { return nil } }
        // From the first byte on, the message has to come in time.
        let deadline = Deadline(WireLimits.patience)
        // A message without a number has no byte to wait for.
        guard let head = read(4, by: deadline) else { return nil }
        var reader = SSHReader(head)
        guard let count = reader.number(), (1...SSHAgentRequest.longest).contains(Int(count)),
            let number = read(1, by: deadline)?.first
        else { return nil }
        let rest = Int(count) - 1
        if SSHAgentRequest.Number.isSecret(number) { return discard(rest, by: deadline) ? [number] : nil }
        return read(rest, by: deadline).map { [number] + $0 }
    }

    private func read(_ count: Int, by deadline: Deadline) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var place = 0
        while place < count {
            let got = bytes.withUnsafeMutableBytes {
                receive(UnsafeMutableRawBufferPointer(rebasing: $0[place...]), by: deadline)
            }
            guard got > 0 else { return nil }
            place += got
        }
        return bytes
    }

    /// Reads bytes into guarded memory, and wipes them.
    private func discard(_ count: Int, by deadline: Deadline) -> Bool {
        guard var scratch = try? SecureBytes(count: 1024) else { return false }
        var left = count
        while left > 0 {
            let most = min(left, 1024)
            let got = scratch.withMutableBytes {
                receive(UnsafeMutableRawBufferPointer(rebasing: $0[..<most]), by: deadline)
            }
            guard got > 0 else { return false }
            left -= got
        }
        return true
    }

    private func receive(_ target: UnsafeMutableRawBufferPointer, by deadline: Deadline) -> Int {
        while true {
            var waited = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            let ready = poll(&waited, 1, deadline.left)
            if ready < 0 && errno == EINTR { continue }
            guard ready > 0 else { return 0 }
            let count = recv(socket, target.baseAddress, target.count, 0)
            if count < 0 && errno == EINTR { continue }
            return count
        }
    }

    // MARK: - Answering

    private func answer(_ request: SSHAgentRequest, _ route: inout SSHRoute) -> SSHAgentAnswer {
        switch request {
        case .list:
            let keys = server.service.sshKeys.all.filter { route.permitsListing($0.destinations) }
            return .keys(keys.map { ($0.blob, Terminal.line($0.entry.comment, longest: 200)) })
        case .sign(let blob, let data, let flags): return sign(blob, data, flags, route)
        case .bind(let binding): return route.add(binding) ? .success : .failure
        case .query: return .extensions
        case .remove(let blob):
            // Only a program of this machine changes the list or locks the vault.
            guard route.isUnbound, (try? server.service.sshKeys.remove { $0.blob == blob }) == true else {
                return .failure
            }
            return .success
        case .lock:
            guard route.isUnbound else { return .failure }
            let visit = SSHVisit(self)
            defer { visit.end() }
            return (try? visit.perform(LockCall())) == nil ? .failure : .success
        case .removeAll, .add, .unlock, .unknown: return .failure
        }
    }

    /// The name of the client's program.
    var program: String {
        (caller.peer.client?.path ?? "").split(separator: "/").last.map(String.init) ?? "an SSH client"
    }

    private func sign(_ blob: [UInt8], _ bytes: [UInt8], _ flags: UInt32, _ route: SSHRoute) -> SSHAgentAnswer {
        guard let listed = SSHPublicKey(blob: blob).flatMap({ server.service.sshKeys.key($0.plain.blob) }),
            let scheme = SSHSignatureScheme(listed.key.key.type, flags: flags)
        else { return .failure }
        let data = SSHSignedData(bytes)
        guard isConsistent(data, blob, route), route.permitsSigning(data, with: blob, listed.destinations) else {
            return .failure
        }
        let process = caller.peer.process
        let mayBeForwarded = route.mayBeForwarded(data)
        let most = route.isForwarded ? SSHServer.mostForwarded : SSHServer.mostSignatures
        guard !mayBeForwarded || !server.limits.isSilent([process]), server.limits.begin([process], atMost: most) else {
            return .failure
        }
        defer { server.limits.end([process]) }
        // A factor that the user gives for a program on another host serves nothing else, and no other one serves it.
        let shares = !mayBeForwarded && data.allowsReuse
        let holder = shares ? caller.process?.read { Holder(of: $0) } : nil
        // Another host shows one prompt at a time, whatever the key.
        let line = Line(
            blob: mayBeForwarded ? [] : listed.blob, holder: holder, process: holder == nil ? process : 0)
        let command = SSHReason.command(of: process)
        let reason: @Sendable () -> String = { SSHReason(of: command).text(data, over: route) }
        var wasAsked = false
        note(.waiting)
        let outcome = server.queue.run(line) {
            HangupWatch.isGone(socket)
        } body: { () -> SSHQueue<Line>.Outcome in
            note(.working)
            // The client may have gone while others were asked.
            guard !HangupWatch.isGone(socket), !mayBeForwarded || !server.limits.isSilent([process]) else {
                return .refused
            }
            let pinentry = server.service.settings.user(at: process, onTerminal: !mayBeForwarded)
            // A program on another host has no terminal here that could say where to approve.
            let approving = pinentry != nil || mayBeForwarded ? nil : server.service.approvingUser(at: process)
            let place: (any DeviceUser)? = pinentry ?? approving
            let visit = SSHVisit(self, sharesAuthentications: shares, putsOffLock: !mayBeForwarded, promptsAt: place) {
                // The reason has words of the client, so it never stands for the name.
                ($0.reason, $0.secret) = (reason(), listed.entry.name)
            }
            defer {
                wasAsked = visit.wasAsked
                visit.end()
            }
            let outcome = make(scheme, listed, bytes, by: visit, because: reason)
            if case .done = outcome { approving?.end(nil) } else { approving?.end(.notGranted) }
            return outcome
        }
        if case .dismissed = outcome, mayBeForwarded { server.limits.noteDismissal([process]) }
        guard case .done(let signature) = outcome else { return .failure }
        let encoded = scheme.encode(signature)
        // The name may lead to another key by now, and no wrong signature leaves the agent.
        guard listed.key.verify(encoded, of: bytes) else { return .failure }
        if !wasAsked { tell(of: listed, because: reason) }
        return .signature(encoded)
    }

    /// Tells the user of a signature, or of one that failed.
    private func tell(of listed: SSHListedKey, because reason: @escaping @Sendable () -> String, failure: String? = nil)
    {
        guard server.service.settings[.notify].flag else { return }
        server.agent.notices.note(
            SSHNotices.Signature(key: listed.entry.name, failure: failure, program: program, reason: reason))
    }

    /// Returns the reason to tell the user why there is no signature; nil if the user knows it, or it is no trouble.
    private func failure(by error: AgentError, hasUser: Bool) -> String? {
        let isDelayed = error.rule == Rule.passcodeDelayed.identifier
        if error.kind == .unavailable || isDelayed { return error.message }
        guard !hasUser, [.noTerminal, .locked].contains(error.kind) else { return nil }
        return
            "no prompt could be shown, because there is no pinentry for a window or for your terminal: run `latchkey doctor`"
    }

    /// Returns false if a client contradicts itself, or if no prompt could say what the data is for.
    private func isConsistent(_ data: SSHSignedData, _ blob: [UInt8], _ route: SSHRoute) -> Bool {
        func isSame(_ one: [UInt8], _ other: SSHPublicKey?) -> Bool {
            guard let one = SSHPublicKey(blob: one)?.plain else { return false }
            return one == other
        }
        let key = SSHPublicKey(blob: blob)?.plain
        switch data {
        case .login(let login):
            guard isSame(login.key, key) else { return false }
            // The client has bound the connection to one host, and may log in to no other.
            guard let destination = route.destination else { return true }
            guard destination.session == login.session else { return false }
            return login.hostKey.map { isSame($0, destination.hostKey.plain) } ?? true
        case .file: return true
        // Another host gets logins, and signatures of files that say what they are for.
        case .certificate(let content): return !route.isForwarded && isSame(content.authority, key)
        case .other: return !route.isForwarded
        case .malformed: return false
        }
    }

    private func make(
        _ scheme: SSHSignatureScheme, _ listed: SSHListedKey, _ bytes: [UInt8], by visit: SSHVisit,
        because reason: @escaping @Sendable () -> String
    ) -> SSHQueue<Line>.Outcome {
        do {
            let call = try self.call(scheme, listed.entry.name, bytes)
            // A key that signs no digest gets the message itself.
            guard scheme.hash == nil else { return .done(try visit.perform(call).reply.signature) }
            return .done(try visit.perform(call, SecureBytes(copying: bytes.span.bytes)).reply.signature)
        } catch let error as AgentError {
            // The vault is open, and the key is gone: it was deleted elsewhere, or invalidated.
            if error.kind == .notFound, server.service.isUnlocked {
                _ = try? server.service.sshKeys.remove { $0.blob == listed.blob }
            }
            // The client hears only that there is no signature.
            if let failure = failure(by: error, hasUser: visit.mayAsk) {
                tell(of: listed, because: reason, failure: failure)
            }
            // A lock or the end of the program closes a prompt too. The user has dismissed nothing then.
            let closed = [Rule.sheetSystemCanceled, .sheetAppCanceled].map(\.identifier)
            if let rule = error.rule, closed.contains(rule) { return .refused }
            return error.kind == .dismissed || error.kind == .wrong ? .dismissed : .refused
        } catch { return .refused }
    }

    private func call(_ scheme: SSHSignatureScheme, _ name: String, _ bytes: [UInt8]) throws(KeyError) -> SignCall {
        let algorithm: SignatureAlgorithm =
            switch scheme {
            case .ecdsaP256: .ecdsaSHA256
            case .ecdsaP384: .ecdsaSHA384
            case .ecdsaP521: .ecdsaSHA512
            case .rsaSHA256: .rsaPKCS1SHA256
            case .rsaSHA512: .rsaPKCS1SHA512
            case .ed25519: .ed25519
            }
        let digest = try scheme.hash?.digest(of: bytes.span.bytes) ?? []
        return SignCall(name, digest: Hexadecimal.text(digest), algorithm, isRaw: true)
    }
}
