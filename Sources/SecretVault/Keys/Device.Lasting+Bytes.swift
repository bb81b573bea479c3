internal import AccessPolicy
internal import DeviceModel

extension Device.Lasting: Stored {
    package mutating func code<Coder: StoredCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.choice("sensor", &settings.sensor)
        try coder.number("lockGrace", &settings.lockGrace.milliseconds)
        try coder.choice("attemptEnd", &settings.attemptEnd)
        try coder.value("fidelity", &settings.fidelity)
        try coder.number("now", &now.milliseconds)
        var typed = passcode?.rawValue ?? 255
        try coder.number("passcode", &typed)
        passcode = Passcode(rawValue: typed)
        try coder.require(passcode != nil || typed == 255)
        try coder.number("passcodeClassKey", &passcodeClassKey)
        try coder.number("wrongPasscodes", &wrongPasscodes.bits)
        try coder.number("delayedUntil", &delayedUntil.milliseconds)
        try coder.number("domainState", &domainState.sensor)
        try coder.number("domainState", &domainState.epoch)
        try coder.number("enrolled", &enrolled.bits)
        try coder.number("failedMatches", &failedMatches)
        try coder.flag("isCompanionPaired", &isCompanionPaired)
        try coder.flag("stolenDeviceProtection", &settings.stolenDeviceProtection)
        var isRunning = securityDelayEnds != nil
        var ends = securityDelayEnds ?? Instant(milliseconds: 0)
        try coder.flag("securityDelayEnds", &isRunning)
        try coder.number("securityDelayEnds", &ends.milliseconds)
        securityDelayEnds = isRunning ? ends : nil
        try codeApps(with: &coder)
    }

    private mutating func codeApps<Coder: StoredCoder>(with coder: inout Coder) throws(Coder.Failure) {
        var listed = apps.sorted { $0.key.rawValue < $1.key.rawValue }.map {
            KeptApp(number: $0.key.rawValue, app: $0.value)
        }
        var count = UInt8(apps.count)
        try coder.number("apps", &count)
        if Coder.reads { listed = Array(repeating: .blank, count: Int(count)) }
        for place in listed.indices { try coder.value("apps", &listed[place]) }
        guard Coder.reads else { return }
        apps = [:]
        for kept in listed { if let id = AppID(rawValue: kept.number) { apps[id] = kept.app } }
    }
}

/// An app together with its number.
private struct KeptApp: Stored {
    static let blank = KeptApp(number: 0, app: App())

    var number: UInt8
    var app: App

    package mutating func code<Coder: StoredCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.number("number", &number)
        try coder.require(AppID(rawValue: number) != nil)
        try coder.value("app", &app)
    }
}

extension App: Stored {
    package mutating func code<Coder: StoredCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.number("groups", &groups.bits)
        try coder.choice("permission", &permission)
        try coder.flag("declaresUsage", &declaresUsage)
    }
}
