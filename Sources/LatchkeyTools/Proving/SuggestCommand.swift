internal import CommandLineKit
internal import DeviceModel
internal import Dispatch
internal import Glibc
internal import LatchkeyCLI
internal import PlainText
internal import PolicyProver
internal import PolicyReports
internal import PolicyScenarios
internal import ScenarioFormat

/// `latchkey suggest`
enum SuggestCommand {
    struct Options: OptionList {
        let never = Option(
            each: "--never", value: "AIM", says: "the attacker of --against can never do this",
            values: Proving.aimNames,
            among: ClaimWords.aimsOfItems)
        let against = Option(
            each: "--against", value: "PROFILE", says: "the attacker of --never", among: Proving.profiles)
        let eventuallyCan = Option(
            each: "--eventually-can", value: "AIM", says: "the person of --by can do this",
            values: Proving.aimNames, among: ClaimWords.aimsOfItems)
        let by = Option(
            each: "--by", value: "PROFILE", says: "the person of --eventually-can; the owner by default",
            among: Proving.profiles)
        let assumptions = Proving.assumptions
        let key = Option("--key", says: "the item is a private key, as for claims about use")
        let device = DeviceOptions(says: "the device, as for matrix")
        let format = Proving.format
        let output = Output.option
    }

    static let declaration = Declaration(
        name: "suggest", summary: "find the policies that satisfy claims and ask least of the owner",
        text: """
            Searches every possible policy for those that satisfy all claims, and shows the ones that ask least of the owner: \
            with a wet finger, a new finger, after a restart, on another device. Of equal ones, it shows the strictest class. \
            If no policy satisfies all claims, it shows the fewest claims that clash.

            Write a claim as one quoted word: "never AIM against PROFILE", "eventually-can AIM by PROFILE", "always-can AIM by \
            PROFILE against PROFILE" or "gone-after-enrollment-change". Or use options: the first --against belongs to the first \
            --never, and the first --by to the first --eventually-can. Claims about use are about private keys.
            """,
        operands: [
            Operand(
                name: "CLAIM",
                says: "such as \"never read against passcode-thief\"",
                isOptional: true, isRepeated: true)
        ],
        options: Options(),
        examples: [
            ("latchkey suggest \"never read against passcode-thief\" \"eventually-can read by owner\"", ""),
            ("latchkey suggest --never use --against coerced-finger --eventually-can use --by injured-finger", ""),
        ],
        statuses: [
            (0, "there are such policies"), (1, "no policy satisfies all claims"),
            (2, "the command line was not understood"),
        ],
        group: "policies", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws(UsageError) -> String {
        var claims: [Claim.Statement] = []
        for word in given.words { claims.append(try claim(word)) }
        claims += try paired(given)
        if claims.isEmpty { throw UsageError("state a claim, such as \"never read against passcode-thief\"") }
        let kinds = claims.compactMap(\.isAboutKey)
        if Set(kinds).count > 1 {
            throw UsageError("a private key is used, and any other item is read: no policy is about both")
        }
        if given[\.key] && kinds.contains(false) { throw UsageError("a private key is used, never read") }
        let isKey = given[\.key] || kinds.contains(true)
        let device = MatrixDevice(try DeviceOptions.device(given[\.device]))
        let assumes = Proving.assumed(given[\.assumptions])
        let all = PolicySpace.policies(forKey: isKey).count
        let found = Proving.wait { [claims] in
            await Suggestion(
                for: claims, isKey: isKey, on: device.settings, isSetUp: device.isSetUp, assuming: assumes,
                tasks: max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
            ) { Proving.progress($0, all) }
        }
        let text =
            switch given[\.format] ?? .table {
            case .markdown: found.markdown
            case .json: found.json
            case .table: found.text(colored: Output.isColored && given[\.output] == nil)
            }
        let shown = Output.deliver(text, to: given[\.output])
        if found.candidates.isEmpty {
            Output.write(shown)
            exit(1)
        }
        return shown
    }

    /// Returns the claims that the options state in pairs.
    private static func paired(_ given: Given<Options>) throws(UsageError) -> [Claim.Statement] {
        let (never, against) = (given[\.never], given[\.against])
        if never.count != against.count { throw UsageError("every --never needs its --against, in the same order") }
        let (can, by) = (given[\.eventuallyCan], given[\.by])
        if by.count > can.count { throw UsageError("every --by needs its --eventually-can, in the same order") }
        return zip(never, against).map { .never($0, against: $1) }
            + can.enumerated().map { place, aim in .eventuallyCan(aim, by: place < by.count ? by[place] : .owner) }
    }

    /// Parses a claim in the words in which reports show it.
    private static func claim(_ text: String) throws(UsageError) -> Claim.Statement {
        let words = text.split(separator: " ").map(String.init)
        let statement: Claim.Statement? =
            switch (words.first, words.count) {
            case ("never", 4) where words[2] == "against":
                .never(try Proving.aim(words[1]), against: try Proving.profile(words[3]))
            case ("eventually-can", 4) where words[2] == "by":
                .eventuallyCan(try Proving.aim(words[1]), by: try Proving.profile(words[3]))
            case ("always-can", 6) where words[2] == "by" && words[4] == "against":
                .alwaysCan(
                    try Proving.aim(words[1]), by: try Proving.profile(words[3]), against: try Proving.profile(words[5])
                )
            case ("gone-after-enrollment-change", 1): .goneAfterEnrollmentChange
            default: nil
            }
        guard let statement else {
            throw UsageError(
                "\"\(Terminal.word(text))\" is no claim: write \"never AIM against PROFILE\", \"eventually-can AIM by PROFILE\", "
                    + "\"always-can AIM by PROFILE against PROFILE\" or \"gone-after-enrollment-change\"")
        }
        return statement
    }
}
