import AccessPolicy
import DeviceModel
import Latchkey
import PolicyProver
import TestSupport

// Random files in which attacks and proofs are both frequent: most devices are in use, most items have flags, and items
// are often shared between apps that may do different things.

extension RandomFile {
    /// Creates the file of this seed.
    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let device = Self.device(&random)
        var visits: [Visit] = []
        for number in 0..<Int.random(in: 2...3, using: &random) {
            visits.append(Self.visit(number, &random))
        }
        var apps = Self.apps(device, &random)
        let items = (0..<Int.random(in: 1...2, using: &random)).map { Self.item($0, apps, &random) }
        if visits.contains(where: \.profile.asksFromOtherGroup) {
            apps.append(ModelApp(name: Self.outsider, groups: [9]))
        }
        self.seed = seed
        // A World finds out which items the device can store.
        model = WorldPlay(ModelScenario(device: device, apps: apps, people: [], items: items)).scenario
        self.visits = visits
        files = []
        // A file needs something that a claim can be about.
        if storedItems.isEmpty || random.once(in: 2) {
            files = (0..<Int.random(in: 1...2, using: &random)).map { Self.file($0, &random) }
        }
        for place in visits.indices { self.visits[place].claims = claims(&random) }
    }

    // MARK: - Devices and apps

    private static func device(_ random: inout SeededGenerator) -> ModelDevice {
        var device = ModelDevice()
        device.preset = random.pick([.usual, .usual, .usual, .faceID, .faceID, .faceID, .mac, .simulator])
        device.settings = ModelScenario.settings(&random, device.preset)
        if random.once(in: 2) { device.settings.fidelity = device.preset.settings.fidelity }
        let sensor = device.settings.sensor
        device.passcode = random.once(in: 10) ? device.preset.passcode : "1234"
        if device.passcode != nil {
            let names = sensor.usuallyEnrolled + ModelScenario.fingers.filter { !sensor.usuallyEnrolled.contains($0) }
            let count = random.pick([1, 1, 1, 1, 2, 0])
            device.enrolled = Array(names.prefix(min(count, sensor.capacity)))
        }
        device.companion = random.pick([.ready, .ready, .ready, .away, .locked, .notPaired])
        return device
    }

    private static func apps(_ device: ModelDevice, _ random: inout SeededGenerator) -> [ModelApp] {
        var apps = [ModelApp(name: "first", groups: random.pick([[0], [0], [0, 1], [1, 0]]))]
        if !random.once(in: 3) {
            apps.append(ModelApp(name: "second", groups: random.pick([[2, 0], [0], [0], [0, 1], [1], []])))
        }
        if random.once(in: 4) { apps.append(ModelApp(name: "third", groups: random.pick([[3, 1], [0], [3]]))) }
        for place in apps.indices where device.settings.sensor.needsPermission {
            apps[place].permission = random.pick([.given, .given, .notAsked, .denied])
            apps[place].declaresUsage = !random.once(in: 4)
        }
        return apps
    }

    // MARK: - Items and files

    private static let commonFlags = [
        "userPresence", "userPresence", "userPresence", "biometryAny", "biometryCurrentSet", "devicePasscode",
        "companion", "biometryAny or devicePasscode", "biometryCurrentSet or devicePasscode",
        "biometryCurrentSet or companion", "devicePasscode or companion", "biometryAny and devicePasscode",
        "biometryCurrentSet and devicePasscode", "biometryAny and companion", "applicationPassword",
        "userPresence applicationPassword", "biometryCurrentSet applicationPassword",
    ]

    private static func item(_ number: Int, _ apps: [ModelApp], _ random: inout SeededGenerator) -> ModelItem {
        let isKey = random.once(in: 4)
        var control = ModelScenario.control(&random, ofKey: isKey)
        if !random.once(in: 4) {
            let flags = AccessControlFlags(written: random.pick(commonFlags) + (isKey ? " privateKeyUsage" : ""))
            control = (try? AccessControl(protection: random.pick(Accessibility.allCases), flags: flags)) ?? control
        }
        var item = ModelItem(
            name: ["token", "spare", "login"][number],
            itemClass: isKey ? "key" : random.pick([nil, "internetPassword"]),
            control: control)
        item.app = random.pick(apps.indices.filter { !apps[$0].groups.isEmpty })
        if random.once(in: 2) { item.group = apps[item.app].groups.randomElement(using: &random) }
        item.isSynchronizable = random.once(in: 8)
        // All items have the same application password: an attacker knows the ones of all of them, or none.
        if control.needsApplicationPassword { item.applicationPassword = 1 }
        return item
    }

    private static func file(_ number: Int, _ random: inout SeededGenerator) -> File {
        let slot = FileSlot(
            random.pick(FileProtection.allCases), isExcludedFromBackup: random.once(in: 3),
            isOpen: random.once(in: 3))
        return File(name: ["journal", "upload"][number], slot: slot)
    }

    private func claims(_ random: inout SeededGenerator) -> [Goal] {
        var goals: [Goal] = []
        for place in storedItems {
            goals.append(Goal(aim: model.items[place].isKey ? .use : .read, place: place))
            if random.once(in: 2) { goals.append(Goal(aim: random.pick([.list, .overwrite, .destroy]), place: place)) }
        }
        for place in files.indices {
            goals.append(Goal(aim: .readFile, place: place))
            if random.once(in: 2) { goals.append(Goal(aim: random.pick([.createFile, .appendFile]), place: place)) }
        }
        return goals
    }

    // MARK: - Attackers

    private static func visit(_ number: Int, _ random: inout SeededGenerator) -> Visit {
        // An attacker who has the owner's finger but not the passcode meets most differences between apps.
        let others = (Profile.all + [.backgroundApp]).filter { $0.name != Profile.owner.name }
        var profile = random.once(in: 4) ? Profile.coercedFinger : random.pick(others)
        var declaration: [(String, String)]?
        if random.once(in: 2) { declaration = change(&profile, named: "attacker-\(number)", &random) }
        var stated = Assumptions.Stated()
        if random.once(in: 2) { stated.deletes = random.once(in: 2) }
        if random.once(in: 3) { stated.contexts = random.pick([.kept, .kept, .fresh]) }
        if profile.holds == .locked, random.once(in: 3) { stated.held = .justLocked }
        let reuse: TimeSpan = random.once(in: 4) ? random.pick([.seconds(30), .minutes(5)]) : .zero
        return Visit(profile: profile, declaration: declaration, stated: stated, reuse: reuse, claims: [])
    }

    /// Changes a profile that every file knows, and returns the keys of its declaration.
    private static func change(
        _ profile: inout Profile, named name: String, _ random: inout SeededGenerator
    ) -> [(String, String)] {
        var entries = [("like", profile.name)]
        profile.name = name
        // An owner's own passcode and finger are not the attacker's.
        if profile.isOwner {
            profile = .passcodeThief
            profile.name = name
            entries = [("like", Profile.passcodeThief.name)]
        }
        if random.once(in: 2) {
            profile.knows = Self.some(Known.allCases.filter { $0 != .otherPasscode }, [2], &random)
            entries.append(("knows", profile.knows.map(\.name).asList))
        }
        if random.once(in: 2) {
            profile.carries = Self.some(Belonging.allCases.filter { $0 != .ownDevice }, [2], &random)
            entries.append(("carries", profile.carries.map(\.name).asList))
        }
        if random.once(in: 2) {
            profile.can = Self.some(Ability.allCases, [1, 1, 1, 1, 2], &random)
            entries.append(("can", profile.can.map(\.name).asList))
        }
        if random.once(in: 3) {
            profile.holds = random.pick([.unlocked, .locked, .locked, .poweredOff, .backup, .erased])
            entries.append(("holds", profile.holds.name))
        }
        if random.once(in: 3) {
            let time: TimeSpan = random.pick([
                .seconds(30), .minutes(5), .minutes(30), .hours(1), .hours(2), .hours(25),
            ])
            profile.time = time
            entries.append(("time", time.written))
        }
        if random.once(in: 8) {
            profile.asksFromOtherGroup.toggle()
            entries.append(("fromOtherGroup", "\(profile.asksFromOtherGroup)"))
        }
        return entries
    }

    /// Returns a set to which each element belongs once in one of `odds` cases.
    private static func some<Value, Bits>(
        _ all: [Value], _ odds: [Int], _ random: inout SeededGenerator
    ) -> BitSet<Value, Bits> {
        all.reduce(into: []) { set, element in if random.once(in: random.pick(odds)) { set.insert(element) } }
    }
}
