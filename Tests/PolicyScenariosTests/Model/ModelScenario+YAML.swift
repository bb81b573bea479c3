import AccessPolicy
import ApplePlatform
import DeviceModel
import Latchkey
import PolicyScenarios
import ScenarioFormat

extension ModelScenario {
    /// Returns the scenario as a file that expects what the World answered at each step.
    func yaml(named name: String, expecting says: [WorldSays]) -> String {
        var lines = declarations(named: name) + ["steps:"]
        for (step, says) in zip(steps, says) {
            lines.append("  - \(step.text(self))")
            lines.append("    expect: \(says.text(of: step, items))")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns the lines of the file before its steps.
    func declarations(named name: String) -> [String] {
        var lines = ["name: \(name)", "device: \(deviceText)"]
        let fidelity = fidelityText
        if !fidelity.isEmpty { lines.append("fidelity: \(fidelity)") }
        lines.append("apps:")
        for app in apps { lines.append("  \(app.name): \(app.text)") }
        if !people.isEmpty { lines.append("people:") }
        for person in people { lines.append("  \(person.name): \(person.text)") }
        lines.append("items:")
        for item in items { lines.append("  \(item.name): \(item.text(apps))") }
        return lines
    }

    /// The differences from the preset, or its name if there are none.
    private var deviceText: String {
        let settings = device.settings
        var entries: [(String, String)] = []
        if settings.sensor != device.preset.sensor { entries.append(("biometry", "\(settings.sensor)")) }
        if device.passcode != device.preset.passcode { entries.append(("passcode", device.passcode?.quoted ?? "none")) }
        let usual = settings.sensor == device.preset.sensor ? device.preset.enrolled : settings.sensor.usuallyEnrolled
        if device.enrolled != (device.passcode == nil ? [] : usual) {
            entries.append(("enrolled", device.enrolled.asList))
        }
        if device.companion != .notPaired { entries.append(("companion", "\(device.companion)")) }
        if settings.lockGrace != .seconds(10) { entries.append(("lockGrace", settings.lockGrace.written)) }
        if settings.attemptEnd != .disables { entries.append(("attemptEnd", "\(settings.attemptEnd)")) }
        if settings.stolenDeviceProtection { entries.append(("stolenDeviceProtection", "true")) }
        if entries.isEmpty { return device.preset.name }
        return ([("preset", device.preset.name)] + entries).asMapping
    }

    private var fidelityText: String {
        var usual = Fidelity()
        device.preset.adjust(&usual)
        let entries = Self.points(usual, device.settings.fidelity)
        return entries.isEmpty ? "" : entries.asMapping
    }

    private static func points(_ usual: Fidelity, _ chosen: Fidelity) -> [(String, String)] {
        func points<Value: Equatable>(_ name: String, _ value: (Fidelity) -> Value) -> [(String, String)] {
            value(usual) == value(chosen) ? [] : [(name, "\(value(chosen))")]
        }
        return points("addWithoutPasscode", \.addWithoutPasscode) + points("changedSet", \.changedSet)
            + points("duplicate", \.duplicate) + points("attributes", \.attributes)
            + points("contextLifetime", \.contextLifetime) + points("lockoutHit", \.lockoutHit)
            + points("sensorReset", \.sensorReset) + points("presence", \.presence)
            + points("addDuringLockout", \.addDuringLockout) + points("passcodeTimeout", \.passcodeTimeout)
            + points("passcodeDelays", \.passcodeDelays) + points("boundSynchronizable", \.boundSynchronizable)
    }
}

extension ModelApp {
    fileprivate var text: String {
        var entries: [(String, String)] = []
        if groups.isEmpty {
            entries.append(("entitled", "false"))
        } else {
            entries.append(("groups", groups.map { "group \($0)" }.asList))
        }
        if permission != .given { entries.append(("faceIDPermission", "\(permission)")) }
        if !declaresUsage { entries.append(("declaresFaceIDUsage", "false")) }
        return entries.asMapping
    }
}

extension ModelPerson {
    fileprivate var text: String {
        var entries: [(String, String)] = [("fingers", fingers.asList)]
        if let passcode { entries.append(("passcode", ([passcode] + otherPasscodes).asList)) }
        if applicationPassword != 0 { entries.append(("applicationPassword", applicationPassword.asPassword)) }
        if wearsCompanion { entries.append(("wearsCompanion", "true")) }
        if hasOwnCompanion { entries.append(("ownCompanion", "true")) }
        if knowsBackupPassword { entries.append(("knowsBackupPassword", "true")) }
        if dismisses { entries.append(("dismisses", "true")) }
        if !permitsBiometry { entries.append(("permitsBiometry", "false")) }
        if !guesses { entries.append(("guesses", "false")) }
        return entries.asMapping
    }
}

extension ModelItem {
    fileprivate func text(_ apps: [ModelApp]) -> String {
        var entries = itemClass.map { [("class", $0)] } ?? []
        entries += control.entries
        if app != 0 { entries.append(("app", apps[app].name)) }
        if let group { entries.append(("group", "group \(group)")) }
        if isSynchronizable { entries.append(("synchronizable", "true")) }
        if applicationPassword != 0 { entries.append(("applicationPassword", applicationPassword.asPassword)) }
        if !isStored { entries.append(("stored", "false")) }
        return entries.asMapping
    }
}

extension AccessControl {
    fileprivate var entries: [(String, String)] {
        let entries = [("accessible", protection.name)]
        if !hasFlags { return entries }
        let names = AccessControlFlags.named.filter { flags.contains($0.flag) }.map(\.name)
        return entries + [("require", names.isEmpty ? "none" : names.asList)]
    }
}

extension ModelStep {
    /// Returns the step in the words of a file, without an expectation.
    func text(_ scenario: ModelScenario) -> String {
        var lines = deedLines(scenario)
        if let app = asking.app { lines.append("app: \(scenario.apps[app].name)") }
        if let context = asking.context { lines.append("context: \(context)") }
        if asking.interaction != .allowed { lines.append("interaction: \(asking.interaction)") }
        if let reuse = asking.reuse { lines.append("reuse: \(reuse.written)") }
        if let password = asking.applicationPassword { lines.append("applicationPassword: \(password.asPassword)") }
        if asking.hidesFallback { lines.append("fallbackTitle: \"\"") }
        if let by { lines.append("by: \(by)") }
        return lines.joined(separator: "\n    ")
    }

    private func deedLines(_ scenario: ModelScenario) -> [String] {
        switch deed {
        case .request(let action, let place, let control, let secret):
            var lines = ["\(action.asWord): \(scenario.items[place].name)"]
            for (key, value) in control?.entries ?? [] { lines.append("\(key): \(value)") }
            if let secret { lines.append("secret: \(secret.quoted)") }
            return lines
        case .evaluate(let policy, let onlyAsks):
            return ["\(onlyAsks ? "canEvaluate" : "evaluate"): \(policy.asWord)"]
        case .meet(let control, let operation, let onlyAsks):
            let entries = control.entries + [("operation", operation.asWord)]
            return ["\(onlyAsks ? "canEvaluate" : "evaluate"): \(entries.asMapping)"]
        case .invalidate(let name): return ["invalidate: \(name)"]
        case .hold(let name): return ["hold: \(name)"]
        case .happen(let event): return [event.text(scenario)]
        }
    }
}

extension ModelEvent {
    /// Returns the event as the first key of a step.
    func text(_ scenario: ModelScenario) -> String {
        switch self {
        case .lock: "lock:"
        case .reboot: "reboot:"
        case .lockRemotely: "lockRemotely:"
        case .holdButtons: "holdButtons:"
        case .removePasscode: "removePasscode:"
        case .resetBiometry: "resetBiometry:"
        case .startSecurityDelay: "startSecurityDelay:"
        case .erase: "erase:"
        case .unlock(let passcode): passcode.map { "unlock: { passcode: \($0.quoted) }" } ?? "unlock:"
        case .touch(let shown): "unlock: { finger: \(shown.quoted) }"
        case .enroll(let names): "enroll: \(names.asList)"
        case .remove(let names): "remove: \(names.asList)"
        case .setPasscode(let passcode): "setPasscode: \(passcode.quoted)"
        case .companion(let state): "companion: \(state)"
        case .wait(let span): "wait: \(span.written)"
        case .install(let app): "install: \(scenario.apps[app].name)"
        case .uninstall(let app): "uninstall: \(scenario.apps[app].name)"
        case .permitBiometry(let app): "permitBiometry: \(scenario.apps[app].name)"
        case .denyBiometry(let app): "denyBiometry: \(scenario.apps[app].name)"
        case .backup(let isEncrypted): "backup: \(isEncrypted ? "encrypted" : "unencrypted")"
        case .restore(let sameDevice): "restore: \(sameDevice ? "thisDevice" : "anotherDevice")"
        }
    }
}

extension WorldSays {
    /// The expectations that say what the World answered.
    fileprivate func text(of step: ModelStep, _ items: [ModelItem]) -> String {
        var entries: [(String, String)] = []
        switch verdict {
        case .granted(let way, let reusesUnlock):
            entries.append(("granted", way.isEmpty ? "" : way.map(\.asWord).asList))
            if reusesUnlock { entries.append(("reusesUnlock", "true")) }
        case .denied(let denial): entries.append(("denied", denial.rule.identifier))
        case .refused(let refusal): entries.append(("refused", "\(refusal)"))
        case .wrong: entries.append(("refused", ""))
        case .happened, .closed, .faulty, .failed, .refusedByAccount, .broken: entries.append(("happens", ""))
        }
        if let status { entries.append(("status", status.name)) }
        if let laError { entries.append(("laError", laError.name)) }
        switch step.deed {
        case .request, .evaluate, .meet:
            entries.append(("prompts", prompts.isEmpty ? "none" : prompts.map(\.asWord).asList))
            entries.append(("permissionAlerts", "\(permissionAlerts)"))
            if case .request(.readData, _, _, _) = step.deed { entries.append(("secret", secret?.quoted ?? "none")) }
        case .hold, .invalidate, .happen: break
        }
        entries.append(("items", zip(items, self.items).map { ($0.name, $1.rawValue) }.asMapping))
        entries.append(("domainState", domainState.rawValue))
        let device = device.map { ($0.what, "\($0.isSo)") } + [("enrolled", enrolled.asList)]
        entries.append(("device", device.asMapping))
        return entries.asMapping
    }
}

// MARK: - Words

extension String {
    fileprivate var quoted: String { "\"\(self)\"" }
}

extension UInt8 {
    /// The application passwords by number.
    fileprivate var asPassword: String { "password \(self)" }
}

extension [String] {
    /// The texts as a list.
    var asList: String { "[\(map(\.quoted).joined(separator: ", "))]" }
}

extension [(String, String)] {
    /// The keys with their values as a mapping.
    var asMapping: String { "{ \(map { "\($0): \($1)" }.joined(separator: ", ")) }" }
}

extension Action {
    fileprivate var asWord: String {
        switch self {
        case .readData: "read"
        case .readAttributes: "attributes"
        case .readReference: "reference"
        case .probe: "exists"
        default: "\(self)"
        }
    }
}

extension Factor {
    fileprivate var asWord: String { self == .applicationPassword ? "applicationPassword" : name }
}

extension AuthenticationPolicy {
    fileprivate var asWord: String {
        switch self {
        case .biometry: "deviceOwnerAuthenticationWithBiometrics"
        case .presence: "deviceOwnerAuthentication"
        case .companion: "deviceOwnerAuthenticationWithCompanion"
        case .biometryOrCompanion: "deviceOwnerAuthenticationWithBiometricsOrCompanion"
        }
    }
}

extension Operation? {
    fileprivate var asWord: String {
        switch self {
        case .sign: "useKeySign"
        case .agree: "useKeyKeyExchange"
        case .decapsulate: "useKeyDecrypt"
        case nil: "createItem"
        default: "useItem"
        }
    }
}
