internal import AccessPolicy
package import DeviceModel
package import ScenarioFormat

/// An item or a policy of a file with its name, and the device of the file.
package struct NamedPolicy: Sendable {
    /// The name in the file.
    package let name: String
    /// The access policy.
    package let policy: MatrixPolicy
    /// The device that the file declares.
    package let device: MatrixDevice

    /// Returns everything that a file names: its items, then its policies, including those that no item uses.
    package static func all(in file: ScenarioFile) -> [NamedPolicy] {
        let documents = file.scenarios + file.declarations
        let items = documents.flatMap { document in
            document.items.map {
                NamedPolicy(name: $0.name, policy: MatrixPolicy($0), device: MatrixDevice(document.device))
            }
        }
        let policies = documents.flatMap { document in
            document.policies.map { declared in
                let policy = MatrixPolicy(declared.control, isKey: declared.control.guardsKeyUse)
                return NamedPolicy(name: declared.name, policy: policy, device: MatrixDevice(document.device))
            }
        }
        return items + policies
    }
}

extension MatrixPolicy {
    /// Creates the policy of an item in a file.
    package init(_ item: ItemSetup) {
        self.init(
            item.control, isKey: item.itemClass.isEnclaveKey(under: item.control),
            isSynchronizable: item.isSynchronizable)
    }
}

extension MatrixDevice {
    /// Creates the device of a file.
    package init(_ device: DeviceSetup) { self.init(device.settings, isSetUp: device.passcode != nil) }

    /// Creates the device of a preset.
    package init(_ preset: DevicePreset) {
        self.init(preset.settings, isSetUp: preset.passcode != nil)
    }
}
