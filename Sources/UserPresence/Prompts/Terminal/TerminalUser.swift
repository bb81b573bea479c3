internal import LinuxSystem
internal import SodiumKit

/// Whoever sits at a terminal.
///
/// They are asked at the controlling terminal of the process, wherever its input and output lead. What they type is read
/// without echo, straight into guarded memory. One prompt is shown at a time; another one waits for its turn.
///
/// A signal that arrives meanwhile takes its usual effect, but only after the terminal is as it was before: it ends or stops
/// the process, or goes to the handler that the program has for it, and then the prompt is dismissed. After a stop the
/// question is asked again. Nothing can be done about SIGKILL and crashes.
public struct TerminalUser: DeviceUser {
    private let path: String
    private let style: TerminalStyle

    /// Whoever sits at the controlling terminal, `/dev/tty`.
    public init() { self.init(path: "/dev/tty", style: .ofTheEnvironment) }

    /// Whoever sits at the terminal at `path`.
    package init(path: String, style: TerminalStyle = .plain) {
        self.path = path
        self.style = style
    }

    /// True if the process has a controlling terminal. Where it has none, every prompt is dismissed.
    public static var isThere: Bool {
        do throws(TerminalError) {
            try TerminalUser().check()
            return true
        } catch {
            return false
        }
    }

    /// Throws unless there is a terminal to ask at.
    public func check() throws(TerminalError) { _ = try TerminalDescriptor(path: path) }

    /// What they answer; `.cancel` where there is no terminal, where it goes away, and where the prompt is over first.
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

    /// Watches the keys while the sensor waits: Enter is the fallback where there is one, Escape and Ctrl-D dismiss `prompt`,
    /// and so does the end of the terminal.
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

/// Why there is no terminal to ask at.
public enum TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It cannot be opened: its path, and the number of the system's error.
    case absent(path: String, code: Int32)
    /// What is at this path is no terminal.
    case noTerminal(path: String)

    /// What is missing, and the way out.
    public var description: String {
        switch self {
        case .absent(let path, let code):
            "there is no terminal to ask at (\(path): \(SystemError(code))): run it in a terminal, or give it a holder "
                + "that needs none"
        case .noTerminal(let path): "\(path) is no terminal: nobody can be asked there"
        }
    }
}
