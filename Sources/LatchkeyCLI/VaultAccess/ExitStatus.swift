package import AgentProtocol

/// The exit statuses of the command. A number keeps its meaning in every version, so that scripts can rely on it.
package enum ExitStatus {
    package static func of(_ kind: AgentError.Kind) -> Int32 {
        switch kind {
        case .request: 2
        case .denied: 3
        case .notFound: 4
        case .locked: 5
        case .dismissed: 6
        case .wrong: 7
        case .noTerminal: 8
        case .exists: 9
        case .unavailable: 10
        case .damaged: 11
        case .vault: 12
        case .agent: 13
        }
    }

    private static func words(_ kind: AgentError.Kind) -> String {
        switch kind {
        case .request: "the command line was not understood, or the vault cannot do what it asks"
        case .denied: "access was denied"
        case .notFound: "there is no such secret"
        case .locked: "the vault is locked"
        case .dismissed: "the prompt was dismissed, or timed out"
        case .wrong: "authentication failed"
        case .noTerminal: "authentication is needed, and there is nowhere to prompt"
        case .exists: "the name is already in use"
        case .unavailable: "PAM or the sensor is not available"
        case .damaged: "stored data is damaged"
        case .vault: "the vault cannot be used"
        case .agent: "the agent cannot be reached, or does not start"
        }
    }

    /// The statuses of `latchkey run` for a command that does not start, as shells have them.
    package static let ofRun: [(status: Int32, says: String)] = [
        (126, "the command cannot be run"), (127, "there is no such command"),
    ]

    /// Returns the statuses that a command on a vault can exit with besides 0, 1 and 2, without those of the kinds in `left`.
    package static func all(but left: Set<AgentError.Kind> = []) -> [(status: Int32, says: String)] {
        AgentError.Kind.allCases.filter { $0 != .request && !left.contains($0) }.map { (of($0), words($0)) }
    }

    /// The meaning of each status, unless a command gives it one of its own.
    package static var general: [(status: Int32, says: String)] {
        [(0, "success"), (1, "the command failed"), (2, words(.request))] + all() + ofRun
    }
}
