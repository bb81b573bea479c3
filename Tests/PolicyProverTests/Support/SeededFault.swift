/// A check that a faulty engine lacks.
struct SeededFault: Sendable {
    /// The name of the check.
    let name: String
    /// The path of its file below Sources.
    let file: String
    /// The code of the check, which stands there once.
    let original: String
    /// The code with the fault. `FAULT` is true if this fault is awake.
    let seeded: String

    init(_ name: String, _ file: String, _ original: String, _ seeded: String) {
        self.name = name
        self.file = file
        self.original = original
        self.seeded = seeded
    }

    private static let obstacles = "AccessPolicy/Deciding/Obstacles.swift"
    private static let demand = "AccessPolicy/Deciding/Demand.swift"
    private static let decide = "AccessPolicy/Deciding/Decide.swift"
    private static let travel = "AccessPolicy/Situation/Travel.swift"
    private static let locking = "DeviceModel/Device/Device+Locking.swift"
    private static let proving = "DeviceModel/Device/Device+Proving.swift"
    private static let conditions = "DeviceModel/Device/Device+Conditions.swift"
    private static let enrolling = "DeviceModel/Device/Device+Enrolling.swift"
    private static let surroundings = "DeviceModel/Device/Device+Surroundings.swift"
    private static let people = "DeviceModel/World/World+People.swift"

    /// Checks that keep an attacker from something.
    ///
    /// Checks that another one makes up for are left out: a prompt also finds that the companion is away, the device
    /// also enforces a delay, a key has no entry for reading anyway, and an invalidated item has no way left. The check
    /// that an enrolled set is the current one is left out too, because an engine without it never ends: it prompts
    /// again whenever a later check finds the factor void.
    static let all: [SeededFault] = decisions + devices + ofFiles
}

extension SeededFault {
    /// Checks in the code that decides.
    private static let decisions: [SeededFault] = [
        SeededFault(
            "the class key", obstacles, "if conditions.openClasses.contains(keyClass) { return nil }",
            "if FAULT || conditions.openClasses.contains(keyClass) { return nil }"),
        SeededFault(
            "the access group", obstacles, "if conditions.groups.contains(group) { return nil }",
            "if FAULT || conditions.groups.contains(group) { return nil }"),
        SeededFault(
            "the destroyed class", obstacles,
            "conditions.passcodeClassKey == 0 || binding.passcodeClassKey != conditions.passcodeClassKey",
            "!FAULT && (conditions.passcodeClassKey == 0 || binding.passcodeClassKey != conditions.passcodeClassKey)"),
        SeededFault(
            "the required passcode", obstacles,
            "return conditions.isPasscodeRequired ? .biometryPasscodeRequired : nil",
            "return !FAULT && conditions.isPasscodeRequired ? .biometryPasscodeRequired : nil"),
        SeededFault(
            "the attributes", demand, "operation = control.guardsKeyUse || fidelity.attributes == .open ?",
            "operation = FAULT || control.guardsKeyUse || fidelity.attributes == .open ?"),
        SeededFault(
            "the application password", demand,
            "needsApplicationPassword: control.needsApplicationPassword && operation.usesSecret,",
            "needsApplicationPassword: !FAULT && control.needsApplicationPassword && operation.usesSecret,"),
        SeededFault(
            "the age of an unlock", demand, "age <= min(wanted, Context.longestReuse)",
            "(FAULT || age <= min(wanted, Context.longestReuse))"),
        SeededFault(
            "the set of an unlock", demand, "unlock.domainState == conditions.domainState &&",
            "(FAULT || unlock.domainState == conditions.domainState) &&"),
        SeededFault(
            "that reuse is asked for", demand, "conditions.biometricUnlock, context.reuse > .zero {",
            "conditions.biometricUnlock, FAULT || context.reuse > .zero {"),
        SeededFault(
            "one of all factors", decide, "for way in ways where way.isSubset(of: held.factors) {",
            "for way in ways where FAULT ? !way.intersection(held.factors).isEmpty || way.isEmpty : way.isSubset(of: held.factors) {"
        ),
        SeededFault(
            "the locked screen", decide, "if conditions.isLocked && request.interaction != .preflight {",
            "if !FAULT && conditions.isLocked && request.interaction != .preflight {"),
        SeededFault(
            "a key in a backup", travel, "if isKey || control.protection", "if (isKey && !FAULT) || control.protection"),
        SeededFault(
            "this device only", travel, "return isEncrypted && !control.protection.isThisDeviceOnly ?",
            "return isEncrypted && (FAULT || !control.protection.isThisDeviceOnly) ?"),
        SeededFault(
            "what asks somebody in a backup", travel, "if control.isProtected && !control.ways",
            "if !FAULT && control.isProtected && !control.ways"),
    ]

