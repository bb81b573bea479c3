public import AccessPolicy

/// A movement of an item between the devices of an account, or the reason why it did not move.
public struct SyncRecord: Sendable, CustomStringConvertible {
    /// The name of the device, such as `device 1`, in the order of signing in.
    public let device: String
    /// The names of the item; nil while the device is locked to it, and if the rule is about the device.
    public let item: String?
    /// The rule.
    public let rule: SyncRule

    /// The device, the item and the rule.
    public var description: String {
        "\(device): \(item.map { "\($0): " } ?? "")\(rule.summary) [\(rule.identifier)]"
    }
}
