internal import AccessPolicy
internal import CommandLineKit
internal import LatchkeyAgent
internal import PlainText

/// `latchkey biometry`
enum BiometryCommand {
    struct ListOptions: OptionList {
        let vault = VaultAccess.option
        let json = Option("--json", says: "as JSON")
        let names = Option("--names", says: "the names alone, one a line")
    }

    static let declaration = Declaration(
        name: "biometry", summary: "say whom the sensor knows, and change that",
        text: """
            Enrolling and removing ask for the passcode. Either destroys for good what is bound to the present set of
            enrollments (biometryCurrentSet), as on Apple's devices.
            """,
        commands: [
            Declaration(
                name: "list", summary: "list whom the sensor knows",
                options: ListOptions(),
                statuses: statuses, run: list),
            Declaration(
                name: "enroll", summary: "teach the sensor somebody new", text: loses,
                operands: [Operand(name: "NAME")],
                options: VaultOptions(), statuses: statuses
            ) { try enroll($0.words[0], VaultAccess($0[\.vault])) },
            Declaration(
                name: "remove", summary: "have the sensor forget somebody", text: loses,
                operands: [Operand(name: "NAME", values: .enrolled)],
                options: VaultOptions(), statuses: statuses
            ) { try remove($0.words[0], VaultAccess($0[\.vault])) },
            Declaration(
                name: "reset", summary: "have the sensor forget everybody, and take it into use anew",
                text: "The sensor counts as another one afterwards: whatever demands a finger alone is lost for good.",
                options: VaultOptions(), statuses: statuses
            ) { try reset(VaultAccess($0[\.vault])) },
            Declaration(
                name: "test", summary: "let the sensor look at whoever is there",
                options: VaultReportOptions(),
                statuses: statuses, run: test),
        ],
        statuses: statuses, group: "the vault")

    private static let loses =
        "Asks for the passcode. What demands the present set of enrollments (biometryCurrentSet) is lost for good; it is named, and "
        + "asked about, first."

    private static let statuses = ExitStatus.all(but: [.notFound])

    @Sendable private static func list(_ given: Given<ListOptions>) throws -> String {
        let access = try VaultAccess(given[\.vault], mayAsk: false)
        var head = try access.client.ask(.enrolled, of: nil).head
        if given[\.json] { return head.text + "\n" }
        let names = try head.consumeTexts("enrolled")
        if names.isEmpty && !given[\.names] { return "No finger or face is enrolled.\n" }
        return names.map { Terminal.line($0) + "\n" }.joined()
    }

    // Whether a name will do is said before anybody types the passcode.

    private static func enroll(_ name: String, _ access: VaultAccess) throws -> String {
        if name.isEmpty { throw UsageError("somebody who is enrolled has a name") }
        if try enrolled(access).contains(name) {
            throw AgentError(.exists, "\(name) is enrolled already: remove it first, or choose another name")
        }
        try requireConsent(access)
        _ = try access.ask(.enroll(name))
        return "\(Terminal.line(name)) is enrolled.\n"
    }

    private static func remove(_ name: String, _ access: VaultAccess) throws -> String {
        guard try enrolled(access).contains(name) else {
            throw AgentError(.request, "\(name) is not enrolled: latchkey biometry list tells who is")
        }
        try requireConsent(access)
        _ = try access.ask(.removeEnrolled(name))
        return "\(Terminal.line(name)) is not enrolled any more.\n"
    }

    private static func reset(_ access: VaultAccess) throws -> String {
        try requireConsent(access)
        _ = try access.ask(.resetSensor)
        return ""
    }

    /// What is bound to the fingers of now is lost with the next change: whoever makes it is told, and asked.
    private static func requireConsent(_ access: VaultAccess) throws {
        guard access.user != nil else { return }
        let lost = try access.entries().entries.filter {
            $0.policy.flags.contains(.biometryCurrentSet) && !$0.policy.flags.contains(.or)
        }
        if lost.isEmpty { return }
        let names = lost.prefix(5).map { Terminal.line($0.name) }.joined(separator: ", ")
        let isMore = lost.count > 5 ? " and \(lost.count - 5) more" : ""
        if !YesOrNo.ask("This loses \(names)\(isMore) for good, bound to the present set of enrollments. Go on?") {
            throw AgentError(.dismissed, "nothing was changed")
        }
    }

    private static func enrolled(_ access: VaultAccess) throws -> [String] {
        var head = try access.ask(.enrolled).head
        return try head.consumeTexts("enrolled")
    }

    @Sendable private static func test(_ given: Given<VaultReportOptions>) throws -> String {
        let access = try VaultAccess(given[\.vault])
        let reply = try access.ask(.match)
        return given[\.json] ? reply.head.text + "\n" : "The sensor has enrolled it.\n"
    }
}
