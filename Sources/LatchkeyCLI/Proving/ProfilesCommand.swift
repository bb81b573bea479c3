internal import PolicyProver
internal import PolicyReports
internal import PolicyScenarios

/// `latchkey profiles`
enum ProfilesCommand {
    static let declaration = Declaration(
        name: "profiles", summary: "list the people whom claims are about: attackers, and owners",
        text: """
            Lists everybody whom the searches know by name: what they know and carry, how the device comes to them, and what \
            they can do with it. That they can do something does not say that the device lets them: what its settings ask the \
            passcode for, it asks them for.
            """,
        operands: [
            Operand(
                name: "PROFILE", says: "only these", values: .words(Proving.profileNames), isOptional: true,
                isRepeated: true)
        ],
        options: [OptionGroup(options: [Proving.formats])],
        group: "policies", run: run)

    @Sendable private static func run(_ given: Given) throws(UsageError) -> String {
        let format = try Proving.format(given)
        var profiles: [Profile] = []
        for word in given.words { if let profile = try Proving.profile(word) { profiles.append(profile) } }
        let pages = (profiles.isEmpty ? Profile.all : profiles).map { ProfilePage($0) }
        return switch format {
        case "markdown": ProfilePage.markdown(pages)
        case "json": ProfilePage.json(pages)
        default: ProfilePage.table(pages, coloured: Output.isColoured)
        }
    }
}
