internal import Glibc
internal import LinuxSystem
package import SodiumKit

/// A question at the terminal whose answer is yes or no.
enum YesOrNo {
    /// Asks `question` and returns true if the answer is yes. If no line comes, as at the end of input or from a terminal that
    /// is set to single keys, the answer is no, and the user learns what to type. `option` is what answers beforehand.
    static func ask(_ question: String, else option: String) -> Bool {
        guard let answer = DoctorQuestion.ask("\(question) [y/N] ") else {
            Output.complain("no answer came: type y and press Enter, or \(option)")
            return false
        }
        return ["y", "Y", "yes"].contains(answer)
    }
}

/// A question at the terminal whose answer is one line, which is shown as it is typed.
package enum DoctorQuestion {
    /// The most bytes of an answer, with its end: the system cuts a longer line.
    static let longestLine = 4096

    /// Shows `question` and returns the line without its end; nil without a terminal or at the end of input.
    package static func ask(_ question: String) -> String? {
        var line = [UInt8](repeating: 0, count: longestLine)
        guard let count = line.withUnsafeMutableBytes({ ask(question, into: $0) }) else { return nil }
        return String(decoding: line.prefix(count), as: UTF8.self)
    }

    /// Shows `question` and reads the line into `line`, which is wiped in the end. Returns its length without its end; nil
    /// without a terminal or at the end of input.
    package static func ask(_ question: String, into line: inout SecureBytes) -> Int? {
        line.withMutableBytes { ask(question, into: $0) }
    }

    private static func ask(_ question: String, into line: UnsafeMutableRawBufferPointer) -> Int? {
        let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        // Drop what was typed ahead: it was not meant as the answer.
        tcflush(terminal, TCIFLUSH)
        // After Ctrl-Z and `fg`, ask again. SIGCONT interrupts the wait only if it has a handler, and only during the wait.
        var noted = sigaction()
        var usual = sigaction()
        noted.__sigaction_handler.sa_handler = { _ in }
        sigaction(SIGCONT, &noted, &usual)
        defer { sigaction(SIGCONT, &usual, nil) }
        let former = SignalSet([SIGCONT]).hold()
        defer { former.holdOnly() }
        // A longer line is no answer. Read all of it, so that its rest does not go to the next reader of the terminal.
        var isAnswered: Bool?
        repeat {
            guard Output.write(question, to: terminal) else { return nil }
            isAnswered = former.wait(for: terminal)
        } while isAnswered == nil
        let count = isAnswered == true ? read(terminal, line.baseAddress, line.count) : 0
        let isLine = count > 0 && line[count - 1] == UInt8(ascii: "\n")
        // The next output begins on a line of its own, and not behind the question.
        if !isLine { _ = Output.write("\n", to: terminal) }
        return isLine ? count - 1 : nil
    }
}
