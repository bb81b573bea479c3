internal import AccessPolicy
internal import CommandLineKit
internal import DeviceModel
internal import LatchkeyCLI

/// The options that state a file.
struct FileOptions: OptionList {
    let heading = "file, instead of an item"
    let protection = Option(
        "--file", value: "PROTECTION",
        says: "a file of this protection class: \(FileProtection.allCases.map(\.name).joined(separator: ", "))",
        among: FileProtection.allCases.map { ($0.name, $0) })
    let isExcluded = Option("--excluded-from-backup", says: "every backup leaves the file out")
    let isOpen = Option("--held-open", says: "the app holds the file open")

    /// Returns the file; nil if no option states one.
    ///
    /// - Throws: `UsageError` if an option states something about a file without its class, or states an item as well.
    static func file(_ given: Given<FileOptions>, besides policy: Given<PolicyOptions>) throws(UsageError) -> FileSlot?
    {
        guard let protection = given[\.protection] else {
            if let option = given.firstOption { throw UsageError("\(option) needs --file with a protection class") }
            return nil
        }
        let ofItem = policy.first(
            of: [\.require.facts, \.accessible.facts, \.key.facts, \.synchronizable.facts])
        if let option = ofItem { throw UsageError("\(option) is about an item, and does not go with --file") }
        return FileSlot(protection, isExcludedFromBackup: given[\.isExcluded], isOpen: given[\.isOpen])
    }
}
