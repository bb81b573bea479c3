internal import CommandLineKit
internal import Glibc
internal import PlainText
internal import PolicyProver
internal import PolicyReports
internal import PolicyScenarios
internal import ScenarioFormat

/// `latchkey prove`
enum ProveCommand {
    struct Options: OptionList {
        let claim = ClaimOptions()
        let policy = PolicyOptions()
        let mastg = Option(
            "--mastg",
            says:
                "OWASP's tests MASTG-TEST-0266 to 0271 of each item, instead of the claims: what it demands, and what the steps do"
        )
        let shipped = Option("--shipped", says: "proves the claims that are shipped, whose answers are known")
        let format = Option<ProofFormat?>(
            "--format", value: "FORMAT", says: "human (the usual), json, junit, github, or sarif (2.1.0)")
        let save = Option(
            "--save", value: "FILE",
            says:
                "writes the stories as scenarios there, which latchkey test plays on a real vault; replaces what was there",
            values: .file)
        let mostSituations = Option(
            "--most-situations", value: "NUMBER",
            says:
                "how many a search may come to, each of which takes about 110 bytes; six million by default"
        ) { (text) throws(UsageError) in
            guard let most = Int(text), most > 0 else {
                throw UsageError("--most-situations takes a number of situations, and not \"\(Terminal.word(text))\"")
            }
            return most
        }
    }

    static let declaration = Declaration(
        name: "prove", summary: "prove what is claimed of an item, or show step by step how it falls",
        text: """
            Searches every situation that somebody can bring about on a device, and so proves what scenario files claim of
            their items, or what options claim of a policy. Where a claim falls, the shortest story is told: what is done,
            step by step, and what lets each step through. docs/proving.md says what can be claimed, and of whom.

            A claim is about the device and the items as a file declares them, before its steps. It is about those who go
            through whatever holds the keys: somebody who has the files of a vault is outside of it.

            Where options say the claim and no --require, the item demands nothing.
            """,
        operands: [
            Operand(
                name: "FILE", says: "files of scenarios, folders with all below them, and patterns (quote them)",
                values: .file, isOptional: true, isRepeated: true)
        ],
        options: Options(),
        examples: [
            (
                "latchkey prove --require biometryCurrentSet --never read --against passcode-thief",
                ""
            ),
            ("latchkey prove --require biometryAny --never read --against passcode-thief --save story.yaml", ""),
            ("latchkey prove --require userPresence --at-most-prompts 1 --workflow read,read --reuse 5m", ""),
            ("latchkey prove claims.yaml --format sarif > claims.sarif", ""),
        ],
        statuses: [
            (0, "every claim is as expected"), (1, "a claim is not, and its story is told"),
            (2, "a file or the command line was not understood"),
            (
                3,
                "a search met its bound before it could tell, or steps exercise nothing of a test, and all else is as expected"
            ),
        ],
        group: "policies",
        usages: [
            "FILE… [OPTION…]", "CLAIM [--require FLAGS] [--accessible CLASS] [--key] [--device DEVICE] [OPTION…]",
            "--mastg FILE… [OPTION…]", "--shipped [OPTION…]",
        ],
        run: run)

    @Sendable private static func run(_ given: Given<Options>) throws(UsageError) -> String {
        var limits = Limits()
        if let most = given[\.mostSituations] { limits.situations = most }
        let propositions = try propositions(given)
        Leftovers.neverRemain()
        let status = ProofRun(
            format: given[\.format] ?? .human, limits: limits, savesTo: given[\.save],
            version: given.program.version
        ).run(propositions)
        if status != 0 { exit(status) }
        return ""
    }

    private static func propositions(_ given: Given<Options>) throws(UsageError) -> [Proposition] {
        if let said = given[\.claim].firstOption ?? given[\.policy].firstOption {
            if !given.words.isEmpty { throw UsageError("\(said) does not go with a file, which says it itself") }
            if let all = given.first(of: [\.shipped.facts, \.mastg.facts]) {
                throw UsageError("\(said) does not go with \(all), which says it itself")
            }
            return [
                try ClaimOptions.proposition(
                    given[\.claim], about: given[\.policy], isSaved: given[\.save] != nil)
            ]
        }
        if given[\.mastg] && given.words.isEmpty {
            throw UsageError("--mastg tests the items of files: name one")
        }
        if given[\.shipped] {
            if !given.words.isEmpty { throw UsageError("--shipped does not go with a file: prove one after the other") }
            return ShippedClaim.all.map { claim in
                do { return try Proposition(claim) } catch { Output.fail("\(claim.name): \(error)", status: 2) }
            }
        }
        if given.words.isEmpty { throw UsageError("name a file with claims, or a claim such as --never read") }
        return propositions(
            in: given.words, asMASTG: given[\.mastg], as: given[\.format] == .github ? .github : .human)
    }

    private static func propositions(
        in paths: [String], asMASTG: Bool, as format: ReportFormat
    ) -> [Proposition] {
        let files: [String]
        do throws(FileError) { files = try Discovery.files(paths) } catch { Output.fail("\(error)", status: 2) }
        let suite = Suite(files: files)
        if !suite.isUnderstood { exit(Complaints.tell(suite, as: format)) }
        let (propositions, mistakes) =
            asMASTG ? Proposition.mastg(of: suite.declaring) : Proposition.all(of: suite.claiming)
        if !mistakes.isEmpty { exit(Complaints.tell(mistakes, as: format)) }
        if propositions.isEmpty && asMASTG { Output.fail("no item is declared in these files", status: 2) }
        if propositions.isEmpty { Output.fail("nothing is claimed in these files: see docs/proving.md", status: 2) }
        return propositions
    }
}
