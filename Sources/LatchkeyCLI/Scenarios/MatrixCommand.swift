internal import Glibc
internal import Latchkey
internal import PlainText
internal import PolicyReports
internal import PolicyScenarios
internal import ScenarioFormat

/// `latchkey matrix`
enum MatrixCommand {
    private static let formats = ["table", "markdown", "csv", "json", "html"]

    static let declaration = Declaration(
        name: "matrix", summary: "show who can do what with an item, in every condition of its device",
        text: """
            Shows who can read, list, overwrite and destroy an item, and store another one like it, in every condition that
            its device can come to: the owner, somebody with their finger, their passcode or their watch alone, a thief who
            has seen the passcode, and a stranger. Each cell is what the engine answers to one trial. A private key is used,
            not read. The same in gives the same out.

            The policy is that of every item in a file of scenarios, every one that a file without steps declares, or what
            options say.
            """,
        operands: [
            Operand(
                name: "FILE", says: "a file of scenarios", values: .file, isOptional: true, ifMore: "one file at a time"
            )
        ],
        options: [policy, shape],
        examples: [
            ("latchkey matrix --require biometryCurrentSet --accessible whenPasscodeSetThisDeviceOnly", ""),
            ("latchkey matrix --require \"biometryAny or devicePasscode\" --use read", ""),
            ("latchkey matrix --require \"userPresence privateKeyUsage\" --format json", ""),
            ("latchkey matrix token.yaml --format html --output review.html", ""),
        ],
        statuses: [(2, "the command line or the file was not understood")],
        group: "policies",
        usages: [
            "FILE [OPTION…]",
            "[--require FLAGS] [--accessible CLASS] [--key] [--synchronizable] [--device DEVICE] [OPTION…]",
        ],
        run: run)

    /// What says the policy, where no file does.
    private static let policy = OptionGroup(
        heading: "the policy, where no file says it", options: PolicyOptions.options)

    private static let shape = OptionGroup(options: [
        Option(
            "--use", value: "USE", "only this: read, use, list, find, overwrite, destroy or store",
            values: .words(MatrixUse.allCases.map(\.rawValue))),
        Option(
            "--format", value: "FORMAT",
            "table, markdown, csv, json, or html: one page that can be read offline, in light and dark",
            values: .words(formats)),
        Option(
            "--output", value: "FILE", "write there instead, the whole or nothing; what was there before is replaced",
            values: .file),
    ])

    @Sendable private static func run(_ given: Given) throws(UsageError) -> String {
        let format = try PolicyOptions.known(given["--format"], "format", formats.map { ($0, $0) }) ?? "table"
        let use = try PolicyOptions.known(given["--use"], "use", MatrixUse.allCases.map { ($0.rawValue, $0) })
        let said = PolicyOptions.said(given)

        var pages: [MatrixPage]
        if let path = given.words.first {
            if let said { throw UsageError("\(said) does not go with a file, which says it itself") }
            pages = self.pages(of: path, use)
        } else if said != nil {
            pages = [try page(given, use)]
        } else {
            throw UsageError("name a file, or a policy with --require or --accessible")
        }
        pages.removeAll { $0.uses.isEmpty }
        if pages.isEmpty, let use {
            throw UsageError(unusable(use))
        }

        let isColoured = Output.isColoured && given["--output"] == nil
        let text =
            switch format {
            case "markdown": MatrixPage.markdown(pages)
            case "csv": MatrixPage.csv(pages)
            case "json": MatrixPage.json(pages)
            case "html": MatrixPage.html(pages)
            default: MatrixPage.table(pages, coloured: isColoured)
            }
        guard let path = given["--output"] else { return text }
        Output.replace(path, with: text)
        return ""
    }

    private static func unusable(_ use: MatrixUse) -> String {
        switch use {
        case .find: "find is a use of its own only where a file says that attributes are open"
        default: "no item there has the use \(use.rawValue): a private key is used, and all else is read"
        }
    }

    private static func page(_ given: Given, _ use: MatrixUse?) throws(UsageError) -> MatrixPage {
        let device = MatrixDevice(try PolicyOptions.device(given))
        return MatrixPage(name: "", try PolicyOptions.policy(given), on: device, showing: use.map { [$0] })
    }

    private static func pages(of path: String, _ use: MatrixUse?) -> [MatrixPage] {
        let file: ScenarioFile
        do throws(FileTrouble) {
            file = try ScenarioFile(path)
        } catch {
            Output.fail("\(error)", status: 2)
        }
        if !file.mistakes.isEmpty { exit(Complaints.tell(file.mistakes)) }
        let pages = MatrixPage.pages(of: file, showing: use.map { [$0] })
        if pages.isEmpty { Output.fail("\(Terminal.line(path)): no item and no policy is declared there", status: 2) }
        return pages
    }
}
