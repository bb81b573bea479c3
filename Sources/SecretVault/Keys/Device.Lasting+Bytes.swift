internal import AccessPolicy
internal import DeviceModel

extension Device.Lasting {
    func write(to bytes: inout [UInt8]) {
        bytes.write(settings.sensor.rawValue)
        bytes.write(settings.lockGrace.milliseconds)
        bytes.write(settings.attemptEnd.rawValue)
        settings.fidelity.write(to: &bytes)
        bytes.write(now.milliseconds)
        bytes.write(passcode.map(\.rawValue) ?? 255)
        bytes.write(passcodeClassKey)
        bytes.write(wrongPasscodes.bits)
        bytes.write(delayedUntil.milliseconds)
        bytes.write(domainState.sensor)
        bytes.write(domainState.epoch)
        bytes.write(enrolled.bits)
        bytes.write(failedMatches)
        bytes.write(isCompanionPaired ? 1 : 0 as UInt8)
        let isProtected = settings.stolenDeviceProtection
        bytes.write(UInt8(apps.count) | (isProtected ? Self.protectionFollows : 0))
        for (id, app) in apps.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            bytes.write(id.rawValue)
            bytes.write(app.groups.bits)
            bytes.write(app.permission.rawValue)
            bytes.write(app.declaresUsage ? 1 : 0 as UInt8)
        }
        if isProtected {
            bytes.write(securityDelayEnds == nil ? 0 : 1 as UInt8)
            bytes.write(securityDelayEnds?.milliseconds ?? 0)
        }
    }

    /// The bit beside the number of apps that says that Stolen Device Protection is on. Only simulated devices have it, and
    /// the bytes of all others are as they were before there was one.
    private static let protectionFollows: UInt8 = 0x80

    init(from reader: inout ByteReader) throws {
        self.init(
            DeviceSettings(
                sensor: try reader.choice(), lockGrace: TimeSpan(milliseconds: try reader.number()),
                attemptEnd: try reader.choice(), fidelity: try Fidelity(from: &reader)))
        now = Instant(milliseconds: try reader.number())
        let code: UInt8 = try reader.number()
        passcode = Passcode(rawValue: code)
        guard passcode != nil || code == 255 else { throw ByteReader.Malformed() }
        passcodeClassKey = try reader.number()
        wrongPasscodes = Passcodes(bits: try reader.number())
        delayedUntil = Instant(milliseconds: try reader.number())
        domainState = DomainState(sensor: try reader.number(), epoch: try reader.number())
        enrolled = Fingers(bits: try reader.number())
        failedMatches = try reader.number()
        isCompanionPaired = try reader.bool()
        apps = [:]
        let count: UInt8 = try reader.number()
        for _ in 0..<(count & ~Self.protectionFollows) {
            guard let id = AppID(rawValue: try reader.number()) else { throw ByteReader.Malformed() }
            let groups = AccessGroups(bits: try reader.number())
            apps[id] = App(groups: groups, permission: try reader.choice(), declaresUsage: try reader.bool())
        }
        if count & Self.protectionFollows != 0 {
            self.settings.stolenDeviceProtection = true
            let isRunning = try reader.bool()
            let ends = Instant(milliseconds: try reader.number())
            securityDelayEnds = isRunning ? ends : nil
        }
    }
}
