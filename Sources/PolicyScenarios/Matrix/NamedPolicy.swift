internal import AccessPolicy
internal import DeviceModel
package import Latchkey
package import ScenarioFormat

/// An item or a policy of a file by its name, and the device that the file has.
package struct NamedPolicy: Sendable {
    package let name: String
    package let policy: MatrixPolicy
    package let device: MatrixDevice

    /// Everything that a file names: its items, and then its policies, also those that no item has.
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
    /// That of an item in a file.
    package init(_ item: ItemSetup) {
        self.init(
            item.control, isKey: item.itemClass.isEnclaveKey(under: item.control),
            isSynchronizable: item.isSynchronizable)
    }
}

extension MatrixDevice {
    /// That of a file.
    package init(_ device: DeviceSetup) { self.init(device.settings, isSetUp: device.passcode != nil) }

    /// A device that people know by name.
    package init(_ preset: DevicePreset) {
        self.init(preset.settings, isSetUp: preset.passcode != nil)
    }
}
