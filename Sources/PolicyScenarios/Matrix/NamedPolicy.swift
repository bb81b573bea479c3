internal import AccessPolicy
package import DeviceModel
internal import PolicyProver
package import ScenarioFormat

/// An item or a policy of a file with its name, and the device of the file.
package struct NamedPolicy: Sendable {
    /// The name in the file.
    package let name: String
    package let policy: MatrixPolicy
    /// The device that the file declares.
    package let device: MatrixDevice
    /// All devices of its account, if they are wanted and the file declares several.
    package private(set) var devices: [NamedDevice] = []

    /// Returns everything that a file names: its items, then its policies, including those that no item uses.
    package static func all(in file: ScenarioFile) -> [NamedPolicy] {
        let documents = file.scenarios + file.declarations
        let items = documents.flatMap { document in
            document.items.map {
                NamedPolicy(name: $0.name, policy: MatrixPolicy($0), device: MatrixDevice(document, of: $0))
            }
        }
        let policies = documents.flatMap { document in
            document.policies.map { declared in
                let policy = MatrixPolicy(declared.control, isKey: declared.control.guardsKeyUse)
                return NamedPolicy(name: declared.name, policy: policy, device: MatrixDevice(forPoliciesOf: document))
            }
        }
        return items + policies
    }
}

extension NamedPolicy {
    /// Returns each policy of a file's items on each device, named after the items.
    ///
    /// If a document only declares something, its policies that no item uses are there too. With accounts, policies of items
    /// have the devices of their account.
    package static func grouped(in file: ScenarioFile, withAccounts: Bool = false) -> [NamedPolicy] {
        struct Place: Hashable {
            let policy: MatrixPolicy
            let device: MatrixDevice
            var devices: [NamedDevice] = []
        }
        var places: [Place] = []
        var names: [Place: [String]] = [:]
        func add(_ name: String, _ place: Place) {
            if names[place] == nil { places.append(place) }
            if names[place]?.contains(name) != true { names[place, default: []].append(name) }
        }
        for document in file.scenarios + file.declarations {
            for item in document.items {
                let device = MatrixDevice(document, of: item)
                let devices = withAccounts ? document.namedDevices(first: device, with: item) : []
                add(item.name, Place(policy: MatrixPolicy(item), device: device, devices: devices))
            }
        }
        for document in file.declarations {
            for declared in document.policies {
                let policy = MatrixPolicy(declared.control, isKey: declared.control.guardsKeyUse)
                let item = document.items.first { MatrixPolicy($0) == policy }
                let device = item.map { MatrixDevice(document, of: $0) } ?? MatrixDevice(forPoliciesOf: document)
                add(declared.name, Place(policy: policy, device: device))
            }
        }
        return places.map {
            NamedPolicy(
                name: (names[$0] ?? []).joined(separator: ", "), policy: $0.policy, device: $0.device,
                devices: $0.devices)
        }
    }

    /// The policy once for each app of the item's access group that behaves differently, named after the app as well.
    package var byApp: [NamedPolicy] {
        if device.apps.count < 2 { return [self] }
        var seen: Set<App> = []
        return device.apps.filter { seen.insert($0.app.asSeen(by: device.sensor)).inserted }.map { app in
            var device = device
            device.apps = [app]
            var devices = devices
            for place in devices.indices { devices[place].device.apps = [app] }
            return NamedPolicy(name: "\(name), through \(app.name)", policy: policy, device: device, devices: devices)
        }
    }
}

extension MatrixPolicy {
    package init(_ item: ItemSetup) {
        self.init(
            item.control, isKey: item.itemClass.isEnclaveKey(under: item.control),
            isSynchronizable: item.isSynchronizable)
    }
}

extension Scenario {
    /// True if the devices of the file are in an account: it declares several, or a claim is about an account.
    fileprivate var hasAccount: Bool {
        devices.count > 1 || claims.contains { Claim($0.statement).concernsAccount }
    }
}

extension MatrixDevice {
    /// Creates the device of a file for one of its items. Proofs, tables and reports about the item all begin with it.
    ///
    /// An item that only a later step stores is not on that device. Its tables are about a device that can store it.
    package init(_ document: Scenario, of item: ItemSetup) {
        let apps = document.apps(sharing: item)
        guard item.isStored else {
            self.init(forPoliciesOf: document)
            self.apps = NamedApp.all(of: apps, on: settings.sensor)
            return
        }
        self.init(document.device, apps)
        joinAccount(of: document)
    }

    private mutating func joinAccount(of document: Scenario) {
        hasAccount = document.hasAccount
        let others = document.devices.dropFirst()
        otherHasPasscode = others.isEmpty || others.contains { $0.setup.passcode != nil }
    }

    /// Creates the device of a file for its files, which belong to the first app.
    package init(forFilesOf document: Scenario) { self.init(document.device, [document.apps[0]]) }

    /// Creates a device with the settings of a file, for policies that no item of the file uses. Its owner wears a watch,
    /// so that it can store an item under each of them.
    package init(forPoliciesOf document: Scenario) {
        let device = document.device
        self.init(device.settings, isSetUp: device.passcode != nil, kind: device.kind)
        joinAccount(of: document)
    }

    /// Creates a device as its owner leaves it, with the apps of an item's access group. The first of them stored it.
    init(_ device: DeviceSetup, _ apps: [AppSetup]) {
        self.init(
            device.settings, isSetUp: device.passcode != nil, kind: device.kind, fingers: device.enrolled.count,
            companion: device.companion, apps: NamedApp.all(of: apps, on: device.settings.sensor))
    }

    package init(_ preset: DevicePreset) {
        self.init(
            preset.settings, isSetUp: preset.passcode != nil, kind: preset.kind, fingers: preset.enrolled.count)
    }
}

extension Scenario {
    /// Returns the devices of the account, the first of which has stored `item`; none in a scenario with one device.
    fileprivate func namedDevices(first: MatrixDevice, with item: ItemSetup) -> [NamedDevice] {
        devices.enumerated().map { place, device in
            NamedDevice(
                name: device.name, device: place == 0 ? first : MatrixDevice(device.setup, apps(sharing: item)))
        }
    }

    /// Returns the apps that have the access group of `item`, beginning with the one that stored it.
    func apps(sharing item: ItemSetup) -> [AppSetup] {
        let owner = apps[item.app]
        guard let group = item.group ?? owner.groups.first else { return [owner] }
        return [owner] + apps.indices.filter { $0 != item.app && apps[$0].groups.contains(group) }.map { apps[$0] }
    }
}

extension NamedApp {
    /// Returns the apps of a file as a search has them. One that is alone needs no name, so that equal devices are equal.
    fileprivate static func all(of apps: [AppSetup], on sensor: SensorKind) -> [NamedApp] {
        if apps.count == 1 { return [NamedApp("app", apps[0].onDevice.asSeen(by: sensor))] }
        return apps.map { NamedApp($0.name, $0.onDevice.asInGroup) }
    }
}

extension App {
    /// The app as one of the item's access group, whatever other groups it has.
    fileprivate var asInGroup: App { App(permission: permission, declaresUsage: declaresUsage) }
}
