internal import Glibc
internal import LinuxSystem
internal import Synchronization
internal import UserPresence

/// The user of an SSH client, who answers at a pinentry. If the client ends, so does its request, and with it the prompt.
final class SSHUser: DeviceUser {
    private let pinentry: PinentryUser
    private let watch: HangupWatch
    private let secret: String
    private let reason: @Sendable () -> String
    private let asked = Atomic(false)
    /// True once the user was asked.
    var wasAsked: Bool { asked.load(ordering: .relaxed) }

    /// Creates the user. A prompt for a signature reads files of the user for its reason, so `reason` is called for each
    /// prompt, and for no signature without one. `secret` is the name of the key.
    init(
        _ pinentry: PinentryUser, _ watch: HangupWatch, signingWith secret: String,
        because reason: @escaping @Sendable () -> String
    ) {
        self.pinentry = pinentry
        self.watch = watch
        self.secret = secret
        self.reason = reason
    }

    /// Adds the reason and the name of the key to a prompt. The reason has words of the client, so it never stands for the
    /// name.
    func complete(_ content: inout PromptContent) {
        content.reason = reason()
        content.secret = secret
    }

    func answer(_ prompt: Prompt) -> Response {
        asked.store(true, ordering: .relaxed)
        watch.begin()
        return pinentry.answer(prompt)
    }

    func standBy(_ prompt: Prompt) {
        asked.store(true, ordering: .relaxed)
        watch.begin()
        pinentry.standBy(prompt)
    }
}

/// A thread that waits for the other end of a socket to close. It begins with the first prompt.
final class HangupWatch: Sendable {
    private let socket: Int32
    private let whenGone: @Sendable () -> Void
    private let state = Mutex<(pipe: Pipe?, done: Signal?)>((nil, nil))

    init(_ socket: Int32, _ whenGone: @escaping @Sendable () -> Void) {
        self.socket = socket
        self.whenGone = whenGone
    }

    /// Returns true if the other end of a socket is closed.
    static func isGone(_ socket: Int32) -> Bool {
        var waited = pollfd(fd: socket, events: 0, revents: 0)
        return poll(&waited, 1, 0) > 0 && waited.revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0
    }

    func begin() {
        state.withLock { state in
            guard state.pipe == nil, let pipe = try? Pipe() else { return }
            let done = Signal()
            let (socket, whenGone) = (socket, whenGone)
            let isStarted = Supervisor.detach {
                var waited = [
                    pollfd(fd: socket, events: 0, revents: 0),
                    pollfd(fd: pipe.reading, events: Int16(POLLIN), revents: 0),
                ]
                while poll(&waited, 2, -1) < 0 && errno == EINTR {}
                if waited[0].revents != 0 { whenGone() }
                done.give()
            }
            if isStarted { state = (pipe, done) } else { pipe.close() }
        }
    }

    /// Ends the thread. Call this before the socket is closed.
    func end() {
        let (pipe, done) = state.withLock { state in
            defer { state = (nil, nil) }
            return state
        }
        guard let pipe, let done else { return }
        var byte: UInt8 = 0
        _ = write(pipe.writing, &byte, 1)
        done.wait()
        pipe.close()
    }
}
