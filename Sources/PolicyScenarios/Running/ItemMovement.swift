package import AccessPolicy
internal import Latchkey
package import ScenarioFormat
internal import SecretVault

/// A movement of an item between the devices of an account, or the rule by which it stayed.
package struct ItemMovement: Hashable, Sendable {
    /// The index of the device that sent, received, kept or dropped the item.
    package let device: Int
    package let rule: SyncRule
    /// The names of the item's attributes; nil while its class key is unavailable, or if the rule is about the device.
    package let label: String?

    /// Returns the synchronizable items of `scenario` that the movement can be about. Without a label, it can be about all.
    package func items(in scenario: Scenario) -> [ItemSetup] {
        scenario.items.filter { item in
            item.isSynchronizable
                && (label == nil || label == SyncedKeychain.label(of: item.itemClass, item.attributes))
        }
    }

    /// Returns the name of the item in `scenario`; empty if the movement has no label.
    ///
    /// A step may change the attributes of an item, so that its label is no declared one. Then the label is its name.
    package func name(in scenario: Scenario) -> String {
        guard let label else { return "" }
        let names = items(in: scenario).map(\.name)
        return names.isEmpty ? label : names.joined(separator: " or ")
    }
}
