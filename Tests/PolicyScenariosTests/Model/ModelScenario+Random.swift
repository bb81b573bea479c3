import AccessPolicy
import DeviceModel
import Latchkey
import TestSupport

// Random scenarios in which the interesting cases are frequent: most devices are in use, and half of the people are
// their owners.

extension ModelScenario {
    /// Returns a scenario without steps.
    init(_ random: inout SeededGenerator) {
        var device = ModelDevice()
        device.preset = random.pick([.usual, .usual, .faceID, .mac, .simulator])
        device.settings = Self.settings(&random, device.preset)
        let sensor = device.settings.sensor
        if device.preset.passcode != nil || random.once(in: 2) { device.passcode = random.once(in: 8) ? nil : "1234" }
        if device.passcode != nil {
            device.enrolled = sensor == device.preset.sensor ? device.preset.enrolled : sensor.usuallyEnrolled
            if random.once(in: 3) {
                device.enrolled = Array(
                    Self.fingers.prefix(Int.random(in: 0...min(sensor.capacity, 3), using: &random)))
            }
        }
        device.companion = random.pick([.notPaired, .notPaired, .away, .locked, .ready, .ready])
        var apps = [ModelApp(name: "first", groups: [0])]
        if random.once(in: 2) {
            apps.append(ModelApp(name: "second", groups: random.pick([[1], [1, 0], [0, 1], []])))
        }
        for place in apps.indices where sensor.needsPermission && random.once(in: 2) {
            apps[place].permission = random.pick([.given, .notAsked, .notAsked, .denied])
            apps[place].declaresUsage = !random.once(in: 8)
        }
        self.init(
            device: device, apps: apps, people: Self.thieves(device, &random), items: Self.items(apps, &random))
    }

    static let fingers = ["right index", "left thumb", "third", "fourth", "fifth", "sixth", "face", "eyes"]
    static let thiefsFinger = "a thief's finger"

    /// Returns random settings of a device like `preset`.
    static func settings(_ random: inout SeededGenerator, _ preset: DevicePreset) -> DeviceSettings {
        var fidelity = Fidelity()
        preset.adjust(&fidelity)
        if random.once(in: 2) {
            fidelity.addWithoutPasscode = random.pick(Fidelity.AddWithoutPasscode.allCases)
            fidelity.changedSet = random.pick(Fidelity.ChangedSet.allCases)
            fidelity.duplicate = random.pick(Fidelity.Duplicate.allCases)
            fidelity.attributes = random.pick(Fidelity.Attributes.allCases)
            fidelity.contextLifetime = random.pick(Fidelity.ContextLifetime.allCases)
            fidelity.lockoutHit = random.pick(Fidelity.LockoutHit.allCases)
            fidelity.sensorReset = random.pick(Fidelity.SensorReset.allCases)
            fidelity.presence = random.pick(Fidelity.Presence.allCases)
            fidelity.addDuringLockout = random.pick(Fidelity.AddDuringLockout.allCases)
            fidelity.passcodeTimeout = random.pick(Fidelity.PasscodeTimeout.allCases)
            fidelity.passcodeDelays = random.pick(Fidelity.PasscodeDelays.allCases)
            fidelity.boundSynchronizable = random.pick(Fidelity.BoundSynchronizable.allCases)
        }
        var settings = DeviceSettings(sensor: preset.sensor, fidelity: fidelity)
        if random.once(in: 4) { settings.sensor = random.pick(SensorKind.allCases) }
        if random.once(in: 4) { settings.lockGrace = random.pick([.zero, .seconds(1), .minutes(1)]) }
        settings.stolenDeviceProtection = random.once(in: 3) && preset.lackOfStolenDeviceProtection == nil
        settings.attemptEnd = random.pick([.disables, .disables, .erases, .keepsDelaying])
        return settings
    }

    private static func thieves(_ device: ModelDevice, _ random: inout SeededGenerator) -> [ModelPerson] {
        (0..<Int.random(in: 1...3, using: &random)).map { number in
            var thief = ModelPerson(name: ["thief", "child", "colleague"][number])
            if !random.once(in: 4) { thief.fingers = [random.pick([thiefsFinger, thiefsFinger, "left thumb"])] }
            if random.once(in: 5) { thief.fingers += device.enrolled.prefix(1) }
            thief.passcode = random.pick([nil, "1234", "1234", "5678", "a guess"])
            thief.applicationPassword = random.pick([0, 0, 1, 2])
            thief.wearsCompanion = random.once(in: 3)
            thief.knowsBackupPassword = random.once(in: 2)
            thief.dismisses = random.once(in: 12)
            thief.permitsBiometry = !random.once(in: 4)
            return thief
        }
    }

