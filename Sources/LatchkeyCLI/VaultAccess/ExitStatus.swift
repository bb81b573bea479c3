internal import LatchkeyAgent

/// What the command exits with: the same number for the same thing, so that scripts can tell things apart. Numbers are never
/// given another meaning.
enum ExitStatus {
    /// Of a request that was not met.
    static func of(_ kind: AgentError.Kind) -> Int32 {
        switch kind {
        case .request: 2
        case .denied: 3
        case .notFound: 4
        case .locked: 5
        case .dismissed: 6
        case .wrong: 7
        case .nobody: 8
        case .exists: 9
        case .unavailable: 10
        case .damaged: 11
        case .vault: 12
        case .agent: 13
        }
    }

    private static func words(_ kind: AgentError.Kind) -> String {
        switch kind {
        case .request: "the request cannot be understood"
        case .denied: "it was denied"
        case .notFound: "there is no such secret"
        case .locked: "the vault is locked"
        case .dismissed: "whoever was asked did not want to, or nobody answered"
        case .wrong: "what was typed or shown is wrong"
        case .nobody: "authentication is needed, and there is no terminal"
        case .exists: "there is something of that name already"
        case .unavailable: "PAM or the sensor cannot be asked"
        case .damaged: "something stored is damaged"
        case .vault: "the vault cannot be used"
        case .agent: "the agent cannot be reached, or does not come up"
        }
    }

    /// Those that a command that uses a vault may exit with besides the usual ones.
    static func all(but left: Set<AgentError.Kind> = []) -> [(status: Int32, says: String)] {
        AgentError.Kind.allCases.filter { $0 != .request && !left.contains($0) }.map { (of($0), words($0)) }
    }
}
