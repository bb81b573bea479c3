internal import AccessPolicy
internal import DeviceModel
internal import Latchkey
internal import PlainText
internal import PolicyProver
internal import SecretVault
internal import UserPresence

/// Reads a document whose shape was checked. It reports wrong names, and keys that do not fit each other.
struct ScenarioReader {
    let document: Node
    var mistakes: ScenarioErrors

    var apps: [AppSetup] = []
    var people: [String: ShapeVisitor] = [:]
    var policies: [String: AccessControl] = [:]
    var items: [ItemSetup] = []
    /// The attackers for claims: the built-in ones, then those that the document declares.
    var attackers = Profile.known
    /// The names of the contexts that calls use.
    var contexts: Set<String> = []
    /// The names of the contexts that steps invalidate.
    var invalidated: [Node] = []
    var files: [FileSetup] = []
    var filePlaces: [String: Int] = [:]
    private var itemPlaces: [String: Int] = [:]
    /// The devices, by their names; none in a file with one device.
    private var devices: [(name: String, setup: DeviceSetup)] = []

    init(_ document: Node, _ mistakes: ScenarioErrors) {
        self.document = document
        self.mistakes = mistakes
    }

    /// Reads the scenario. `label` distinguishes it from the scenarios of other rows.
    mutating func scenario(_ label: String) -> Scenario {
        let name = document["name"]?.text ?? ""
        readDevices()
        let device = devices.first?.setup ?? device(document["device"])
        readApps(device.settings)
        readPeople()
        readPolicies()
        readItems()
        readFiles()
        let budget = document["prompt budget"]?.text.flatMap { Int($0) }
        let steps = (document["steps"]?.elements ?? []).map { step($0) }
        if document["steps"] != nil && steps.isEmpty {
            mistakes.add(document.position, "\"steps\" is empty: add a step or remove the key")
        }
        requireContexts()
        let claims = claims()
        return Scenario(
            name: label.isEmpty ? name : "\(name) (\(label))", about: document["about"]?.text,
            position: document.position, device: device, devices: devices, apps: apps, people: people,
            policies: namedPolicies,
            items: items, files: files,
            promptBudget: budget, steps: steps, claims: claims)
    }

    /// Reports each invalidated context that no call uses.
    mutating func requireContexts() {
        for node in invalidated {
            guard let name = node.text, !contexts.contains(name) else { continue }
            mistakes.add(node.position, Shape.unknown("context", name, among: contexts.sorted()))
        }
    }

    // MARK: - Device

    /// The most devices of a file.
    private static let mostDevices = 5

    private mutating func readDevices() {
        let entries = document["devices"]?.entries ?? []
        if let both = document["device"], !entries.isEmpty {
            mistakes.add(both.position, "\"device\" does not go with \"devices\": remove one of them")
        }
        if entries.count > Self.mostDevices {
            mistakes.add(entries[Self.mostDevices].position, "an account has at most \(Self.mostDevices) devices here")
        }
        for entry in entries.prefix(Self.mostDevices) { devices.append((entry.key, device(entry.value))) }
    }

    /// Returns the index of the device that `node` names; nil if it names none. Reports a mistake if there is no such device.
    mutating func deviceIndex(_ node: Node?) -> Int? {
        guard let node, let name = node.text else { return nil }
        if let place = devices.firstIndex(where: { $0.name == name }) { return place }
        mistakes.add(
            node.position,
            devices.isEmpty
                ? "this file has one device: declare several under \"devices\""
                : Shape.unknown("device", name, among: devices.map(\.name)))
        return nil
    }

    /// The name of the first device; nil in a file with one device.
    var firstDeviceName: String? { devices.first?.name }

    /// True if the file declares several devices.
    var hasAccount: Bool { !devices.isEmpty }

