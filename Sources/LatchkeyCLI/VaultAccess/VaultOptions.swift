package import CommandLineKit

/// The options of a command that takes only the vault.
package struct VaultOption: OptionList {
    package let vault = VaultAccess.option

    package init() {}
}

/// The options of a command that reports on a vault.
package struct VaultReportOptions: OptionList {
    package let vault = VaultAccess.option
    package let json = Option("--json", says: "print JSON")

    package init() {}
}

extension Values {
    /// The names of secrets in the vault.
    package static let secret = Values.listed(secrets)

    /// A variable, an equals sign and the name of a secret in the vault.
    package static let variable = Values.assigned(secrets)

    /// The fields of the secret that the word before names.
    static let fields = Values.listed(
        NameList(command: "history --fields", options: VaultAccess.listOptions, takesFirstWord: true))

    private static let secrets = NameList(command: "list --names", options: VaultAccess.listOptions)

    /// The names of the enrolled fingers and faces.
    package static let enrolled = Values.listed(
        NameList(command: "biometry list --names", options: VaultAccess.listOptions))
}

extension VaultAccess {
    /// The options by which completion finds the vault whose names it lists.
    package static let listOptions = ["--vault"]
}
