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
            "--use", value: "USE", says: "only this use: read, use, list, find, overwrite, destroy or store")
        let format = Option<Format?>(
            "--format", value: "FORMAT",
            says: "table (the default), markdown, csv, json or html")
        let output = Output.option
    }

    static let declaration = Declaration(
        name: "matrix", summary: "show who can do what with an item, in every condition of its device",
        text: """
            Shows who can read, list, overwrite, destroy and store an item, in every condition of its device: the owner, people
            with only the owner's finger, passcode or watch, a thief who saw the passcode, and a stranger. Each cell is the
            engine's answer to one trial. Give a scenario file, or a policy in options.
            """,
        operands: [
            Operand(
                name: "FILE", says: "a scenario file", values: .file, isOptional: true, ifMore: "name only one file"
            )
        ],
        options: Options(),
        examples: [
            ("latchkey matrix --require biometryCurrentSet --accessible whenPasscodeSetThisDeviceOnly", ""),
            ("latchkey matrix --require \"biometryAny or devicePasscode\" --use read", ""),
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
            if let said { throw UsageError("\(said) does not go with a file, which states it") }
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
        case .find: "find is a separate use only if a file says that attributes are open"
        default: "no item has the use \(use.rawValue): a private key is used, and any other item is read"
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
        if pages.isEmpty { Output.fail("\(Terminal.line(path)) declares no item and no policy", status: 2) }
        return pages
    }
}
