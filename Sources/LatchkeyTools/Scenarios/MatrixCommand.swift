internal import CommandLineKit
internal import Glibc
internal import Latchkey
internal import LatchkeyCLI
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
        let files = Option(
            "--files", says: "the protection classes of files instead of an item: those of FILE, or all")
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
            engine's answer to one trial. Give a scenario file, or a policy in options. For a file with several devices, it also
            shows who can read each item on each device, once their account has delivered everything.

            With --files, it shows for each protection class when an app can create, open and use a file, move it to another
            class, and see its name.
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
            ("latchkey matrix --files", ""),
        ],
        statuses: [(2, "the command line or the file was not understood")],
        group: "policies",
        usages: [
            "FILE [OPTION…]",
            "[--require FLAGS] [--accessible CLASS] [--key] [--synchronizable] [--device DEVICE] [OPTION…]",
            "--files [FILE] [--device DEVICE] [OPTION…]",
        ],
        run: run)

    @Sendable private static func run(_ given: Given<Options>) throws(UsageError) -> String {
        if given[\.files] { return try ofFiles(given) }
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

    /// Shows the protection classes of files.
    private static func ofFiles(_ given: Given<Options>) throws(UsageError) -> String {
        let others = given.first(
            of: [
                \.policy.require.facts, \.policy.accessible.facts, \.policy.key.facts, \.policy.synchronizable.facts,
                \.use.facts,
            ])
        if let option = others { throw UsageError("\(option) is about items, and does not go with --files") }
        var pages: [FileMatrixPage]
        if let path = given.words.first {
            if let option = given[\.policy.device].firstOption {
                throw UsageError("\(option) does not go with a file, which states it")
            }
            pages = FileMatrixPage.pages(of: file(path))
            if pages.isEmpty { Output.fail("\(Terminal.line(path)) declares no file under \"files\"", status: 2) }
        } else {
            pages = [FileMatrixPage(on: MatrixDevice(try DeviceOptions.device(given[\.policy.device])))]
        }
        let text =
            switch given[\.format] ?? .table {
            case .markdown: FileMatrixPage.markdown(pages)
            case .csv: FileMatrixPage.csv(pages)
            case .json: FileMatrixPage.json(pages)
            case .html: FileMatrixPage.html(pages)
            case .table:
                FileMatrixPage.table(pages, colored: Output.isColored && given[\.output] == nil)
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
        let file = file(path)
        let pages = MatrixPage.pages(of: file, showing: use.map { [$0] })
        if pages.isEmpty {
            let hint = FileMatrixPage.pages(of: file).isEmpty ? "" : ": add --files to see its files"
            Output.fail("\(Terminal.line(path)) declares no item and no policy\(hint)", status: 2)
        }
        return pages
    }

    /// Reads the scenario file at `path`, or ends the command if it is not understood.
    private static func file(_ path: String) -> ScenarioFile {
        let file: ScenarioFile
        do throws(ScenarioFileError) { file = try ScenarioFile(path) } catch { Output.fail("\(error)", status: 2) }
        if !file.mistakes.isEmpty { exit(Complaints.tell(file.mistakes)) }
        return file
    }
}
