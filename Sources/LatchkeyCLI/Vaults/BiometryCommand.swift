internal import LatchkeyAgent
internal import PolicyScenarios
internal import UserPresence

/// `latchkey biometry`
enum BiometryCommand {
    static let declaration = Declaration(
        name: "biometry", summary: "say whom the sensor knows, and change that",
        text: """
            Enrolling and removing ask for the passcode. Either destroys for good what is bound to the present set of
            enrolments (biometryCurrentSet), as on Apple's devices.
            """,
        commands: [
            Declaration(
                name: "list", summary: "list whom the sensor knows",
                options: [
                    OptionGroup(options: [
                        VaultAccess.option, Option("--json", "as JSON"),
                        Option("--names", "the names alone, one a line"),
                    ])
                ],
                statuses: statuses, run: list),
            Declaration(
                name: "enroll", summary: "teach the sensor somebody new", operands: [Operand(name: "NAME")],
                options: [OptionGroup(options: [VaultAccess.option])], statuses: statuses
            ) { try change(.enrol($0.words[0]), $0) },
            Declaration(
                name: "remove", summary: "have the sensor forget somebody",
                operands: [Operand(name: "NAME", values: .enrolled)],
                options: [OptionGroup(options: [VaultAccess.option])], statuses: statuses
            ) { try change(.removeEnrolled($0.words[0]), $0) },
            Declaration(
                name: "reset", summary: "have the sensor forget everybody, and take it into use anew",
                options: [OptionGroup(options: [VaultAccess.option])], statuses: statuses
            ) { try change(.resetSensor, $0) },
            Declaration(
                name: "test", summary: "let the sensor look at whoever is there",
                options: [OptionGroup(options: [VaultAccess.option])], statuses: statuses, run: test),
        ],
        statuses: statuses, group: "the vault")

    private static let statuses = ExitStatus.all(but: [.notFound, .exists])

    @Sendable private static func list(_ given: Given) throws -> String {
        let access = try VaultAccess(given, mayAsk: false)
        var head = try access.client.ask(.enrolled, of: nil).head
        if given.has("--json") { return head.text + "\n" }
        let names = try head.takeTexts("enrolled")
        if names.isEmpty && !given.has("--names") { return "Nobody is enrolled.\n" }
        return names.map { printable($0) + "\n" }.joined()
    }

    @Sendable private static func change(_ request: Request, _ given: Given) throws -> String {
        let access = try VaultAccess(given)
        _ = try access.ask(request)
        return ""
    }

    @Sendable private static func test(_ given: Given) throws -> String {
        let access = try VaultAccess(given)
        _ = try access.ask(.match)
        return "The sensor knows whoever that was.\n"
    }
}