    private mutating func device(_ node: Node?) -> DeviceSetup {
        let presetName = node?.text ?? node?["preset"]?.text
        let preset = DevicePreset.all.first { $0.name == presetName } ?? .usual
        var fidelity = Fidelity()
        preset.adjust(&fidelity)
        for point in FieldNames(of: fidelity).all {
            guard let choice = document["fidelity"]?[point.name]?.text else { continue }
            var setter = FieldSetter(point.name, to: choice)
            fidelity.describe(to: &setter)
        }
        var settings = DeviceSettings(sensor: preset.sensor, fidelity: fidelity)
        if let sensor = Vocabulary.value(of: node?["biometry"]?.text, in: Vocabulary.sensors) {
            settings.sensor = sensor
        }
        if let grace = node?["lockGrace"]?.text.flatMap({ TimeSpan(written: $0) }) { settings.lockGrace = grace }
        if let end = Vocabulary.value(of: node?["attemptEnd"]?.text, in: Vocabulary.attemptEnds) {
            settings.attemptEnd = end
        }
        if let protection = node?["stolenDeviceProtection"], protection.text == "true" {
            settings.stolenDeviceProtection = true
            if let lack = preset.lackOfStolenDeviceProtection { mistakes.add(protection.position, lack) }
        }
        let passcode = node?["passcode"]?.text.map { $0 == "none" ? nil : $0 } ?? preset.passcode
        var enrolled = node?["enrolled"]?.elements.compactMap(\.text) ?? preset.enrolled
        if node?["enrolled"] == nil {
            if settings.sensor != preset.sensor { enrolled = settings.sensor.usuallyEnrolled }
            if passcode == nil { enrolled = [] }  // Enrolling needs a passcode.
        }
        var setup = DeviceSetup(settings: settings, passcode: passcode, enrolled: enrolled, kind: preset.kind)
        if let companion = Vocabulary.value(of: node?["companion"]?.text, in: Vocabulary.companions) {
            setup.companion = companion
        }
        return setup
    }

    /// The most apps of a file. A search needs room for one of another access group beside them.
    private static var mostApps: Int { AppID.capacity - 1 }

    private mutating func readApps(_ settings: DeviceSettings) {
        for entry in document["apps"]?.entries ?? [] {
            let node = entry.value
            var app = AppSetup(name: entry.key, groups: node["groups"]?.elements.compactMap(\.text) ?? [entry.key])
            if node["entitled"]?.text == "false" { app.groups = [] }
            if let permission = Vocabulary.value(of: node["faceIDPermission"]?.text, in: Vocabulary.permissions) {
                app.permission = permission
            }
            app.declaresUsage = node["declaresFaceIDUsage"]?.text != "false"
            if apps.count == Self.mostApps {
                mistakes.add(entry.position, "a device has room for \(Self.mostApps) apps")
                return
            }
            apps.append(app)
        }
        if apps.isEmpty { apps = [AppSetup(name: "com.example.app", groups: ["com.example.app"])] }
    }

    private mutating func readPeople() {
        for entry in document["people"]?.entries ?? [] {
            if Scenario.everybody.contains(entry.key) {
                mistakes.add(entry.position, "\"\(entry.key)\" is built in: choose another name")
                continue
            }
            func isTrue(_ key: String, unlessSaid usual: Bool = false) -> Bool {
                entry.value[key]?.text.map { $0 == "true" } ?? usual
            }
            let passcodes = (entry.value["passcode"]?.elements.compactMap(\.text) ?? []).filter { $0 != "none" }
            var person = SimulatedPerson(
                fingers: ["fingers", "faces"].flatMap { entry.value[$0]?.elements.compactMap(\.text) ?? [] },
                passcode: passcodes.first,
                applicationPassword: entry.value["applicationPassword"]?.text,
                wearsCompanion: isTrue("wearsCompanion"), dismisses: isTrue("dismisses"),
                permitsBiometry: isTrue("permitsBiometry", unlessSaid: true))
            person.prefersFallback = isTrue("prefersFallback")
            people[entry.key] = ShapeVisitor(
                person: person, knowsBackupPassword: isTrue("knowsBackupPassword"), passcodes: passcodes,
                guesses: isTrue("guesses", unlessSaid: true), hasOwnCompanion: isTrue("ownCompanion"))
        }
    }

    // MARK: - Access policies and items

    private var namedPolicies: [(name: String, control: AccessControl)] {
        (document["policies"]?.entries ?? []).compactMap { entry in policies[entry.key].map { (entry.key, $0) } }
    }

    private mutating func readPolicies() {
        for entry in document["policies"]?.entries ?? [] {
            policies[entry.key] = control(entry.value) ?? AccessControl(.whenUnlocked)
        }
    }

