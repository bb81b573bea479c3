internal import AgentProtocol
internal import CommandLineKit
internal import LatchkeyCLI
internal import PlainText

/// `latchkey biometry`
enum BiometryCommand {
    struct ListOptions: OptionList {
        let vault = VaultAccess.option
        let json = Option("--json", says: "print JSON")
        let names = Option("--names", says: "print only names, one on each line")
    }

    static let declaration = Declaration(
        name: "biometry", summary: "set up a fingerprint reader, and enroll fingers and faces",
        text: """
            Manages the fingers and faces that the sensor knows. Enrolling and removing ask for the passcode. As on Apple's
            devices, either invalidates the secrets that are bound to the present set (biometryCurrentSet).
            """,
        commands: [
            BiometrySetupCommand.declaration,
            Declaration(
                name: "list", summary: "list the enrolled fingers and faces",
                options: ListOptions(), examples: [("latchkey biometry list", "")],
                statuses: statuses, run: list),
            Declaration(
                name: "enroll", summary: "enroll a finger or face", text: loses,
                operands: [Operand(name: "NAME")],
                options: VaultOption(), examples: [("latchkey biometry enroll 'right index'", "")], statuses: statuses
            ) { try enroll($0.words[0], VaultAccess($0[\.vault])) },
            Declaration(
                name: "remove", summary: "remove a finger or face", text: loses,
                operands: [Operand(name: "NAME", values: .enrolled)],
                options: VaultOption(), examples: [("latchkey biometry remove 'right index'", "")], statuses: statuses
            ) { try remove($0.words[0], VaultAccess($0[\.vault])) },
            Declaration(
                name: "reset", summary: "remove every finger and face, and set up the sensor anew",
                text: """
                    Asks for the passcode. Afterwards the sensor counts as another one, so every secret that only a finger or
                    face opens is invalidated.
                    """,
                options: VaultOption(), examples: [("latchkey biometry reset", "")], statuses: statuses
            ) { try reset(VaultAccess($0[\.vault])) },
            Declaration(
                name: "test", summary: "check whether the sensor recognizes you",
                options: VaultReportOptions(), examples: [("latchkey biometry test", "")],
                statuses: statuses, run: test),
        ],
        examples: [
            ("latchkey biometry setup", "uses the fingerprint reader of this machine"),
            ("latchkey biometry enroll 'right index'", ""), ("latchkey biometry list", ""),
            ("latchkey biometry test", ""),
        ],
        statuses: statuses, group: "the vault")

    private static let loses =
        "Asks for the passcode. Secrets that are bound to the present set (biometryCurrentSet) are invalidated; at a terminal the "
        + "command first names them and asks."

    private static let statuses = ExitStatus.all(but: [.notFound])

    @Sendable private static func list(_ given: Given<ListOptions>) throws -> String {
        let access = try VaultAccess(given[\.vault], mayAsk: false)
        let answer = try access.client.ask(EnrolledCall(), of: nil)
        if given[\.json] { return answer.reply.head.text + "\n" }
        let names = answer.reply.enrolled
        if names.isEmpty && !given[\.names] { return "No finger or face is enrolled.\n" }
        return names.map { Terminal.line($0) + "\n" }.joined()
    }

    // Each of these checks the name before it asks for the passcode.

    private static func enroll(_ name: String, _ access: VaultAccess) throws -> String {
        if name.isEmpty { throw UsageError("the name must not be empty: type one such as 'right index'") }
        if try enrolled(access).contains(name) {
            throw AgentError(.exists, "\(name) is already enrolled: remove it first, or choose another name")
        }
        try EnrolledSet.requireConsent(access)
        try EnrolledSet.add(name, access)
        return "Enrolled \(Terminal.line(name)).\n"
    }

    private static func remove(_ name: String, _ access: VaultAccess) throws -> String {
        guard try enrolled(access).contains(name) else {
            throw AgentError(.request, "\(name) is not enrolled: run `latchkey biometry list` to see what is")
        }
        try EnrolledSet.requireConsent(access)
        _ = try access.ask(RemoveEnrolledCall(name))
        return "Removed \(Terminal.line(name)).\n"
    }

    private static func reset(_ access: VaultAccess) throws -> String {
        try EnrolledSet.requireConsent(access)
        _ = try access.ask(ResetSensorCall())
        Output.confirm("Reset the sensor.")
        return ""
    }

    private static func enrolled(_ access: VaultAccess) throws -> [String] {
        let answer = try access.ask(EnrolledCall())
        return answer.reply.enrolled
    }

    @Sendable private static func test(_ given: Given<VaultReportOptions>) throws -> String {
        let access = try VaultAccess(given[\.vault])
        let answer = try access.ask(MatchCall())
        return given[\.json] ? answer.reply.head.text + "\n" : "The sensor recognized you.\n"
    }
}
