internal import CommandLineKit
internal import PolicyProver
internal import PolicyReports
internal import PolicyScenarios

/// `latchkey profiles`
enum ProfilesCommand {
    struct Options: OptionList {
        let format = Proving.format
    }

    static let declaration = Declaration(
        name: "profiles", summary: "list the people whom claims are about: attackers, and owners",
        text: """
            Lists everybody whom the searches know by name: what they know and carry, how the device comes to them, and what \
            they can do with it. That they can do something does not say that the device lets them: what its settings ask the \
            passcode for, it asks them for.
            """,
        operands: [
            Operand(
                name: "PROFILE", says: "only these", values: Proving.profileNames, isOptional: true,
                isRepeated: true)
        ],
        options: Options(),
        group: "policies", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws(UsageError) -> String {
        var profiles: [Profile] = []
        for word in given.words { profiles.append(try Proving.profile(word)) }
        let pages = (profiles.isEmpty ? Profile.all : profiles).map { ProfilePage($0) }
        return switch given[\.format] ?? .table {
        case .markdown: ProfilePage.markdown(pages)
        case .json: ProfilePage.json(pages)
        case .table: ProfilePage.table(pages, colored: Output.isColored)
        }
    }
}