    /// Returns the access policy that `node` states; nil if it states none.
    mutating func control(_ node: Node) -> AccessControl? {
        if let policy = node["policy"], let name = policy.text {
            if let other = node.entries.first(where: { $0.key == "accessible" || $0.key == "require" }) {
                mistakes.add(other.position, "\"\(other.key)\" does not go with \"policy\": remove one of them")
            }
            if policies[name] == nil && !mistakes.isFull {
                mistakes.add(policy.position, Shape.unknown("policy", name, among: Self.inOrder(policies.keys)))
            }
            return policies[name]
        }
        if node["accessible"] == nil && node["require"] == nil { return nil }
        let (protection, flags) = parts(of: node)
        guard let flags else { return AccessControl(protection) }
        do throws(InvalidFlagsError) {
            return try AccessControl(protection: protection, flags: flags)
        } catch {
            mistakes.add(node["require"]?.position ?? node.position, "\(error)")
            return nil
        }
    }

    /// Returns the accessibility class and the flags that `node` states; nil for the flags if it has no `require`.
    func parts(of node: Node) -> (Accessibility, AccessControlFlags?) {
        let protection = Vocabulary.value(of: node["accessible"]?.text, in: Vocabulary.accessibilities) ?? .whenUnlocked
        guard let require = node["require"] else { return (protection, nil) }
        return (
            protection,
            require.elements.compactMap(\.text).reduce(into: []) { $0.formUnion(AccessControlFlags(written: $1)) }
        )
    }

    /// Returns true if `node`, or the policy that it names, requires an unknown flag, which is reported already.
    func isMisread(_ node: Node) -> Bool {
        let policy = node["policy"]?.text.flatMap { document["policies"]?[$0] }
        let words = [node, policy].flatMap { $0?["require"]?.elements.compactMap(\.text) ?? [] }
        return words.contains { !AccessControlFlags.unknownWords(in: $0).isEmpty }
    }

    private mutating func readItems() {
        for entry in document["items"]?.entries ?? [] {
            let node = entry.value
            let itemClass = Vocabulary.value(of: node["class"]?.text, in: Vocabulary.itemClasses) ?? .genericPassword
            var attributes = attributes(of: node)
            let name: AttributeName = itemClass == .key ? .applicationTag : .account
            if attributes[name] == nil { attributes[name] = .string(entry.key) }
            let secret = node["secret"]?.text
            itemPlaces[entry.key] = items.count
            items.append(
                ItemSetup(
                    name: entry.key, position: entry.position, itemClass: itemClass, attributes: attributes,
                    control: control(node) ?? AccessControl(.whenUnlocked), app: app(node["app"]) ?? 0,
                    group: node["group"]?.text, isSynchronizable: node["synchronizable"]?.text == "true",
                    secret: secret == "none" ? nil : secret ?? "the secret of \(entry.key)",
                    applicationPassword: node["applicationPassword"]?.text, isStored: node["stored"]?.text != "false"))
        }
    }

    func attributes(of node: Node) -> Attributes {
        var attributes = Attributes()
        for (key, name, _) in Vocabulary.attributes {
            if let text = node[key]?.text { attributes[name] = .string(text) }
        }
        if let port = node["port"]?.text.flatMap({ Int64($0) }) { attributes[.port] = .number(port) }
        return attributes
    }

    // MARK: - Names

    /// Returns the index of the app that `node` names. Reports a mistake if there is none.
    mutating func app(_ node: Node?) -> Int? {
        guard let node, let name = node.text else { return nil }
        if let place = apps.firstIndex(where: { $0.name == name }) { return place }
        mistakes.add(node.position, Shape.unknown("app", name, among: apps.map(\.name)))
        return nil
    }

    /// Returns the name of the person in `node`. Reports a mistake if there is no such person.
    mutating func person(_ node: Node?) -> String? {
        guard let node, let name = node.text else { return nil }
        if people[name] == nil && !Scenario.everybody.contains(name) && !mistakes.isFull {
            mistakes.add(
                node.position, Shape.unknown("person", name, among: Scenario.everybody + Self.inOrder(people.keys)))
        }
        return name
    }

    /// Returns the index of the item that `node` names. Reports a mistake if there is none.
    mutating func item(_ node: Node) -> Int {
        let name = node.text ?? ""
        if let place = itemPlaces[name] { return place }
        if !mistakes.isFull {
            let message =
                filePlaces[name] != nil
                ? "\"\(Terminal.word(name))\" is a file: this needs an item, declared under \"items\""
                : Shape.unknown("item", name, among: items.prefix(Shape.mostHints).map(\.name))
            mistakes.add(node.position, message)
        }
        return 0
    }

    /// Returns sorted names for a hint; none if there are too many to compare.
    static func inOrder(_ names: some Collection<String>) -> [String] {
        names.count > Shape.mostHints ? [] : names.sorted()
    }
}
