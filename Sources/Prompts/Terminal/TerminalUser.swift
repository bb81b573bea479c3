internal import Glibc
internal import LinuxSystem
internal import PlainText
internal import SodiumKit

/// A user at a terminal.
///
/// The prompt appears on the controlling terminal of the process, even if its input and output are redirected.
/// Passcodes, passwords and secrets are not echoed, and go straight into guarded memory. One prompt is shown at a time;
/// the others wait for their turn.
///
/// If a signal arrives during a prompt, the terminal is restored first. The signal then ends or stops the process as
/// usual, or goes to the handler of the program, which dismisses the prompt. After a stop the prompt appears again. A
/// terminal cannot be restored after SIGKILL or a crash.
public struct TerminalUser: DeviceUser {
    private let path: String
    private let style: TerminalStyle

    /// Creates a user at the controlling terminal, `/dev/tty`.
    public init() { self.init(path: "/dev/tty", style: .ofTheEnvironment) }

    package init(path: String, style: TerminalStyle = .plain) {
        self.path = path
        self.style = style
    }

    /// True if the process has a controlling terminal. Without one, every prompt is dismissed.
    public static var isThere: Bool {
        do {
            try TerminalUser().check()
            return true
        } catch {
            return false
        }
    }

    /// Checks that there is a terminal for prompts.
    ///
    /// - Throws: ``TerminalError`` if the terminal cannot be opened, or if the path leads to something else.
    public func check() throws(TerminalError) { _ = try TerminalDescriptor(path: path) }

    /// Shows the prompt and returns the user's answer. Returns `.cancel` if there is no terminal, if it goes away, or
    /// if the prompt ends first.
    public func answer(_ prompt: Prompt) -> Response {
        let content = prompt.content
        do throws(InterruptionError) {
            return try TerminalSession.run(at: path, for: prompt, .init(for: content)) {
                (session) throws(InterruptionError) in
                while true {
                    do throws(InterruptionError) {
                        return try TerminalAsking(content, style, session).answer()
                    } catch {
                        guard case .resumed = error else { throw error }
                    }
                }
            }
        } catch {
            return .cancel
        }
    }

    /// Watches the keys while the sensor waits. Enter takes the fallback if there is one; Escape and Ctrl-D dismiss
    /// `prompt`, and so does a terminal that goes away.
    public func standBy(_ prompt: Prompt) {
        let content = prompt.content
        do throws(InterruptionError) {
            let ending = try TerminalSession.run(at: path, for: prompt, .keys) {
                (session) throws(InterruptionError) -> Prompt.Ending in
                while true {
                    do throws(InterruptionError) {
                        return try session.readKeys(offersFallback: content.offersFallback)
                    } catch {
                        guard case .resumed = error else { throw error }
                        try session.say(TerminalWords(content, style).whole)
                    }
                }
            }
            prompt.end(ending)
        } catch {
            if case .over = error { return }
            prompt.end(.canceled)
        }
    }
}

extension TerminalUser: AnnouncingUser {
    /// Writes these lines to the terminal.
    package func announce(_ lines: [String]) -> Bool {
        let prompt = Prompt(PromptContent(.permission))
        do {
            try TerminalSession.run(at: path, for: prompt, .asItIs) { (session) throws(InterruptionError) in
                try session.say(lines.map { $0 + "\n" }.joined())
            }
            return true
        } catch { return false }
    }
}

extension TerminalUser {
    /// Writes a line to the terminal of another program, whatever its mode is. Waits for nothing.
    package func note(_ line: String) {
        guard let terminal = try? TerminalDescriptor(path: path) else { return }
        var text = "\r\n\(Terminal.line(line))\r\n"
        text.withUTF8 { _ = write(terminal.number, $0.baseAddress, $0.count) }
    }
}

/// The reason why there is no terminal for prompts.
public enum TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The terminal cannot be opened: its path, and the error number of the system.
    case absent(path: String, code: Int32)
    /// The path leads to something that is not a terminal.
    case noTerminal(path: String)

    /// A message that says what is missing and what to do.
    public var description: String {
        switch self {
        case .absent(let path, let code):
            "there is no terminal for the prompt (\(path): \(SystemError(code))). Run the command in a terminal."
        case .noTerminal(let path): "\(path) is not a terminal, so no prompt can be shown there"
        }
    }
}
