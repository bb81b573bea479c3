internal import AccessPolicy
package import AgentProtocol
internal import Latchkey
internal import LoanRules
internal import SecretVault
package import SodiumKit

extension AllowLendingCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        var targets = LendingTargets(of: try visit.stored(name))
        if allowed.isEmpty && forbidden.isEmpty { return CallResult(Reply(targets: targets.all)) }
        guard allowed.count + forbidden.count <= Self.mostAtOnce else {
            throw AgentError(
                .request,
                "one prompt shows at most \(Self.mostAtOnce) purposes: allow or forbid the others with the next command"
            )
        }
        try targets.change(allowing: try Self.targets(allowed), forbidding: try Self.targets(forbidden))
        let (context, _) = try visit.context(asked)
        try visit.askForPasscode(in: context, because: "change what \(name) may be lent for")
        try visit.change(name, targets.change, .keep, asked)
        return CallResult(Reply(targets: targets.all))
    }

    /// The most purposes of one request, because its prompt names each.
    private static let mostAtOnce = 4

    /// The notes of its prompt: the purposes, as the list has them.
    var notes: [String] {
        func notes(_ label: String, _ texts: [String]) -> [String] {
            texts.compactMap { LoanTarget($0) }.map { "\(label): \($0.words)" }
        }
        return notes("May be lent for", allowed) + notes("No longer for", forbidden)
    }

    private static func targets(_ texts: [String]) throws(AgentError) -> [String] {
        try texts.map { (text) throws(AgentError) in
            guard let target = LoanTarget(text) else {
                throw AgentError(
                    .request,
                    "a purpose is a server, as in https://api.example.com, or one of \(LoanTarget.words.joined(separator: ", "))"
                )
            }
            return target.text
        }
    }
}
