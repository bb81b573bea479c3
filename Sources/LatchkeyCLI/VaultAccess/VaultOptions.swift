internal import CommandLineKit

/// The options of a command that takes no others than the vault.
struct VaultOptions: OptionList {
    let vault = VaultAccess.option
}

/// The options of a command that reports something of a vault.
struct VaultReportOptions: OptionList {
    let vault = VaultAccess.option
    let json = Option("--json", says: "as JSON")
}

extension Values {
    /// The names of secrets in the vault.
    static let secret = Values.listed(NameList(id: "secrets", heading: "secret", command: "list --names"))

    /// The names of enrolled users.
    static let enrolled = Values.listed(
        NameList(id: "enrolled", heading: "who is enrolled", command: "biometry list --names"))
}
