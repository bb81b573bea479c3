internal import SodiumKit

/// A use that was counted, with what was read for it.
struct TakenUse: ~Copyable {
    let number: Int
    /// The part of the secret that was asked for; nil if the item has none such.
    var secret: SecureBytes?
}
