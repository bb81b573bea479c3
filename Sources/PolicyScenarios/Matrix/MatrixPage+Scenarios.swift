internal import AccessPolicy
internal import DeviceModel
package import Latchkey

extension MatrixPage {
    /// A page for each policy that the items of a file have, with the items' names; the same policy on another device is
    /// another page. Of what a file only declares, also the policies that no item has.
    package static func pages(of file: ScenarioFile, showing uses: [MatrixUse]? = nil) -> [MatrixPage] {
        struct Place: Hashable {
            let policy: MatrixPolicy
            let device: MatrixDevice
        }
        var places: [Place] = []
        var names: [Place: [String]] = [:]
        var known: [Place: Set<String>] = [:]
        func add(_ name: String, _ place: Place) {
            if names[place] == nil { places.append(place) }
            if known[place, default: []].insert(name).inserted { names[place, default: []].append(name) }
        }
        for scenario in file.scenarios + file.declarations {
            let device = MatrixDevice(scenario.device)
            for item in scenario.items { add(item.name, Place(policy: MatrixPolicy(item), device: device)) }
        }
        for declared in file.declarations {
            for policy in declared.policies {
                let demand = MatrixPolicy(policy.control, isKey: policy.control.guardsKeyUse)
                add(policy.name, Place(policy: demand, device: MatrixDevice(declared.device)))
            }
        }
        return places.map { place in
            MatrixPage(
                name: (names[place] ?? []).joined(separator: ", "), place.policy, on: place.device, showing: uses)
        }
    }
}

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
    fileprivate init(_ item: ItemSetup) {
        self.init(
            item.control, isKey: item.itemClass.isEnclaveKey(under: item.control),
            isSynchronizable: item.isSynchronizable)
    }
}

extension MatrixDevice {
    /// That of a file.
    fileprivate init(_ device: DeviceSetup) { self.init(device.settings, isSetUp: device.passcode != nil) }

    /// A device that people know by name.
    package init(_ preset: DevicePreset) {
        self.init(preset.settings, isSetUp: preset.passcode != nil)
    }
}
