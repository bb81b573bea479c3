internal import CommandLineKit

/// The options of a helper that stores what another program gives it.
struct StoringOptions: OptionList {
    let vault = VaultAccess.option
    let policy = ItemPolicyWords.Options(heading: "what those that are stored demand")
}
