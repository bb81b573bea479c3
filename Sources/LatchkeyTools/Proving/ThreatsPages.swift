internal import CommandLineKit
internal import DeviceModel
internal import LatchkeyCLI
internal import PlainText
internal import PolicyProver
internal import PolicyReports
internal import PolicyScenarios
internal import ScenarioFormat

/// The pages of threats that a command line asks for.
enum ThreatsPages {
    /// Returns the page of the policy or the file that options state; nil if no option states one.
    static func page(
        _ policy: Given<PolicyOptions>, _ file: Given<FileOptions>, _ assumes: Assumptions.Stated,
        _ told: ThreatsPage.Told = .none
    ) throws(UsageError) -> ThreatsPage? {
        if let file = try FileOptions.file(file, besides: policy) {
            return page("", MatrixDevice(try DeviceOptions.device(policy[\.device]))) { (device) throws(StoringError) in
                try ThreatsPage(name: "", file, on: device, assuming: assumes, telling: told)
            }
        }
        if policy.firstOption == nil { return nil }
        let item = try PolicyOptions.policy(policy)
        var device = MatrixDevice(try DeviceOptions.device(policy[\.device]))
        device.hasAccount = item.isSynchronizable
        return page("", device) { (device) throws(StoringError) in
            try ThreatsPage(name: "", item, on: device, assuming: assumes, telling: told)
        }
    }

    /// Returns a page for every policy and every file that the scenarios in `file` declare, or ends the command if there are none.
    static func pages(
        of file: ScenarioFile, at path: String, _ assumes: Assumptions.Stated, _ told: ThreatsPage.Told = .none
    ) throws(UsageError) -> [ThreatsPage] {
        var pages = NamedPolicy.grouped(in: file).map { named in
            self.page(named.name, named.device) { (device) throws(StoringError) in
                try ThreatsPage(name: named.name, named.policy, on: device, assuming: assumes, telling: told)
            }
        }
        for (name, slot, device) in ThreatsPage.files(of: file) {
            pages.append(
                page(name, device) { (device) throws(StoringError) in
                    try ThreatsPage(name: name, slot, on: device, assuming: assumes, telling: told)
                })
        }
        if pages.isEmpty { Output.fail("\(Terminal.line(path)) declares no item, no policy and no file", status: 2) }
        if case .one(_, let aim) = told {
            pages.removeAll { !$0.columns.contains(aim) }
            if pages.isEmpty {
                throw UsageError(
                    "\(aim.rawValue) is about \(aim.isAboutFile ? "files" : "items"), and the file declares none")
            }
        }
        return pages
    }

    private static func page(
        _ name: String, _ device: MatrixDevice, _ make: (MatrixDevice) throws(StoringError) -> ThreatsPage
    ) -> ThreatsPage {
        do throws(StoringError) { return try make(device) } catch {
            Output.fail("\(name.isEmpty ? "" : "\(Terminal.line(name)): ")\(error)", status: 2)
        }
    }
}
