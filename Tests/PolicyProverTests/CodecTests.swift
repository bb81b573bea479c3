import AccessPolicy
import DeviceModel
import PolicyProver
import TestSupport
import Testing

/// A key is as good as its situation: it leaves out nothing that can change the future.
@Suite struct CodecTests {
    /// Scenes in which everything that a key holds occurs.
    static let scenes: [(name: String, settings: DeviceSettings, fingers: Int, app: App)] = {
        var short = Fidelity()
        short.contextLifetime = .tenMinutes
        return [
            ("Touch ID", DeviceSettings(), 2, App()),
            ("Face ID", DeviceSettings(sensor: .faceID, attemptEnd: .erases), 1, App(permission: .notAsked)),
            ("Optic ID", DeviceSettings(sensor: .opticID, lockGrace: .hours(1), fidelity: short), 1, App()),
            ("no sensor", DeviceSettings(sensor: .none, lockGrace: .zero, attemptEnd: .keepsDelaying), 0, App()),
        ]
    }()

    static func scene(_ number: Int) throws -> Scene {
        let (_, settings, fingers, app) = scenes[number]
        let flags: [(AccessControlFlags, Accessibility)] = [
            (.devicePasscode, .whenPasscodeSetThisDeviceOnly), (.applicationPassword, .whenUnlocked),
            (.companion, .always),
        ]
        let biometric: [(AccessControlFlags, Accessibility)] =
            settings.sensor == .none
            ? [] : [(.biometryCurrentSet, .whenUnlocked), ([.biometryAny, .applicationPassword], .afterFirstUnlock)]
        let items =
            try [Item(AccessControl(.whenUnlocked))]
            + (flags + biometric).map { Item(try AccessControl(protection: $1, flags: $0)) }
        var scene = try Scene(
            settings, hasPasscode: true, fingers: fingers, companion: .ready, apps: [NamedApp("app", app)],
            storing: items,
            files: [
                FileSlot(.complete), FileSlot(.completeUnlessOpen, isOpen: true),
                FileSlot(.none, isExcludedFromBackup: true),
            ])
        scene.reuse = .minutes(1)
        return scene
    }

    /// Returns the situation that a key stands for: the normal form, in which the owner's fingers and the guesses are
    /// counted.
    static func form(_ situation: Situation) -> Situation {
        var form = situation.normal
        var enrolled: Fingers = form.world.device.enrolled.filter { $0.rawValue >= Scene.mostFingers }
            .reduce(into: []) { $0.insert($1) }
        for number in 0..<form.world.device.enrolled.count - enrolled.count {
            if let finger = Finger(rawValue: UInt8(number)) { enrolled.insert(finger) }
        }
        form.world.device.enrolled = enrolled
        let wrong = form.world.device.wrongPasscodes.bits
        form.world.device.wrongPasscodes.bits = wrong & 0xff | (1 << UInt64((wrong >> 8).nonzeroBitCount) - 1) << 8
        return form
    }

    /// Tests every situation that a search finds, and every move from there.
    @Test(arguments: scenes.indices, Profile.all)
    func everySituationOfASearchIsReadAgain(_ number: Int, _ profile: Profile) throws {
        let scene = try Self.scene(number)
        let worlds = OracleTests.isSoak ? Policies.worlds : [Policies.worlds[0], Policies.worlds[3]]
        for stated in worlds {
            let space = SearchSpace(
                scene, [profile], assuming: Assumptions(stated),
                limits: SearchLimits(situations: OracleTests.isSoak ? 60_000 : 1_500))
            var distinct: Set<Situation> = []
            for key in space.keys {
                let situation = space.codec.situation(key)
                #expect(space.codec.key(situation) == key)
                #expect(Self.form(situation) == situation)
                #expect(distinct.insert(situation).inserted)
                for next in space.successors(of: situation) {
                    #expect(space.codec.situation(space.codec.key(next)) == Self.form(next))
                }
            }
        }
    }

    /// Tests walks of two people on a clock that runs on, as in a story.
    @Test(arguments: scenes.indices, Profile.all)
    func everyStepOfAWalkIsReadAgain(_ number: Int, _ profile: Profile) throws {
        let scene = try Self.scene(number)
        var random = SeededGenerator(seed: UInt64(number) * 100 + UInt64(profile.name.utf8.count))
        for walk in 0..<(OracleTests.isSoak ? 400 : 8) {
            let assumptions = Assumptions(Policies.worlds[walk % Policies.worlds.count])
            let profiles = profile.isOwner ? [profile] : [profile, .owner]
            let space = SearchSpace(scene, profiles, assuming: assumptions, limits: SearchLimits(situations: 1))
            var situation = scene.beginning(for: profile, assuming: assumptions)
            for _ in 0..<40 {
                #expect(space.codec.situation(space.codec.key(situation)) == Self.form(situation))
                guard let next = space.successors(of: situation).randomElement(using: &random) else { break }
                situation = next
            }
        }
    }

    /// Tests a situation with the most of everything, in which a field with too few bits has no room.
    @Test func aKeyHasRoomForTheMostOfEverything() throws {
        var fidelity = Fidelity()
        fidelity.contextLifetime = .tenMinutes
        let flags: AccessControlFlags = [.biometryCurrentSet, .applicationPassword]
        let control = try AccessControl(protection: .whenPasscodeSetThisDeviceOnly, flags: flags)
        let scene = try Scene(
            DeviceSettings(attemptEnd: .keepsDelaying, fidelity: fidelity), fingers: Scene.mostFingers,
            storing: Array(repeating: Item(control), count: SlotID.capacity),
            files: Array(repeating: FileSlot(.complete, isOpen: true), count: FileSlots.capacity))
        let assumptions = Assumptions(contexts: .kept)
        let space = SearchSpace(scene, [.snatcher], assuming: assumptions, limits: SearchLimits(situations: 1))

        var most = scene.beginning(for: .snatcher, assuming: assumptions)
        let now = Instant.start + .hours(10_000)
        func ago(_ span: TimeSpan) -> Instant { now + TimeSpan(milliseconds: -span.milliseconds) }
        most.timeLeft = .hours(365 * 24)
        most.kept?.at = ago(Context.longestLifetime)
        (most.isCompanionNew, most.hasSeenEnrollmentChange) = (true, true)
        (most.isBackupAttackers, most.isElsewhere) = (true, true)
        most.world.backup = World.Backup(isEncrypted: true, isOfThisDevice: true)
        for place in most.world.files.indices { most.world.files[place].hasCopy = true }
        for id in most.world.places {
            most.world.slots[id].applicationPassword = 3
            most.world.slots[id].copy = most.world.slots[id].item
        }
        var device = most.world.device
        device.now = now
        device.lastUnlocked = .start
        device.lastPasscode = .start
        device.lastBiometricUnlock = .start
        device.biometricUnlock = BiometricUnlock(at: ago(Context.longestReuse), domainState: device.domainState)
        device.passcode = Passcode(rawValue: 63)
        device.wrongPasscodes.bits = .max
        device.delayedUntil = now + .hours(8)
        device.securityDelayEnds = now + .hours(1)
        device.failedMatches = .max
        (device.companion.isPaired, device.companion.isNear, device.companion.isUnlocked) = (true, true, true)
        (device.isLocked, device.isOpen) = (true, true)
        device.apps[.first]?.permission = .denied
        for reasons: UInt8 in [0, .max] {
            device.passcodeReasons.bits = reasons
            most.world.device = device
            #expect(space.codec.situation(space.codec.key(most)) == Self.form(most))
        }
    }
}
