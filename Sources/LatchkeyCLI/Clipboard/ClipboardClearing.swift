internal import AgentProtocol
internal import Glibc
internal import LinuxSystem
internal import SodiumKit

/// The process that clears the clipboard after a while, if it still has what a command copied.
///
/// It gets a key and the keyed hash of the secret over a pipe, and never the secret. It reads the clipboard at the end, to
/// compare.
package struct ClipboardClearing {
    /// The name under which this program clears the clipboard.
    static let name = "latchkey-clear-clipboard"

    /// The number of times that it reads a clipboard that cannot be read, with a second between them.
    private static let readings = 10

    private let process: Int32
    /// The end of a pipe to the process, which begins to count when it is closed.
    private let pipe: Int32

    /// Starts the process.
    static func start(
        _ program: ClipboardProgram, after seconds: Int, _ key: borrowing Key, _ hash: borrowing Key
    ) throws(CommandError) -> ClipboardClearing {
        let pipe: Pipe
        do { pipe = try Pipe() } catch { throw CommandError("a pipe: \(error)") }
        defer { close(pipe.reading) }
        var child = Child()
        (child.input, child.output, child.errors) = (.descriptor(pipe.reading), .nothing, .nothing)
        child.closesOthers = true
        child.company = .ownSession
        // They are blocked from the first moment on, so that a signal never ends the process before it can clear.
        child.held = SignalSet(Signals.ending)
        do {
            let process = try child.start(
                "/proc/self/exe", [name, program.name, "\(seconds)"], environment: Child.environmentHere)
            // Both fit into the pipe, so this never waits.
            write(key, to: pipe.writing)
            write(hash, to: pipe.writing)
            return ClipboardClearing(process: process, pipe: pipe.writing)
        } catch {
            close(pipe.writing)
            throw CommandError("\(name): \(error)")
        }
    }

    private static func write(_ key: borrowing Key, to pipe: Int32) {
        key.withBytes { bytes in bytes.withUnsafeBytes { _ = Descriptors.write($0, to: pipe) } }
    }

    /// Lets the process begin to count.
    func begin() { close(pipe) }

    /// Has the process clear the clipboard at once, if it has the secret.
    func clearNow() {
        kill(process, SIGTERM)
        close(pipe)
    }

    // MARK: - In the process

    /// Runs the process if this program was started as it. Otherwise it returns.
    package static func runIfCalled() {
        guard CommandLine.argc == 3, let called = CommandLine.unsafeArgv[0], String(cString: called) == name else {
            return
        }
        Latchkey.begin()
        guard CrashSafety.forbidInspection(), chdir("/") == 0 else { exit(1) }
        let words = (1...2).map { CommandLine.unsafeArgv[$0].map { String(cString: $0) } ?? "" }
        guard let program = ClipboardProgram.all.first(where: { $0.name == words[0] }), let seconds = Int32(words[1])
        else { exit(2) }
        // A logout or a shutdown ends the process: then it clears at once.
        let ending = SignalSet(Signals.ending)
        ending.hold()
        do {
            let signals = try ending.descriptor()
            let record = try SecretInput.read(STDIN_FILENO, called: "the key")
            guard record.count == 2 * Key.count else { exit(2) }
            let key = try record.withBytes { try Key(copying: $0.extracting(first: Key.count)) }
            let hash = try record.withBytes { try Key(copying: $0.extracting(last: Key.count)) }
            wait(seconds, for: signals)
            for _ in 0..<readings {
                if let found = program.hash(under: key) {
                    if found.equals(hash) { try program.clear() }
                    break
                }
                sleep(1)
            }
        } catch { exit(1) }
        exit(0)
    }

    private static func wait(_ seconds: Int32, for signals: Int32) {
        let deadline = Deadline(seconds.multipliedReportingOverflow(by: 1000).partialValue)
        while deadline.left > 1 {
            // A wait does not count the time that the machine sleeps, and the deadline does.
            var waited = pollfd(fd: signals, events: Int16(POLLIN), revents: 0)
            if poll(&waited, 1, min(deadline.left, 5000)) > 0 { return }
        }
    }
}
