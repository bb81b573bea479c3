internal import AccessPolicy
internal import DeviceModel
internal import Latchkey
package import PolicyScenarios
package import ScenarioFormat

extension MatrixPage {
    /// Returns a page for each policy of a file's items on each device, named after the items.
    ///
    /// If a document only declares something, its policies that no item uses get pages too.
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
