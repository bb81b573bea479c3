internal import DeviceModel
package import PolicyScenarios
package import ScenarioFormat

extension MatrixPage {
    /// Returns a page for each policy of a file's items on each device, named after the items.
    ///
    /// If a document only declares something, its policies that no item uses get pages too. An item whose access group has
    /// several apps gets a page for each of them that behaves differently.
    package static func pages(of file: ScenarioFile, showing uses: [MatrixUse]? = nil) -> [MatrixPage] {
        NamedPolicy.grouped(in: file, withAccounts: true).flatMap(\.byApp).map {
            MatrixPage(name: $0.name, $0.policy, on: $0.device, of: $0.devices, showing: uses)
        }
    }
}
