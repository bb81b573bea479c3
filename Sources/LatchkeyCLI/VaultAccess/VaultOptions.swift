internal import CommandLineKit

/// The options of a command that takes only the vault.
struct VaultOption: OptionList {
    let vault = VaultAccess.option
}

/// The options of a command that reports on a vault.
struct VaultReportOptions: OptionList {
    let vault = VaultAccess.option
    let json = Option("--json", says: "print JSON")
}

extension Values {
    /// The names of secrets in the vault.
    static let secret = Values.listed(secrets)

    /// A variable, an equals sign and the name of a secret in the vault.
    static let variable = Values.assigned(secrets)

    /// The fields of the secret that the word before names.
    static let fields = Values.listed(
        NameList(command: "history --fields", options: VaultAccess.listOptions, takesFirstWord: true))

    private static let secrets = NameList(command: "list --names", options: VaultAccess.listOptions)

    /// The names of the enrolled fingers and faces.
    static let enrolled = Values.listed(
        NameList(command: "biometry list --names", options: VaultAccess.listOptions))
}

extension VaultAccess {
    /// The options by which completion finds the vault whose names it lists.
    static let listOptions = ["--vault"]
}
