internal import AgentProtocol
internal import Glibc
internal import LinuxSystem
internal import VaultService

/// The events, besides requests, that an agent waits for: signals that end it, a call of `stop`, and changes of the
/// vault's files by other programs.
final class AgentLoop: Sendable {
    enum Event {
        case connecting(Int32)
        case changed
        /// Another agent of the user has taken the key of a folder.
        case keyTaken
        case time
        case stopped
    }

    private let signals: Int32
    private let changes: Int32
    private let takings: Int32
    private let stopping: Pipe
    private let waking: Pipe

    /// Creates the loop. From here on, signals that end the process wait for the loop, on this thread and on those that
    /// it starts.
    init(watching folder: String) throws(AgentError) {
        let ending = SignalSet(Signals.ending)
        ending.hold()
        signal(SIGPIPE, SIG_IGN)
        do throws(SystemError) {
            signals = try ending.descriptor()
            changes = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
            guard changes >= 0 else { throw .last }
            takings = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
            guard takings >= 0 else { throw .last }
            stopping = try Pipe()
            waking = try Pipe()
            for end in [waking.reading, waking.writing] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        } catch {
            throw .system("the agent's loop", error.code)
        }
        // Every commit that destroys something writes to the file of the device first.
        watch(folder + "/device", for: IN_MODIFY | IN_ATTRIB | IN_MOVE_SELF, by: changes)
        // An agent ends if its vault is moved away or deleted.
        watch(folder, for: IN_MOVE_SELF | IN_DELETE_SELF, by: changes)
    }

    /// Reports what other agents of the user tell from now on.
    func listen(to notices: FolderNotices) {
        if let path = notices.path { watch(path, for: IN_MODIFY, by: takings) }
    }

    deinit {
        for descriptor in [
            signals, changes, takings, stopping.reading, stopping.writing, waking.reading, waking.writing,
        ] {
            close(descriptor)
        }
    }

    /// The milliseconds of a clock that also counts while the machine sleeps.
    static var now: Int64 { SystemClock.sinceBoot.milliseconds }

    /// Makes `wait` report that the agent is stopped. Any thread may call this.
    func stop() {
        var byte: UInt8 = 0
        _ = write(stopping.writing, &byte, 1)
    }

    /// Makes `wait` return, so that its caller looks at the time again. Any thread may call this.
    func wake() {
        var byte: UInt8 = 0
        _ = write(waking.writing, &byte, 1)
    }

    /// Waits for the next event for up to `milliseconds`; without a limit if that is nil.
    func wait(for sockets: [Int32], upTo milliseconds: Int64?) -> Event {
        var waited = ([signals, stopping.reading, changes, waking.reading, takings] + sockets).map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        // The clock of poll stops while the machine sleeps, so never wait long by it.
        let patience = milliseconds.map { Int32(min($0, 30_000)) } ?? -1
        guard poll(&waited, nfds_t(waited.count), patience) > 0 else { return .time }
        if waited[0].revents != 0 || waited[1].revents != 0 { return .stopped }
        if waited[2].revents != 0 {
            Self.drain(changes)
            return .changed
        }
        if waited[3].revents != 0 {
            var bytes = [UInt8](repeating: 0, count: 64)
            while read(waking.reading, &bytes, bytes.count) > 0 {}
            return .time
        }
        if waited[4].revents != 0 {
            Self.drain(takings)
            return .keyTaken
        }
        return waited.dropFirst(5).first { $0.revents != 0 }.map { .connecting($0.fd) } ?? .time
    }

    private static func drain(_ descriptor: Int32) {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while read(descriptor, &bytes, bytes.count) > 0 {}
    }
}
