internal import CommandLineKit
internal import Glibc
internal import LatchkeyCLI
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
        let file = FileOptions()
        let mastg = Option(
            "--mastg",
            says: "run OWASP's MASTG-TEST-0266 to 0271 on each item, instead of the claims")
        let shipped = Option("--shipped", says: "prove the claims that come with Latchkey")
        let format = Option<ProofFormat?>(
            "--format", value: "FORMAT", says: "human (the default), json, junit, github, or sarif (2.1.0)")
        let save = Option(
            "--save", value: "FILE",
            says: "write the attacks to this file as scenarios for latchkey test, and replace it", values: .file)
        let mostSituations = Option(
            "--most-situations", value: "NUMBER",
            says: "the bound of a search, about 110 bytes each; six million by default"
        ) { (text) throws(UsageError) in
            guard let most = Int(text), most > 0 else {
                throw UsageError("--most-situations needs a number of situations, not \"\(Terminal.word(text))\"")
            }
            return most
        }
    }

    static let declaration = Declaration(
        name: "prove", summary: "prove claims about an item or a file, or show the shortest attack",
        text: """
            Proves the claims in scenario files, or a claim in options, by searching every situation that a person can reach
            on the device. If a claim fails, it prints the shortest attack, step by step. Attacks on the files of a vault are
            outside of the model. Without --require, the item needs no authentication. With --file, the claim is about a file
            of the app: read-file, create-file or append-file. See docs/proving.md.
            """,
        operands: [
            Operand(
                name: "FILE", says: "scenario files, folders of them, and patterns (quote these)",
                values: .file, isOptional: true, isRepeated: true)
        ],
        options: Options(),
        examples: [
            (
                "latchkey prove --require biometryCurrentSet --never read --against passcode-thief",
                ""
            ),
            ("latchkey prove --require biometryAny --never read --against passcode-thief --save attack.yaml", ""),
            ("latchkey prove --file complete --never read-file --against watch-thief", ""),
            ("latchkey prove claims.yaml --format sarif > claims.sarif", ""),
        ],
        statuses: [
            (0, "every claim came out as expected"), (1, "a claim did not, and its attack is shown"),
            (2, "a file or the command line was not understood"),
            (3, "a search met its bound, or steps exercise nothing of a test; else as expected"),
        ],
        group: "policies",
        usages: [
            "FILE… [OPTION…]", "CLAIM [--require FLAGS] [--accessible CLASS] [OPTION…]",
            "CLAIM --file PROTECTION [OPTION…]", "--mastg FILE… [OPTION…]", "--shipped [OPTION…]",
        ],
        run: run)

    @Sendable private static func run(_ given: Given<Options>) throws(UsageError) -> String {
        var limits = SearchLimits()
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
        if let said = given[\.claim].firstOption ?? given[\.policy].firstOption ?? given[\.file].firstOption {
            if !given.words.isEmpty { throw UsageError("\(said) does not go with a file, which states it") }
            if let all = given.first(of: [\.shipped.facts, \.mastg.facts]) {
                throw UsageError("\(said) does not go with \(all), which states it")
            }
            return [
                try ClaimOptions.proposition(
                    given[\.claim], about: given[\.policy],
                    or: try FileOptions.file(given[\.file], besides: given[\.policy]), isSaved: given[\.save] != nil)
            ]
        }
        if given[\.mastg] && given.words.isEmpty {
            throw UsageError("--mastg tests the items in files: name a file")
        }
        if given[\.shipped] {
            if !given.words.isEmpty { throw UsageError("--shipped does not go with a file: prove one at a time") }
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
        do throws(ScenarioFileError) { files = try Discovery.files(paths) } catch { Output.fail("\(error)", status: 2) }
        let suite = Suite(files: files)
        if !suite.isUnderstood { exit(Complaints.tell(suite, as: format)) }
        let (propositions, mistakes) =
            asMASTG ? Proposition.mastg(of: suite.declaring) : Proposition.all(of: suite.claiming)
        if !mistakes.isEmpty { exit(Complaints.tell(mistakes, as: format)) }
        if propositions.isEmpty && asMASTG { Output.fail("these files declare no item", status: 2) }
        if propositions.isEmpty { Output.fail("these files make no claim: see docs/proving.md", status: 2) }
        return propositions
    }
}
