internal import Glibc
internal import LinuxSystem

/// A question at the terminal that is answered by yes or no.
enum YesOrNo {
    /// Returns true if the answer is yes. Without a terminal it is no.
    static func ask(_ question: String) -> Bool {
        let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return false }
        defer { close(terminal) }
        // Input that was typed ahead answers no prompt.
        tcflush(terminal, TCIFLUSH)
        // After a stop the question is asked again: going on ends a wait, but only for what has a handler, and only once it
        // waits.
        var noted = sigaction()
        var usual = sigaction()
        noted.__sigaction_handler.sa_handler = { _ in }
        sigaction(SIGCONT, &noted, &usual)
        defer { sigaction(SIGCONT, &usual, nil) }
        let former = SignalSet([SIGCONT]).hold()
        defer { former.holdOnly() }
        // A line that is longer is no answer, and its rest is not for the next reader of the terminal.
        var line = [UInt8](repeating: 0, count: 4096)
        var isAnswered: Bool?
        repeat {
            guard Output.write("\(question) [y/N] ", to: terminal) else { return false }
            isAnswered = former.wait(for: terminal)
        } while isAnswered == nil
        let count = isAnswered == true ? read(terminal, &line, line.count) : 0
        return ["y\n", "Y\n", "yes\n"].contains(String(decoding: line.prefix(max(0, count)), as: UTF8.self))
    }
}
