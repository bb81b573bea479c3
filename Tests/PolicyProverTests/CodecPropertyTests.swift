import AccessPolicy
import DeviceModel
import PolicyProver
import Testing

/// Every stored property of a situation is in its key, or this table says why not. A new property is in neither, and
/// fails the test.
@Suite struct CodecPropertyTests {
    /// The fate of a property in a key.
    enum Fate {
        /// The key changes if the property changes like this.
        case kept((inout Situation) -> Void)
        /// No key has the property, for this reason.
        case left(String)
    }

    /// The situations in one of which a change has to show. Not every property matters in all of them.
    static func situations() throws -> (space: SearchSpace, situations: [Situation]) {
        var fidelity = Fidelity()
        fidelity.contextLifetime = .tenMinutes
        let flags: AccessControlFlags = [.biometryCurrentSet, .applicationPassword]
        let control = try AccessControl(protection: .whenPasscodeSetThisDeviceOnly, flags: flags)
        let scene = try Scene(
            DeviceSettings(sensor: .faceID, fidelity: fidelity),
            storing: [Item(control), Item(AccessControl(.whenUnlocked))],
            files: [FileSlot(.completeUnlessOpen, isOpen: true)])
        let assumptions = Assumptions(contexts: .kept)
        let space = SearchSpace(scene, [.snatcher], assuming: assumptions, limits: SearchLimits(situations: 1))
        let unlocked = scene.beginning(for: .snatcher, assuming: assumptions)
        func after(_ events: [Event]) -> Situation {
            var situation = unlocked
            for event in events { situation.world.apply(event) }
            return situation
        }
        let guesses = (8..<14).compactMap { Passcode(rawValue: $0).map(Event.passcodeEntered) }
        let seconds = Event.timePassed(.seconds(3))
        return (
            space,
            [
                unlocked, after([seconds]), after([.lock, seconds]), after([.lock, .timePassed(.hours(1))]),
                after(guesses),
                after([.backupTaken(encrypted: true), seconds]),
            ]
        )
    }

    /// Expects each property of `value` to have its fate in `fates`, and no other properties.
    static func check<Value>(_ value: Value, _ fates: [String: Fate]) throws {
        let labels = Mirror(reflecting: value).children.compactMap(\.label)
        #expect(Set(labels) == Set(fates.keys), "\(Value.self): give each property a fate")
        let (space, situations) = try situations()
        for (label, fate) in fates {
            guard case .kept(let change) = fate else { continue }
            let isTold = situations.contains { situation in
                var changed = situation
                change(&changed)
                let key = space.codec.key(changed)
                return key != space.codec.key(situation)
                    && space.codec.situation(key) == CodecTests.form(changed)
            }
            #expect(isTold, "no key changes with \(label) of \(Value.self)")
        }
    }

    static func finger(_ number: UInt8) throws -> Finger { try #require(Finger(rawValue: number)) }

    @Test func ofADevice() throws {
        let attackers = try Self.finger(8)
        let guess = try #require(Passcode(rawValue: 30))
        try Self.check(
            Device(),
            [
                "settings": .left("no move changes the settings of a device"),
                "now": .left("only ages matter, and they are relative to it"),
                "session": .left("factors of another session no longer count"),
                "isLocked": .kept { $0.world.device.isLocked.toggle() },
                "hasFirstUnlock": .kept { $0.world.device.hasFirstUnlock.toggle() },
                "isOpen": .kept { $0.world.device.isOpen.toggle() },
                "lastUnlocked": .kept { $0.world.device.lastUnlocked = $0.ago(.seconds(1)) },
                "passcode": .kept { $0.world.device.passcode = guess },
                "passcodeClassKey": .kept { $0.world.device.passcodeClassKey += 1 },
                "wrongPasscodes": .kept { $0.world.device.wrongPasscodes.insert(guess) },
                "delayedUntil": .kept { $0.world.device.delayedUntil = $0.world.device.now + .seconds(7) },
                "lastPasscode": .kept { $0.world.device.lastPasscode = $0.ago(.seconds(1)) },
                "domainState": .kept { $0.world.device.domainState.epoch += 1 },
                "enrolled": .kept { $0.world.device.enrolled.insert(attackers) },
                "securityDelayEnds": .kept { $0.world.device.securityDelayEnds = $0.world.device.now + .minutes(7) },
                "failedMatches": .kept { $0.world.device.failedMatches += 1 },
                "biometricUnlock": .kept { $0.world.device.biometricUnlock = nil },
                "lastBiometricUnlock": .kept {
                    $0.world.device.lastBiometricUnlock = $0.ago(.seconds(1))
                },
                "passcodeReasons": .kept { $0.world.device.passcodeReasons.insert(.emergency) },
                "companion": .kept { $0.world.device.companion.isNear.toggle() },
                "apps": .kept { $0.world.device.apps[.first]?.permission = .denied },
            ])
        try Self.check(
            Device().companion,
            [
                "isPaired": .kept { $0.world.device.companion.isPaired.toggle() },
                "isNear": .kept { $0.world.device.companion.isNear.toggle() },
                "isUnlocked": .kept { $0.world.device.companion.isUnlocked.toggle() },
            ])
        try Self.check(
            App(),
            [
                "groups": .left("no move installs an app"),
                "permission": .kept { $0.world.device.apps[.first]?.permission = .denied },
                "declaresUsage": .left("no move installs an app"),
            ])
        let unlock = try #require(
            Self.situations().situations.lazy.compactMap { $0.world.device.biometricUnlock }.first)
        try Self.check(
            unlock,
            [
                "at": .kept { situation in
                    let earlier = situation.ago(.seconds(9))
                    situation.world.device.biometricUnlock?.at = earlier
                },
                "domainState": .kept { $0.world.device.biometricUnlock?.domainState.epoch += 1 },
            ])
    }

