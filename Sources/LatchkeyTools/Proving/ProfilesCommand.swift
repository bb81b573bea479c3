internal import CommandLineKit
internal import LatchkeyCLI
internal import PolicyProver
internal import PolicyReports
internal import PolicyScenarios

/// `latchkey profiles`
enum ProfilesCommand {
    struct Options: OptionList {
        let format = Proving.format
    }

    static let declaration = Declaration(
        name: "profiles", summary: "list the attackers and owners that claims are about",
        text: """
            Lists the people in the searches: what they know and carry, how they get the device, and what they try with it. \
            The device still asks them for what it asks everyone: its settings need the passcode, for example.
            """,
        operands: [
            Operand(
                name: "PROFILE", says: "list only these", values: Proving.profileNames, isOptional: true,
                isRepeated: true)
        ],
        options: Options(), examples: [("latchkey profiles passcode-thief", "")], group: "policies", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws(UsageError) -> String {
        var profiles: [Profile] = []
        for word in given.words { profiles.append(try Proving.profile(word)) }
        let pages = (profiles.isEmpty ? Profile.known : profiles).map { ProfilePage($0) }
        return switch given[\.format] ?? .table {
        case .markdown: ProfilePage.markdown(pages)
        case .json: ProfilePage.json(pages)
        case .table: ProfilePage.table(pages, colored: Output.isColored)
        }
    }
}
