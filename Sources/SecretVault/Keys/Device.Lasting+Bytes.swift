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
        bytes.write(UInt8(apps.count))
        for (id, app) in apps.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            bytes.write(id.rawValue)
            bytes.write(app.groups.bits)
            bytes.write(app.permission.rawValue)
            bytes.write(app.declaresUsage ? 1 : 0 as UInt8)
        }
    }

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
        for _ in 0..<(try reader.number(UInt8.self)) {
            guard let id = AppID(rawValue: try reader.number()) else { throw ByteReader.Malformed() }
            let groups = AccessGroups(bits: try reader.number())
            apps[id] = App(groups: groups, permission: try reader.choice(), declaresUsage: try reader.bool())
        }
    }
}
