internal import DeviceModel
internal import Dispatch
internal import Glibc
internal import PlainText
internal import PolicyProver
internal import PolicyReports
internal import PolicyScenarios

/// `latchkey suggest`
enum SuggestCommand {
    static let declaration = Declaration(
        name: "suggest", summary: "find the policies that make claims true and ask least of the owner",
        text: """
            Searches every policy that flags can write for those that make all claims true, and shows the ones that ask least \
            of the owner. One asks less than another where, in every circumstance, the owner can use it wherever they can use \
            the other, with no more proofs, and somewhere with fewer or at all: the circumstances are the usual mishaps, such as \
            a wet finger, a new finger, a restart, or a move to another device. Of those that ask the very same, the one in the \
            strictest class is shown.

            Where no policy makes all claims true, it shows as few of them as clash. Claims about "use" are about private keys.

            A claim is written as one word, such as "never read against passcode-thief", or with options, where the first \
            --against belongs to the first --never, and the first --by to the first --eventually-can. Besides those two there are \
            "always-can read by owner against borrower" and "gone-after-enrollment-change", as words only. The profiles are \
            those of latchkey profiles.
            """,
        operands: [
            Operand(
                name: "CLAIM",
                says: "such as \"never read against passcode-thief\" or \"eventually-can read by owner\"",
                isOptional: true, isRepeated: true)
        ],
        options: [
            OptionGroup(
                options: [
                    Option(
                        "--never", value: "AIM", "nobody like --against comes to that", values: aims, isRepeated: true),
                    Option("--against", value: "PROFILE", "whom --never is about", values: profiles, isRepeated: true),
                    Option(
                        "--eventually-can", value: "AIM", "somebody like --by can come to that", values: aims,
                        isRepeated: true),
                    Option(
                        "--by", value: "PROFILE", "whom --eventually-can is about; the owner", values: profiles,
                        isRepeated: true),
                ] + Proving.assumptions + [
                    Option("--key", "for a private key, as claims about use say too"),
                    Option("--device", value: "DEVICE", "the device, as for matrix", values: devices),
                    PolicyOptions.protection,
                    Proving.formats, Proving.output,
                ])
        ],
        examples: [
            ("latchkey suggest \"never read against passcode-thief\" \"eventually-can read by owner\"", ""),
            ("latchkey suggest --never use --against coerced-finger --eventually-can use --by injured-finger", ""),
        ],
        statuses: [(0, "there are such policies"), (1, "there is none"), (2, "the command line was not understood")],
        group: "policies", run: run)

    private static let aims = Values.words(Aim.allCases.map(\.rawValue))
    private static let profiles = Values.words(Proving.profileNames)
    private static let devices = PolicyOptions.options.first { $0.names[0] == "--device" }?.values ?? .anything

    @Sendable private static func run(_ given: Given) throws(UsageError) -> String {
        let format = try Proving.format(given)
        var claims: [Claim.Statement] = []
        for word in given.words { claims.append(try claim(word)) }
        claims += try paired(given)
        if claims.isEmpty { throw UsageError("say a claim, such as \"never read against passcode-thief\"") }
        let kinds = claims.compactMap(\.isAboutKey)
        if Set(kinds).count > 1 {
            throw UsageError("a private key is used, and all else is read: no policy is about both")
        }
        if given.has("--key") && kinds.contains(false) { throw UsageError("a private key is used and never read") }
        let isKey = given.has("--key") || kinds.contains(true)
        let device = MatrixDevice(try PolicyOptions.device(given))
        let assumes = try Proving.assumed(given)
        let all = PolicySpace.policies(forKey: isKey).count
        let found = Proving.wait { [claims] in
            await Suggestion(
                for: claims, isKey: isKey, on: device.settings, isSetUp: device.isSetUp, assuming: assumes,
                tasks: max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
            ) { Proving.progress($0, all) }
        }
        let text =
            switch format {
            case "markdown": found.markdown
            case "json": found.json
            default: found.text(coloured: Proving.isColoured(given))
            }
        let shown = Proving.deliver(text, given)
        if found.candidates.isEmpty {
            Output.write(shown)
            exit(1)
        }
        return shown
    }

    /// The claims that options say, in pairs.
    private static func paired(_ given: Given) throws(UsageError) -> [Claim.Statement] {
        var claims: [Claim.Statement] = []
        let never = given.values["--never"] ?? []
        let against = given.values["--against"] ?? []
        if never.count != against.count { throw UsageError("every --never needs its --against, in the same order") }
        for (aim, profile) in zip(never, against) {
            if let aim = try Proving.aim(aim), let profile = try Proving.profile(profile) {
                claims.append(.never(aim, against: profile))
            }
        }
        let can = given.values["--eventually-can"] ?? []
        let by = given.values["--by"] ?? []
        if by.count > can.count { throw UsageError("every --by needs its --eventually-can, in the same order") }
        for (place, aim) in can.enumerated() {
            let profile = place < by.count ? try Proving.profile(by[place]) : .owner
            if let aim = try Proving.aim(aim), let profile { claims.append(.eventuallyCan(aim, by: profile)) }
        }
        return claims
    }

    /// A claim in the words that it is shown with.
    private static func claim(_ text: String) throws(UsageError) -> Claim.Statement {
        let words = text.split(separator: " ").map(String.init)
        let statement: Claim.Statement? =
            switch (words.first, words.count) {
            case ("never", 4) where words[2] == "against":
                try pair(words[1], words[3]).map { .never($0.0, against: $0.1) }
            case ("eventually-can", 4) where words[2] == "by":
                try pair(words[1], words[3]).map { .eventuallyCan($0.0, by: $0.1) }
            case ("always-can", 6) where words[2] == "by" && words[4] == "against":
                try always(words)
            case ("gone-after-enrollment-change", 1): .goneAfterEnrollmentChange
            default: nil
            }
        guard let statement else {
            throw UsageError(
                "\"\(Terminal.word(text))\" is no claim: say \"never AIM against PROFILE\", \"eventually-can AIM by PROFILE\", "
                    + "\"always-can AIM by PROFILE against PROFILE\" or \"gone-after-enrollment-change\"")
        }
        return statement
    }

    private static func pair(_ aim: String, _ profile: String) throws(UsageError) -> (Aim, Profile)? {
        guard let aim = try Proving.aim(aim), let profile = try Proving.profile(profile) else { return nil }
        return (aim, profile)
    }

    private static func always(_ words: [String]) throws(UsageError) -> Claim.Statement? {
        guard let (aim, owner) = try pair(words[1], words[3]), let attacker = try Proving.profile(words[5]) else {
            return nil
        }
        return .alwaysCan(aim, by: owner, against: attacker)
    }
}
