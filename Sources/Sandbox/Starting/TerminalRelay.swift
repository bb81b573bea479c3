internal import CSandbox
internal import Glibc
internal import LinuxSystem
internal import Synchronization

/// A terminal for the inside of a sandbox, which the owner's terminal shows.
///
/// A program that has a terminal reads what is typed there, such as a passcode, even by a descriptor for its output. It can also type
/// there itself. So the command never has the owner's.
final class TerminalRelay: Sendable {
    /// The terminal of the command.
    let inside: Int32
    /// True if the keys of the owner's terminal go to the command, which then is in control of its own.
    let hasKeys: Bool
    /// The other end of the terminal.
    private let outside: Int32
    /// The owner's terminal.
    private let owners: Int32
    private let isOver = Signal()
    private let isBegun = Atomic(false)
    /// True once the command's end is closed here.
    private let isClosed = Atomic(false)
    /// The settings of the owner's terminal before, while they are changed.
    private let former = Mutex<Settings?>(nil)

    /// Settings of a terminal, as the C library has them.
    private struct Settings: @unchecked Sendable {  // only the lock's holder has it
        let bytes: UnsafeMutableRawPointer
    }

    /// The milliseconds after which a new size of the window is seen at the latest.
    private static var glance: Int32 { 200 }

    /// Opens a terminal if the command would get the owner's as one of these descriptors; returns nil if not.
    init?(for descriptors: [Int32]) throws(SandboxError) {
        // Output goes where the command's would have gone.
        let terminals = descriptors.filter { isatty($0) == 1 }
        let order = [STDOUT_FILENO, STDERR_FILENO, STDIN_FILENO]
        guard let owners = order.first(where: { terminals.contains($0) }) else { return nil }
        var (inside, outside) = (Int32(-1), Int32(-1))
        let code = latchkey_open_terminal(&inside, &outside)
        guard code == 0 else { throw .system("have a terminal", SystemError(code)) }
        (self.inside, self.outside, self.owners) = (inside, outside, owners)
        hasKeys = terminals.contains(STDIN_FILENO)
        _ = latchkey_copy_terminal_size(owners, outside)
    }

    deinit {
        if !isClosed.exchange(true, ordering: .relaxed) { close(inside) }
        close(outside)
    }

    /// Starts to copy between the two terminals. If the command has the keys, the owner's terminal passes on every one.
    func begin() {
        if hasKeys {
            let before = latchkey_pass_on_keys(STDIN_FILENO, inside)
            former.withLock { $0 = before.map { Settings(bytes: $0) } }
        } else {
            // The owner's terminal ends the lines.
            latchkey_leave_output_alone(inside)
        }
        isBegun.store(true, ordering: .releasing)
        if !Supervisor.detach({ [self] in copy() }) { isOver.give() }
    }

    /// Shows the rest of the output, and restores the owner's terminal. The command has to be over.
    func end() {
        // With the last copy of the command's end closed, the other one has an end after all output.
        if !isClosed.exchange(true, ordering: .relaxed) { close(inside) }
        guard isBegun.load(ordering: .acquiring) else { return }
        isOver.wait()
        // A second caller waits too.
        isOver.give()
        former.withLock { former in
            if let settings = former { latchkey_restore_terminal(STDIN_FILENO, settings.bytes) }
            former = nil
        }
    }

    private func copy() {
        defer { isOver.give() }
        var isTyping = hasKeys
        while true {
            var waited = [outside, isTyping ? STDIN_FILENO : -1].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            let count = poll(&waited, nfds_t(waited.count), Self.glance)
            if count < 0 && errno != EINTR { return }
            // The system tells the command about a new size.
            _ = latchkey_copy_terminal_size(owners, outside)
            if count <= 0 { continue }
            if waited[0].revents != 0, !Self.pass(from: outside, to: owners) { return }
            if waited[1].revents != 0 { isTyping = Self.pass(from: STDIN_FILENO, to: outside) }
        }
    }

    /// Copies what can be read. Returns false at the end.
    private static func pass(from: Int32, to: Int32) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { bytes in
            var count = read(from, bytes.baseAddress, bytes.count)
            while count < 0 && errno == EINTR { count = read(from, bytes.baseAddress, bytes.count) }
            guard count > 0 else { return false }
            return Descriptors.write(UnsafeRawBufferPointer(rebasing: bytes[..<count]), to: to)
        }
    }
}
