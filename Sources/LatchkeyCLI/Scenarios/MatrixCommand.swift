internal import CommandLineKit
internal import Glibc
internal import Latchkey
internal import PlainText
internal import PolicyReports
internal import PolicyScenarios
internal import ScenarioFormat

/// `latchkey matrix`
enum MatrixCommand {
    enum Format: String, CaseIterable {
        case table, markdown, csv, json, html
    }

    struct Options: OptionList {
        let policy = PolicyOptions()
        let use = Option<MatrixUse?>(
            "--use", value: "USE", says: "only this: read, use, list, find, overwrite, destroy or store")
        let format = Option<Format?>(
            "--format", value: "FORMAT",
            says: "table, markdown, csv, json, or html: one page that can be read offline, in light and dark")
        let output = Output.option
    }

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
        options: Options(),
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

    @Sendable private static func run(_ given: Given<Options>) throws(UsageError) -> String {
        let use = given[\.use]
        let said = given[\.policy].firstOption

        var pages: [MatrixPage]
        if let path = given.words.first {
            if let said { throw UsageError("\(said) does not go with a file, which says it itself") }
            pages = self.pages(of: path, use)
        } else if said != nil {
            pages = [try page(given[\.policy], use)]
        } else {
            throw UsageError("name a file, or a policy with --require or --accessible")
        }
        pages.removeAll { $0.uses.isEmpty }
        if pages.isEmpty, let use {
            throw UsageError(unusable(use))
        }

        let isColored = Output.isColored && given[\.output] == nil
        let text =
            switch given[\.format] ?? .table {
            case .markdown: MatrixPage.markdown(pages)
            case .csv: MatrixPage.csv(pages)
            case .json: MatrixPage.json(pages)
            case .html: MatrixPage.html(pages)
            case .table: MatrixPage.table(pages, colored: isColored)
            }
        return Output.deliver(text, to: given[\.output])
    }

    private static func unusable(_ use: MatrixUse) -> String {
        switch use {
        case .find: "find is a use of its own only where a file says that attributes are open"
        default: "no item there has the use \(use.rawValue): a private key is used, and all else is read"
        }
    }

    private static func page(_ given: Given<PolicyOptions>, _ use: MatrixUse?) throws(UsageError) -> MatrixPage {
        let device = MatrixDevice(try DeviceOptions.device(given[\.device]))
        return MatrixPage(name: "", try PolicyOptions.policy(given), on: device, showing: use.map { [$0] })
    }

    private static func pages(of path: String, _ use: MatrixUse?) -> [MatrixPage] {
        let file: ScenarioFile
        do throws(FileError) {
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
