internal import AccessPolicy
internal import Glibc
internal import Latchkey
internal import PolicyScenarios

/// `latchkey matrix`
enum MatrixCommand {
    private static let formats = ["table", "markdown", "csv", "json", "html"]

    private static let help = """
        usage: latchkey matrix FILE [OPTION…]
               latchkey matrix [--require FLAGS] [--accessible CLASS] [--key] [--synchronizable] [--device DEVICE] [OPTION…]

        Shows who can read, list, overwrite and destroy an item, and store another one like it, in every condition that its
        device can come to: the owner, somebody with their finger, their passcode or their watch alone, a thief who has seen
        the passcode, and a stranger. Each cell is what the engine answers to one trial. A private key is used, not read.

        The policy is that of every item in a file of scenarios, every one that a file without steps declares, or:
          --require FLAGS     such as biometryCurrentSet, "biometryAny or devicePasscode" or none
          --accessible CLASS  such as whenPasscodeSetThisDeviceOnly; whenUnlocked where nothing is said
          --key               the item is a private key, as privateKeyUsage says too
          --synchronizable    the item asks to travel through iCloud Keychain
          --device DEVICE     \(DevicePreset.all.map(\.name).joined(separator: ", "));
                              the first where nothing is said

        options:
          --use USE           only this: read, use, list, find, overwrite, destroy or store
          --format FORMAT     table, markdown, csv, json, or html: one page that can be read offline, in light and dark
          --output FILE       write there instead, the whole or nothing; what was there before is replaced

        The same in gives the same out.

        examples:
          latchkey matrix --require biometryCurrentSet --accessible whenPasscodeSetThisDeviceOnly
          latchkey matrix --require "biometryAny or devicePasscode" --use read
          latchkey matrix --require "userPresence privateKeyUsage" --format json
          latchkey matrix token.yaml --format html --output review.html

        Exit status: 0 done, 1 could not be done, 2 the command line or the file was not understood.

        """

    private static let valued = ["--require", "--accessible", "--device", "--use", "--format", "--output"]
    private static let alone = ["--key", "--synchronizable", "--help", "-h"]
    /// What says the policy, where no file does.
    private static let ofPolicy = ["--require", "--accessible", "--key", "--synchronizable", "--device"]

    static func run(_ arguments: inout Arguments) throws(UsageError) -> String {
        let (values, set, words) = try arguments.options(withValue: valued, alone: alone, takesWords: true)
        if set.contains("--help") || set.contains("-h") { return help }
        let format = try value(of: values["--format"], "format", formats.map { ($0, $0) }) ?? "table"
        let use = try value(of: values["--use"], "use", MatrixUse.allCases.map { ($0.rawValue, $0) })
        let given = ofPolicy.first { values[$0] != nil || set.contains($0) }
        if words.count > 1 { throw UsageError("one file at a time") }

        var pages: [MatrixPage]
        if let path = words.first {
            if let given { throw UsageError("\(given) does not go with a file, which says it itself") }
            pages = self.pages(of: path, use)
        } else if given != nil {
            pages = [try page(values, set, use)]
        } else {
            throw UsageError("name a file, or a policy with --require or --accessible")
        }
        pages.removeAll { $0.uses.isEmpty }
        if pages.isEmpty, let use {
            throw UsageError(unusable(use))
        }

        let isColoured = Output.isColoured && values["--output"] == nil
        let text =
            switch format {
            case "markdown": MatrixPage.markdown(pages)
            case "csv": MatrixPage.csv(pages)
            case "json": MatrixPage.json(pages)
            case "html": MatrixPage.html(pages)
            default: MatrixPage.table(pages, coloured: isColoured)
            }
        guard let path = values["--output"] else { return text }
        if let trouble = OutputFile.replace(path, with: text) { Output.fail(trouble, status: 1) }
        return ""
    }

    private static func unusable(_ use: MatrixUse) -> String {
        switch use {
        case .find: "find is a use of its own only where a file says that attributes are open"
        default: "no item there has the use \(use.rawValue): a private key is used, and all else is read"
        }
    }

    private static func value<Value>(
        of word: String?, _ kind: String, _ known: [(String, Value)]
    ) throws(UsageError) -> Value? {
        guard let word else { return nil }
        guard let value = known.first(where: { $0.0 == word })?.1 else {
            throw UsageError(unknown: kind, word, among: known.map(\.0))
        }
        return value
    }

    private static func page(
        _ values: [String: String], _ set: Set<String>, _ use: MatrixUse?
    ) throws(UsageError) -> MatrixPage {
        let protection = try value(
            of: values["--accessible"], "class", Accessibility.allCases.map { ($0.name, $0) })
        let preset = try value(of: values["--device"], "device", DevicePreset.all.map { ($0.name, $0) })
        var control = AccessControl(protection ?? .whenUnlocked)
        if let require = values["--require"] {
            if let word = AccessControlFlags.unknownWords(in: require).first {
                throw UsageError(unknown: "flag", word, among: AccessControlFlags.words)
            }
            do throws(FlagsRefused) {
                control = try AccessControl(
                    protection: control.protection, flags: AccessControlFlags(written: require))
            } catch {
                throw UsageError("\(error)")
            }
        }
        let policy = MatrixPolicy(
            control, isKey: set.contains("--key") || control.guardsKeyUse,
            isSynchronizable: set.contains("--synchronizable"))
        return MatrixPage(name: "", policy, on: MatrixDevice(preset ?? .usual), showing: use.map { [$0] })
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
        if pages.isEmpty { Output.fail("\(printable(path)): no item and no policy is declared there", status: 2) }
        return pages
    }
}
