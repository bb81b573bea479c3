internal import CommandLineKit

/// The options of a helper that saves the secrets of another program.
struct StoringOptions: OptionList {
    let vault = VaultAccess.option
    let policy = ItemPolicyWords.Options(heading: "access policy of new secrets")
}