    /// Checks in the device, and in its settings.
    private static let devices: [SeededFault] = [
        SeededFault(
            "the first unlock", conditions, "if hasFirstUnlock { open.insert(.afterFirstUnlock) }",
            "if FAULT || hasFirstUnlock { open.insert(.afterFirstUnlock) }"),
        SeededFault(
            "the refused permission", conditions, "app.permission == .denied", "!FAULT && app.permission == .denied"),
        SeededFault(
            "the lockout of the lock screen", proving, "if isLockedOut || ", "if (!FAULT && isLockedOut) || "),
        SeededFault(
            "who is enrolled", proving, "guard enrolled.contains(finger) else {",
            "guard FAULT || enrolled.contains(finger) else {"),
        SeededFault(
            "which code is right", proving, "guard code == passcode else {", "guard FAULT || code == passcode else {"),
        SeededFault(
            "what the right passcode forgives", proving, "failedMatches = 0\n        passcodeReasons = []",
            "if !FAULT { failedMatches = 0 }\n        passcodeReasons = []"),
        SeededFault(
            "the restart", locking, "passcodeReasons.insert(.restarted)",
            "if !FAULT { passcodeReasons.insert(.restarted) }"),
        SeededFault(
            "the held buttons", locking, "passcodeReasons.insert(reason)",
            "if !FAULT { passcodeReasons.insert(reason) }"),
        SeededFault(
            "the two days", locking, "now - lastUnlocked > .hours(48) {", "!FAULT && now - lastUnlocked > .hours(48) {"),
        SeededFault(
            "the week", locking, "if now - lastPasscode > limits.passcodeUnused",
            "if !FAULT && now - lastPasscode > limits.passcodeUnused"),
        SeededFault(
            "the closing of classes", locking, "        isOpen = false\n        if !kept",
            "        if !FAULT { isOpen = false }\n        if !kept"),
        SeededFault(
            "the closing at a restart", locking, "isOpen = false\n        hasFirstUnlock = false",
            "isOpen = FAULT\n        hasFirstUnlock = false"),
        SeededFault(
            "the end of a session", locking, "biometricUnlock = nil", "if !FAULT { biometricUnlock = nil }"),
        SeededFault("a new epoch", enrolling, "domainState.epoch += 1", "if !FAULT { domainState.epoch += 1 }"),
        SeededFault(
            "the room of a sensor", enrolling, "if enrolled.count >= settings.sensor.capacity {",
            "if !FAULT && enrolled.count >= settings.sensor.capacity {"),
        SeededFault("another sensor", enrolling, "sensor += 1", "if !FAULT { sensor += 1 }"),
        SeededFault(
            "the companion that is forgotten", surroundings, "changeCompanion { $0 = Companion() }",
            "changeCompanion { $0 = Companion(); if FAULT { $0.isPaired = true } }"),
        SeededFault(
            "what is erased", "DeviceModel/World/World.swift", "slots.changeEach { $0.clear() }",
            "if !FAULT { slots.changeEach { $0.clear() } }"),
    ]

    /// Faults in what happens to files.
    static let ofFiles: [SeededFault] = [
        SeededFault(
            "the files that are erased", "DeviceModel/World/World.swift", "files.changeEach { $0.clear() }",
            "if !FAULT { files.changeEach { $0.clear() } }"),
        SeededFault(
            "the files that a restart closes", "DeviceModel/World/World.swift",
            "files.changeEach { $0.isOpen = false }", "if !FAULT { files.changeEach { $0.isOpen = false } }"),
        SeededFault(
            "the exclusion from backups", "DeviceModel/World/World.swift", "$0.isPresent && !$0.isExcludedFromBackup",
            "$0.isPresent && (FAULT || !$0.isExcludedFromBackup)"),
        SeededFault(
            "the lock of a file", "AccessPolicy/Files/FileAccess.swift", "isOpen(protection) ? .classOpen",
            "isOpen(protection) || FAULT ? .classOpen"),
        SeededFault(
            "the class of a file that is open", "AccessPolicy/Files/FileAccess.swift", "if protection.isHeldOpen {",
            "if FAULT || protection.isHeldOpen {"),
        SeededFault(
            "the class of a new file", "AccessPolicy/Files/FileAccess.swift",
            "if protection == .completeUnlessOpen { return", "if FAULT || protection == .completeUnlessOpen { return"),
        SeededFault(
            "the app of a file", "PolicyProver/Moving/FileUse.swift", "if actor.profile.asksFromOtherGroup {",
            "if !FAULT && actor.profile.asksFromOtherGroup {"),
    ]
}
