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
        if allowed.isEmpty && forbidden.isEmpty { return CallResult(Reply(targets: try all(visit))) }
        guard allowed.count + forbidden.count <= Self.mostAtOnce else {
            throw AgentError(
                .request,
                "one prompt shows at most \(Self.mostAtOnce) purposes: allow or forbid the others with the next command"
            )
        }
        let (allowed, forbidden) = (try Self.targets(allowed), try Self.targets(forbidden))
        guard let first = (allowed + forbidden).first,
            (allowed + forbidden).allSatisfy({ $0.isOfKey == first.isOfKey })
        else {
            throw AgentError(
                .request,
                "logins, signatures and decryptions are of a key, and other purposes of a secret: use a command for each kind"
            )
        }
        let item = try visit.lent(name, for: first)
        var targets = LendingTargets(of: item)
        try targets.change(allowing: allowed.map(\.text), forbidding: forbidden.map(\.text))
        let (context, interaction) = try visit.context(asked)
        try visit.askForPasscode(in: context, because: "change what \(name) may be lent for")
        try visit.onKeychain { (keychain) throws(KeychainError) in
            _ = try keychain.update(
                .id(item.id), targets.change, by: visit.requester, in: context, interaction: interaction)
        }
        return CallResult(Reply(targets: targets.all))
    }

    /// Returns the purposes of the secret of this name, and of the key of this name.
    private func all(_ visit: Visit) throws(AgentError) -> [String] {
        let key = try visit.keyItems(name, isPrivate: true).first.map { LendingTargets(of: $0).all }
        do throws(AgentError) { return LendingTargets(of: try visit.stored(name)).all + (key ?? []) } catch {
            guard error.kind == .notFound, let key else { throw error }
            return key
        }
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

    private static func targets(_ texts: [String]) throws(AgentError) -> [LoanTarget] {
        try texts.map { (text) throws(AgentError) in
            guard let target = LoanTarget(text) else {
                throw AgentError(
                    .request,
                    "a purpose is a server, as in https://api.example.com, a user at a host, as in ssh://git@github.com, or one of \(LoanTarget.words.joined(separator: ", "))"
                )
            }
            return target
        }
    }
}