    private static func items(_ apps: [ModelApp], _ random: inout SeededGenerator) -> [ModelItem] {
        (0..<Int.random(in: 1...4, using: &random)).map { number in
            let itemClass = random.pick([nil, nil, nil, "genericPassword", "internetPassword", "key"] as [String?])
            let control = Self.control(&random, ofKey: itemClass == "key")
            var item = ModelItem(
                name: ["token", "spare", "login", "note"][number], itemClass: itemClass, control: control)
            if random.once(in: 3) {
                item.app = random.pick(apps.indices.filter { !apps[$0].groups.isEmpty })
            }
            if random.once(in: 4) { item.group = apps[item.app].groups.randomElement(using: &random) }
            item.isSynchronizable = random.once(in: 6)
            if control.needsApplicationPassword { item.applicationPassword = UInt8.random(in: 1...2, using: &random) }
            item.isStored = !random.once(in: 5)
            return item
        }
    }

    /// Every access control.
    private static let demands: [AccessControl] = {
        let flags = AccessControlFlags.named.map(\.flag)
        var demands: Set<AccessControl> = []
        for pattern in 0..<(1 << flags.count) {
            let chosen = flags.indices.filter { pattern >> $0 & 1 == 1 }.map { flags[$0] }
            for protection in Accessibility.allCases {
                if let control = try? AccessControl(protection: protection, flags: AccessControlFlags(chosen)) {
                    demands.insert(control)
                }
            }
        }
        return demands.sorted { ($0.description, $0.hasFlags ? 1 : 0) < ($1.description, $1.hasFlags ? 1 : 0) }
    }()
    private static let ofKeys = demands.filter(\.guardsKeyUse)
    private static let ofData = demands.filter { !$0.guardsKeyUse }

    static func control(_ random: inout SeededGenerator, ofKey: Bool) -> AccessControl {
        if ofKey { return random.pick(ofKeys) }
        return random.once(in: 4) ? AccessControl(random.pick(Accessibility.allCases)) : random.pick(ofData)
    }
}

extension WorldPlay {
    /// Returns the first steps. Now and then the device is on the brink of the last wrong passcode, which strangers
    /// hardly reach.
    static func beginning(_ random: inout SeededGenerator) -> [ModelStep] {
        guard random.once(in: 12) else { return [] }
        return (1...9).flatMap { number in
            [
                ModelStep(deed: .happen(.unlock("900\(number)"))),
                ModelStep(deed: .happen(.wait(number < 5 ? .seconds(1) : .hours(8)))),
            ]
        }
    }

    /// Returns the next step.
    mutating func step(_ random: inout SeededGenerator) -> ModelStep {
        switch Int.random(in: 0..<24, using: &random) {
        case 0: return ModelStep(deed: .hold(random.pick(everybody)))
        case 1: return ModelStep(deed: .invalidate(random.pick(Self.contextNames)))
        case 2..<12: return event(&random)
        case 12..<15: return evaluation(&random)
        default: return request(&random)
        }
    }

    private static let contextNames = ["visit", "session"]
    private var everybody: [String] { ["owner", "owner", "stranger", "absent"] + scenario.people.map(\.name) }

    private func by(_ random: inout SeededGenerator) -> String? { random.once(in: 2) ? nil : random.pick(everybody) }

    private func asked(_ random: inout SeededGenerator) -> String? {
        random.once(in: 3) ? nil : random.once(in: 2) ? "owner" : random.pick(everybody)
    }

    private func event(_ random: inout SeededGenerator) -> ModelStep {
        let device = world.device
        if device.passcode == nil && random.once(in: 3) {
            return ModelStep(deed: .happen(.setPasscode("1234")), by: by(&random))
        }
        if device.isLocked && random.once(in: 2) {
            let shown = device.passcodeReasons.isEmpty && random.once(in: 2) ? namesEnrolled.first : nil
            return ModelStep(deed: .happen(shown.map(ModelEvent.touch) ?? .unlock(nil)))
        }
        if hasBackup && random.once(in: 8) {
            return ModelStep(deed: .happen(.restore(sameDevice: random.once(in: 2))), by: by(&random))
        }
        // No person causes a wait.
        if random.once(in: 6) { return ModelStep(deed: .happen(.wait(random.pick(Self.waits)))) }
        var event = draw(&random)
        if case .touch = event, random.once(in: 2), let finger = namesEnrolled.first { event = .touch(finger) }
        return ModelStep(deed: .happen(event), by: by(&random))
    }

