internal import AccessPolicy
package import AgentProtocol
internal import PlainText

/// The fingers and faces that the sensor of a vault knows, as commands change them.
package enum EnrolledSet {
    /// The limit of fprintd that a user has to know.
    package static let limit =
        "fprintd does not show that another print took the place of yours under the same finger's name, as the settings "
        + "of a desktop allow. A secret with --preset current-set is invalidated by every change that fprintd does show."

    /// Names the secrets and keys that a change of the enrolled set invalidates, and asks. Throws unless the answer is yes.
    package static func requireConsent(_ access: VaultAccess) throws {
        guard access.user != nil else { return }
        let secrets = try access.entries(because: "look for secrets that are bound to the fingers").entries.map {
            ($0.name, $0.policy.flags)
        }
        let entries = try access.keys().entries
        let keys = entries.map { ("the key \($0.name)", $0.policy.flags) }
        let lost = (secrets + keys).filter { $0.1.contains(.biometryCurrentSet) && !$0.1.contains(.or) }.map(\.0)
        if lost.isEmpty { return }
        let names = lost.prefix(5).map { Terminal.line($0) }.joined(separator: ", ")
        let isMore = lost.count > 5 ? " and \(lost.count - 5) more" : ""
        let question = "This invalidates \(names)\(isMore), bound to the enrolled set. Continue?"
        if try !access.prompter.confirms(question, else: "run the command in a terminal") {
            throw AgentError(.dismissed, "nothing was changed")
        }
    }

    /// Enrolls a finger or a face, and shows what the sensor tells the user.
    package static func add(_ name: String, _ access: VaultAccess) throws(AgentError) {
        _ = try access.ask(EnrollCall(name)) { Output.confirm("\($0).") }
    }
}
