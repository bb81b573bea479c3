internal import Glibc
internal import LatchkeyCLI
internal import LinuxSystem
internal import PlainText
internal import Synchronization

/// The output of the demonstration. Each line is written after its step has succeeded.
final class Narrator: Sendable {
    /// A reason to end the story early.
    enum StoppedError: Error {
        case bySignal(Int32)
        case byOutput(OutputError)
    }

    private struct State {
        var sections = 0
        var failure: OutputError?
    }

    private static let indent = "   "
    private static let labelWidth = 21

    private let waits: Bool
    private let isColored = Output.isColored
    private let signals: StopSignals
    private let state = Mutex(State())

    /// Creates a narrator, which waits for Return before each section if `waits` is true.
    init(waits: Bool, _ signals: StopSignals) {
        self.waits = waits
        self.signals = signals
    }

    /// Writes the lines before the first section.
    func preface(_ lines: String...) { put(lines.map { $0 + "\n" }.joined()) }

    /// Begins the next section. Throws if a signal arrived or output failed.
    func section(_ title: String) throws {
        try requireListeners()
        if waits { try waitForReturn() }
        let number = state.withLock { state in
            state.sections += 1
            return state.sections
        }
        put("\n" + painted("\(number)  \(title)", .heading) + "\n")
    }

    /// Writes a label and a text. Without a label, the text continues the row above.
    func row(_ label: String, _ text: String, _ tone: TextTable.Tone = .plain) {
        let room = String(repeating: " ", count: max(1, Self.labelWidth - label.count))
        put(Self.indent + painted(label, .faint) + room + painted(text, tone) + "\n")
    }

    /// Writes a line of explanation.
    func remark(_ text: String) { put(Self.indent + text + "\n") }

    /// Writes the last line.
    func end(_ text: String) throws {
        put("\n" + text + "\n")
        try requireListeners()
    }

    private func waitForReturn() throws {
        put("\n" + painted("[Return]", .faint))
        try requireListeners()
        var byte: UInt8 = 0
        while byte != UInt8(ascii: "\n") {
            signals.wait(for: STDIN_FILENO)
            try requireListeners()
            let count = read(STDIN_FILENO, &byte, 1)
            if count == 0 || count < 0 && errno != EINTR { return }  // standard input is closed
        }
    }

    private func requireListeners() throws {
        if let signal = signals.caught { throw StoppedError.bySignal(signal) }
        if let failure = state.withLock({ $0.failure }) { throw StoppedError.byOutput(failure) }
    }

    /// Writes `text` unless output has failed before. The next section throws that failure.
    private func put(_ text: String) {
        state.withLock { state in
            guard state.failure == nil else { return }
            do throws(OutputError) { try Output.put(text) } catch { state.failure = error }
        }
    }

    private func painted(_ text: String, _ tone: TextTable.Tone) -> String {
        var table = TextTable()
        table.rows = [[.init(text, text.isEmpty ? .plain : tone)]]
        return String(table.text(colored: isColored).dropLast())
    }
}