    private func draw(_ random: inout SeededGenerator) -> ModelEvent {
        let finger = random.pick(Array(ModelScenario.fingers.prefix(4)) + [ModelScenario.thiefsFinger] + namesEnrolled)
        let another = random.pick(ModelScenario.fingers)
        let app = Int.random(in: scenario.apps.indices, using: &random)
        switch Int.random(in: 0..<30, using: &random) {
        case 0...2: return .lock
        case 3: return .reboot
        case 4: return .lockRemotely
        case 5: return .holdButtons
        case 6: return .removePasscode
        case 7: return world.device.isTheftProtected && random.once(in: 2) ? .startSecurityDelay : .resetBiometry
        case 8: return random.once(in: 2) ? .erase : .lock
        case 9, 10: return .unlock(nil)
        case 11: return .unlock(random.pick(["1234", "5678", "a guess", "9001", "9002", "9003", "9010", "9011"]))
        case 12...14: return .touch(finger)
        case 15...17: return .enroll(random.once(in: 4) ? [finger, another] : [finger])
        case 18: return .remove(random.once(in: 4) ? [finger, another] : [finger])
        case 19, 20: return .setPasscode(random.pick(["1234", "5678"]))
        case 21, 22: return .companion(random.pick(CompanionState.allCases + [.ready]))
        case 23: return .install(app)
        case 24: return random.once(in: 2) ? .uninstall(app) : .permitBiometry(app)
        case 25: return .permitBiometry(app)
        case 26: return .denyBiometry(app)
        case 27, 28: return .backup(encrypted: random.once(in: 2))
        default: return .restore(sameDevice: random.once(in: 2))
        }
    }

    private static let waits: [TimeSpan] = [
        .seconds(1), .seconds(9), .seconds(10), .seconds(11), .minutes(1), .minutes(4), .minutes(5), .minutes(6),
        .minutes(10), .minutes(11), .hours(1), .hours(5), .hours(48), .hours(49), .hours(156), .hours(157),
    ]

    // MARK: - Requests

    private func asking(_ random: inout SeededGenerator) -> ModelAsking {
        var asking = ModelAsking()
        if random.once(in: 4) { asking.app = Int.random(in: scenario.apps.indices, using: &random) }
        if random.once(in: 2) { asking.context = random.pick(Self.contextNames) }
        if random.once(in: 4) { asking.interaction = random.pick([.fail, .fail, .skip]) }
        if random.once(in: 4) { asking.reuse = random.pick([.zero, .seconds(10), .minutes(5), .hours(1)]) }
        if random.once(in: 4) { asking.applicationPassword = UInt8.random(in: 1...2, using: &random) }
        return asking
    }

    private func request(_ random: inout SeededGenerator) -> ModelStep {
        let place = Int.random(in: scenario.items.indices, using: &random)
        let item = scenario.items[place]
        let isPresent = world[slots[place]]?.isPresent == true
        var step = ModelStep(
            deed: .request(.readData, item: place, control: nil, secret: nil), asking: asking(&random),
            by: asked(&random))
        let control = ModelScenario.control(&random, ofKey: item.itemClass == "key")
        let secret = random.once(in: 2) ? nil : "secret \(Int.random(in: 0..<100, using: &random))"
        if !isPresent && !random.once(in: 4) {
            step.deed = .request(.add, item: place, control: random.once(in: 2) ? control : nil, secret: secret)
            step.asking = asking(toStore: item, &random)
            return step
        }
        let uses: [Action] = [.sign, .agree, .decapsulate]
        let reads: [Action] = item.isKey && !random.once(in: 4) ? uses : [.readData, .readData, .readData]
        let action = random.pick(
            reads + reads + [
                .add, .readAttributes, .readReference, .probe, .inventory, .update, .update, .delete, random.pick(uses),
            ])
        switch action {
        case .add, .update:
            step.deed = .request(action, item: place, control: random.once(in: 2) ? control : nil, secret: secret)
            step.asking = asking(toStore: item, &random)
        default: step.deed = .request(action, item: place, control: nil, secret: nil)
        }
        return step
    }

    /// An item that an app stores without naming a group goes into the app's first group, and is another item there.
    private func asking(toStore item: ModelItem, _ random: inout SeededGenerator) -> ModelAsking {
        var asking = asking(&random)
        let first = scenario.apps[item.app].groups.first
        if item.group == nil, let app = asking.app, scenario.apps[app].groups.first != first { asking.app = nil }
        return asking
    }

    private func evaluation(_ random: inout SeededGenerator) -> ModelStep {
        let onlyAsks = random.once(in: 3)
        var asking = asking(&random)
        if asking.context == nil { asking.context = random.once(in: 3) ? nil : random.pick(Self.contextNames) }
        if asking.interaction == .skip { asking.interaction = .fail }  // An evaluation has no item to skip.
        asking.hidesFallback = !onlyAsks && random.once(in: 4)
        let deed: ModelDeed =
            random.once(in: 3)
            ? .meet(
                ModelScenario.control(&random, ofKey: random.once(in: 3)),
                random.pick([.readData, .readData, .sign, nil, .agree, .decapsulate] as [AccessPolicy.Operation?]),
                onlyAsks: onlyAsks)
            : .evaluate(random.pick(AuthenticationPolicy.allCases), onlyAsks: onlyAsks)
        return ModelStep(deed: deed, asking: asking, by: asked(&random))
    }
}