    @Test func ofAWorld() throws {
        let slot = try #require(SlotID(rawValue: 0))
        let (_, situations) = try Self.situations()
        let world = situations[0].world
        try Self.check(
            world,
            [
                "device": .kept { $0.world.device.isLocked.toggle() },
                "slots": .kept { $0.world.slots[slot].isPresent = false },
                "backup": .kept { $0.world.backup = World.Backup(isEncrypted: false, isOfThisDevice: true) },
                "stored": .left("a counter; the slot numbers the item"),
                "files": .kept { $0.world.files[0].isOpen = false },
            ])
        try Self.check(
            world.files[0],
            [
                "protection": .left("no move changes the class of a file"),
                "isExcludedFromBackup": .left("no move changes it"),
                "isPresent": .kept { $0.world.files[0].isPresent = false },
                "isOpen": .kept { $0.world.files[0].isOpen = false },
                "hasCopy": .kept { $0.world.files[0].hasCopy = true },
            ])
        try Self.check(
            World.Backup(isEncrypted: true, isOfThisDevice: true),
            [
                "isEncrypted": .kept { $0.world.backup?.isEncrypted.toggle() },
                "isOfThisDevice": .kept { $0.world.backup?.isOfThisDevice.toggle() },
            ])
        try Self.check(
            world.slots[slot],
            [
                "item": .kept { $0.world.slots[slot].item.binding?.domainState.epoch += 1 },
                "isPresent": .kept { $0.world.slots[slot].isPresent = false },
                "applicationPassword": .kept { $0.world.slots[slot].applicationPassword = 2 },
                "copy": .kept { situation in
                    situation.world.backup = World.Backup(isEncrypted: true, isOfThisDevice: true)
                    situation.world.slots[slot].copy = situation.world.slots[slot].item
                },
            ])
        try Self.check(
            world.slots[slot].item,
            [
                "control": .left("no move changes it"), "isKey": .left("no move changes it"),
                "isSynchronizable": .left("no move changes it"), "group": .left("no move changes it"),
                "id": .left("the slot numbers it"),
                "binding": .kept { $0.world.slots[slot].item.binding?.domainState.epoch += 1 },
            ])
    }

    @Test func ofASituation() throws {
        let (_, situations) = try Self.situations()
        try Self.check(
            situations[0],
            [
                "world": .kept { $0.world.device.isLocked.toggle() },
                "timeLeft": .kept { $0.timeLeft = .minutes(3) },
                "kept": .kept { $0.kept = nil },
                "isCompanionNew": .kept { $0.isCompanionNew.toggle() },
                "hasSeenEnrollmentChange": .kept { $0.hasSeenEnrollmentChange.toggle() },
                "isElsewhere": .kept { $0.isElsewhere.toggle() },
                "account": .kept { $0.account.circle += 1 },
                "isBackupAttackers": .kept { $0.isBackupAttackers.toggle() },
            ])
        try Self.check(
            try #require(situations[0].kept),
            [
                "session": .kept { $0.kept?.session -= 1 },
                "at": .kept { situation in
                    let earlier = situation.ago(.seconds(9))
                    situation.kept?.at = earlier
                },
                "domainState": .kept { $0.kept?.domainState.epoch += 1 },
            ])
    }

    /// Of a context that the app keeps, a situation has only what can differ during a search.
    @Test func ofAContext() throws {
        try Self.check(
            Context(),
            [
                "isInvalidated": .left("no move ends a context"), "reuse": .left("the scene settles it"),
                "offersApplicationPassword": .left("each request settles it"),
                "passwordRefusedBy": .left("it ends with its request"),
                "evidence": .left("the factors follow from the item"),
            ])
        try Self.check(
            Evidence(.biometry, under: Device().conditions()),
            [
                "factor": .left("the factors follow from the item"),
                "item": .left("storing the item again has ended the session"),
                "session": .kept { $0.kept?.session -= 1 },
                "at": .kept { situation in
                    let earlier = situation.ago(.seconds(9))
                    situation.kept?.at = earlier
                },
                "domainState": .kept { $0.kept?.domainState.epoch += 1 },
            ])
    }
}

extension Situation {
    /// Returns the moment this long before now.
    fileprivate func ago(_ span: TimeSpan) -> Instant {
        Instant(milliseconds: world.device.now.milliseconds - span.milliseconds)
    }
}
