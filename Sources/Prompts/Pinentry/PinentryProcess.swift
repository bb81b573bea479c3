internal import Glibc
internal import LinuxSystem
internal import SodiumKit

/// The reason why a pinentry gave no answer.
enum PinentryError: Error {
    /// It cannot be used: it does not start, hangs, dies, or cannot show a prompt here.
    case unusable(String)
    /// The prompt ended first.
    case over
    /// The user dismissed the prompt, or did not answer it in time.
    case dismissed
    /// A signal for this process ends the prompt.
    case signaled(Int32)
    /// There is no guarded memory to read into.
    case noMemory(SodiumError)
}

/// One run of a pinentry, on one thread. It is ended with this value.
final class PinentryProcess {
    /// The answer of a pinentry to a command.
    enum Reply: Equatable {
        case done
        case failed(UInt32)
    }

    private let process: pid_t
    /// One end of a socket pair; the other is the pinentry's input and output. Writing to a dead process is then an
    /// error and no signal.
    private let socket: Int32
    let prompt: Prompt
    private let wake: Int32
    private let terminal: (descriptor: Int32, settings: termios)?
    private var buffer: SecureBytes
    private var filled = 0

    /// Starts the program at `path`. It gets this environment, its socket, and nothing else of this process.
    init(
        _ path: String, _ environment: [String], terminal: String?, for prompt: Prompt
    ) throws(PinentryError) {
        do { buffer = try SecureBytes(count: 2 * PinentryLine.longest) } catch { throw .noMemory(error) }
        self.prompt = prompt
        wake = prompt.wake
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw .unusable("no descriptors are left: close some files")
        }
        defer { close(ends[1]) }
        socket = ends[0]
        self.terminal = terminal.flatMap { Self.settings(of: $0) }
        var child = Child()
        (child.input, child.output, child.errors) = (.descriptor(ends[1]), .descriptor(ends[1]), .nothing)
        child.closesOthers = true
        child.company = .ownSession
        do { process = try child.start(path, [path], environment: environment) } catch {
            close(socket)
            if let terminal = self.terminal { close(terminal.descriptor) }
            throw .unusable("\(path) cannot be started: \(error)")
        }
    }

    deinit {
        close(socket)
        end()
        guard var terminal else { return }
        // A pinentry that was killed leaves its terminal as it was during the prompt.
        tcsetattr(terminal.descriptor, TCSANOW, &terminal.settings)
        close(terminal.descriptor)
    }

    private static func settings(of path: String) -> (Int32, termios)? {
        let descriptor = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else {
            close(descriptor)
            return nil
        }
        return (descriptor, settings)
    }

    /// Ends the pinentry and everything that it started, and collects it. The signal lets it restore its terminal first.
    private func end() {
        kill(-process, SIGTERM)
        for step in 0..<400 {
            let found = waitpid(process, nil, WNOHANG)
            if found == process || (found < 0 && errno != EINTR) {
                kill(-process, SIGKILL)
                return
            }
            if step == 200 { kill(-process, SIGKILL) }
            usleep(5000)
        }
        let process = process
        _ = Supervisor.detach { while waitpid(process, nil, 0) < 0 && errno == EINTR {} }
    }

    // MARK: - Talking

    /// Sends a command and returns the answer to it. Throws if there is none in this many milliseconds.
    func command(_ name: String, _ argument: String = "", within patience: Int32) throws(PinentryError) -> Reply {
        try send(PinentryLine.command(name, argument))
        let deadline = Deadline(patience)
        while true {
            switch try line(until: deadline, { PinentryLine($0) }) {
            case .done: return .done
            case .failed(let code): return .failed(code)
            case .remark: continue
            case .data, .malformed: throw Self.malformed
            }
        }
    }

    func greet(within patience: Int32) throws(PinentryError) {
        let deadline = Deadline(patience)
        while true {
            switch try line(until: deadline, { PinentryLine($0) }) {
            case .done: return
            case .remark: continue
            case .failed, .data, .malformed: throw Self.malformed
            }
        }
    }

    /// Asks the user to type something of at most `longest` bytes, and returns it.
    func pin(upTo longest: Int, within patience: Int32) throws(PinentryError) -> TypedLine {
        try send(PinentryLine.command("GETPIN"))
        let deadline = Deadline(patience)
        var typed: SecureBytes
        // One byte more, so that what is too long is seen.
        do { typed = try SecureBytes(count: longest + 1) } catch { throw .noMemory(error) }
        var (count, isWhole) = (0, true)
        while true {
            var decoded = PinentryLine.Decoded.whole(0)
            let line = try line(until: deadline) { bytes in
                let line = PinentryLine(bytes)
                if line == .data, isWhole {
                    decoded = typed.withMutableBytes {
                        PinentryLine.decode(bytes, into: UnsafeMutableRawBufferPointer(rebasing: $0[count...]))
                    }
                }
                return line
            }
            switch line {
            case .data:
                switch decoded {
                case .whole(let more): count += more
                case .tooLong: isWhole = false
                case .malformed: throw Self.malformed
                }
                if count > longest { isWhole = false }
            case .remark: continue
            case .done: return TypedLine(typed, count: isWhole ? count : 0, isWhole: isWhole)
            case .failed(let code): throw PinentrySession.error(code)
            case .malformed: throw Self.malformed
            }
        }
    }

    private static let malformed = PinentryError.unusable("it does not speak the protocol of pinentry")

    private func send(_ line: String) throws(PinentryError) {
        let bytes = Array((line + "\n").utf8)
        var rest = bytes[...]
        // The pinentry reads each line before it answers, so the socket always has room.
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
            }
            if sent < 0 {
                if errno == EINTR { continue }
                throw .unusable("it ended early")
            }
            rest = rest.dropFirst(sent)
        }
    }

    /// Lends the next line, without its end, to `body`, and wipes it.
    private func line<Value>(
        until deadline: Deadline, _ body: (UnsafeRawBufferPointer) -> Value
    ) throws(PinentryError) -> Value {
        while true {
            let filled = filled
            let length = buffer.withBytes { bytes in
                bytes.withUnsafeBytes { $0[..<filled].firstIndex(of: UInt8(ascii: "\n")) }
            }
            if let length {
                let value = buffer.withMutableBytes { bytes in
                    let value = body(UnsafeRawBufferPointer(rebasing: bytes[..<length]))
                    let rest = filled - length - 1
                    if rest > 0, let base = bytes.baseAddress { memmove(base, base + length + 1, rest) }
                    for place in rest..<filled { bytes[place] = 0 }
                    return value
                }
                self.filled = filled - length - 1
                return value
            }
            if filled > PinentryLine.longest { throw Self.malformed }
            try wait(until: deadline)
            let count = buffer.withMutableBytes { bytes in
                recv(socket, bytes.baseAddress.map { $0 + filled }, bytes.count - filled, Int32(MSG_DONTWAIT))
            }
            if count > 0 {
                self.filled += count
            } else if count == 0 || ![EINTR, EAGAIN].contains(errno) {
                throw .unusable("it ended early")
            }
        }
    }

    /// Waits until the pinentry has said something.
    private func wait(until deadline: Deadline) throws(PinentryError) {
        while true {
            var waited = (
                pollfd(fd: TerminalSignals.arrivals, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
                pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            )
            let left = deadline.left
            let count = withUnsafeMutableBytes(of: &waited) {
                // Without a descriptor that wakes it, poll has to look at the prompt's ending now and then.
                poll($0.assumingMemoryBound(to: pollfd.self).baseAddress, 3, wake < 0 ? min(left, 100) : left)
            }
            if count < 0 && errno != EINTR { throw .unusable("\(SystemError.last)") }
            // A stopped process goes on with its window.
            if let signal = TerminalSignals.next(), !TerminalSignals.isAskedAgain(after: signal) {
                throw .signaled(signal)
            }
            if prompt.ending != nil { throw .over }
            if count > 0, waited.2.revents != 0 { return }
            if deadline.left <= 1 { throw .unusable("it does not answer") }
        }
    }
}
