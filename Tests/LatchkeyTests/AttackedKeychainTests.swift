import AccessPolicy
import ApplePlatform
import DeviceModel
import Latchkey
import SecretVault
import SodiumKit
import Synchronization
import TestSupport
import Testing
import UserPresence

/// Tests of answers and calls that come at the wrong moment or from the wrong side, and must do nothing.
@Suite struct AttackedKeychainTests {
    @Test func whatIsLockedAndMayBeAnotherIsNotDeleted() throws {
        let keychain = try Keychain.simulated()
        var marked = Cast.item("marked")
        marked.attributes["invi"] = .number(1)
        try keychain.add(marked, secret: SecureBytes("a"))
        try keychain.keep("b", as: "other")
        try keychain.lock()
        try keychain.advance(by: .seconds(11))
        // No column has this attribute, and the sealed attributes are locked.
        let query = ItemQuery(.genericPassword, ["invi": .number(1)])
        for attempt in [
            { _ = try keychain.delete(query) }, { _ = try keychain.update(query) }, { _ = try keychain.find(query) },
        ] {
            let error = #expect(throws: KeychainError.self) { try attempt() }
            #expect(error?.rule == .classLocked)
        }
        try keychain.unlock(passcode: SecureBytes("1234"))
        #expect(try keychain.reading("other") == "b")
        #expect(try keychain.delete(query).count == 1)
        #expect(try keychain.reading("other") == "b")
    }

    @Test func whatIsLostIsPassedOverWhateverIsLookedFor() throws {
        let keychain = try Keychain.simulated()
        for (account, protection) in [("lost", Accessibility.whenPasscodeSetThisDeviceOnly), ("kept", .whenUnlocked)] {
            var item = Cast.item(account, AccessControl(protection))
            item.attributes["invi"] = .number(1)
            try keychain.add(item, secret: SecureBytes(account))
        }
        try keychain.removePasscode(SecureBytes("1234"))
        try keychain.setPasscode(SecureBytes("1234"))
        var query = ItemQuery(.genericPassword, ["invi": .number(1)], wanted: .data)
        query.limit = .all
        #expect(try keychain.find(query).count == 1)
    }

    @Test func whatAnotherProgramHasMadeVoidIsVoidInAnEvaluation() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("vault")
        let other = try Keychain.createSimulated(at: path, passcode: "1234", enrolled: [])
        let vault = try Vault.open(at: path)
        let context = try vault.makeContext()
        try vault.enter(passcode: SecureBytes("1234"), in: context)
        let caller = Caller("app", groups: ["group"], interaction: .fail)
        let control = try Cast.control(.devicePasscode, .afterFirstUnlock)
        #expect(try vault.evaluate(.presence, for: caller, in: context).isGranted)
        #expect(try vault.evaluate(control, for: .readData, for: caller, in: context).isGranted)
        try other.changePasscode(from: SecureBytes("1234"), to: SecureBytes("5678"))
        #expect(try !vault.evaluate(control, for: .readData, for: caller, in: context).isGranted)
        try other.changePasscode(from: SecureBytes("5678"), to: SecureBytes("1234"))
        try vault.enter(passcode: SecureBytes("1234"), in: context)
        try other.changePasscode(from: SecureBytes("1234"), to: SecureBytes("5678"))
        #expect(try !vault.evaluate(.presence, for: caller, in: context).isGranted)
    }

    @Test func whoOnlyWantsToKnowHasNobodyAsked() throws {
        let user = Remembering(Cast.owner)
        let keychain = try Keychain.simulated(user: user)
        try keychain.keep("s", as: "a", Cast.control(.userPresence))
        let error = #expect(throws: KeychainError.self) {
            try keychain.find(ItemQuery(.genericPassword, wanted: .attributes), interaction: .preflight)
        }
        #expect(error?.status == .param)
        #expect(user.contents.isEmpty)
    }

    @Test func aPromptForPermissionThatIsTakenAwayDeniesNothingForGood() throws {
        let user = ClosureUser(atOnce: true) { prompt in
            if prompt.content.kind == .permission { prompt.end(.systemCanceled) }
            return .confirm
        }
        let keychain = try Keychain.simulated(
            DeviceSettings(sensor: .faceID), enrolled: ["face"], user: user)
        try keychain.simulate(.appInstalled(.first, App(permission: .notAsked)))
        try keychain.keep("s", as: "a", Cast.control(.biometryAny))
        #expect(try keychain.reading("a") == "sheet.system-cancelled")
        #expect(try keychain.device.conditions().biometry == .notYetPermitted)
        keychain.user = SimulatedPerson(fingers: ["face"])
        #expect(try keychain.reading("a") == "s")
    }

    // MARK: - Sensors

    private static func real(_ folder: TemporaryFolder, _ sensor: any BiometricSensor, _ user: any DeviceUser) throws
        -> Keychain
    {
        var options = KeychainOptions()
        options.sensor = .touchID
        options.allowsFakeSensor = true
        options.hasRecoveryKey = false
        return try Keychain.create(
            at: folder.path("vault"), options, passcode: SecureBytes("1234"), sensor: .external(sensor), user: user
        ).keychain
    }

    /// A sensor whose prompt ends during the match.
    private final class Interrupted: BiometricSensor {
        private let known = Mutex<[Template]>([])
        var kind: SensorKind { .touchID }
        var isFake: Bool { true }

        func enrollments() throws(SensorError) -> Enrollments { try Enrollments(sensor: "one", known.withLock { $0 }) }

        func enroll(_ name: String, until prompt: Prompt) throws(SensorError) {
            known.withLock { $0.append(Template(id: name, name: name)) }
        }

        func remove(_ id: Template.ID) throws(SensorError) { known.withLock { $0.removeAll { $0.id == id } } }

        func match(showing shown: String?, until prompt: Prompt) throws(SensorError) -> SensorMatch {
            prompt.end(.canceled)
            return shown == "finger" ? .matched("finger") : .noMatch
        }
    }

    @Test func aMatchAtAPromptThatWasDismissedCountsForNothing() throws {
        let folder = try TemporaryFolder()
        let user = ClosureUser(atOnce: true) { prompt in
            // The settings of a real device ask for the passcode.
            guard prompt.content.kind == .passcode, let passcode = try? SecureBytes("1234") else {
                return .touch(showing: "finger")
            }
            return .typed(passcode)
        }
        let keychain = try Self.real(folder, Interrupted(), user)
        try keychain.enroll("finger")
        try keychain.keep("s", as: "a", Cast.control(.biometryAny))
        let context = try keychain.makeContext()
        #expect(try keychain.reading("a", in: context) == "sheet.cancelled")
        #expect(try context.evidence[.biometry] == nil)
        // Dismissing the prompt after each miss gives no additional attempts.
        keychain.user = ClosureUser(atOnce: true) { _ in .touch(showing: "another") }
        for _ in 1...5 { #expect(try keychain.reading("a") == "sheet.cancelled") }
        #expect(try keychain.reading("a") == "biometry.locked-out")
        keychain.close()
    }

    @Test func aFakeSensorWithAMemoryOfItsOwnIsLikeAnyOther() throws {
        let folder = try TemporaryFolder()
        let keychain = try Self.real(folder, FakeSensor(.touchID), Cast.owner)
        try keychain.enroll("right index")
        #expect(try keychain.enrolledNames == ["right index"])
        try keychain.keep("s", as: "a", Cast.control(.biometryAny))
        #expect(try keychain.reading("a") == "s")
        keychain.close()
    }

    @Test func theSettingsOfARealDeviceAskForThePasscode() throws {
        let folder = try TemporaryFolder()
        let user = Remembering(SimulatedPerson(passcode: "1234"))
        let keychain = try Self.real(folder, FakeSensor(.touchID), user)
        try keychain.enroll("finger")
        #expect(user.kinds == [.passcode])
        keychain.user = Cast.stranger
        #expect(throws: KeychainError.self) { try keychain.enroll("another") }
        #expect(throws: KeychainError.self) { try keychain.removeEnrolled("finger") }
        #expect(throws: KeychainError.self) { try keychain.resetSensor() }
        #expect(try keychain.enrolledNames == ["finger"])
        keychain.close()
    }

    @Test func anotherSensorIsTakenIntoUseByAReset() throws {
        let folder = try TemporaryFolder()
        let owner = SimulatedPerson(fingers: ["finger"], passcode: "1234")
        let first = try Self.real(folder, FakeSensor(.touchID), owner)
        try first.keep("s", as: "b", Cast.control(.devicePasscode))
        #expect(throws: KeychainError.self) { try first.keep("s", as: "c", Cast.control(.biometryAny)) }
        first.close()
        let keychain = try Keychain.open(
            at: folder.path("vault"), sensor: .external(FakeSensor(.touchID)), user: owner)
        try keychain.unlock(passcode: SecureBytes("1234"))
        #expect(throws: KeychainError.self) { try keychain.enroll("finger") }
        #expect(try keychain.resetSensor().refusal == nil)
        #expect(try keychain.enroll("finger").refusal == nil)
        try keychain.keep("s", as: "a", Cast.control(.biometryAny))
        #expect(try keychain.reading("a") == "s")
        keychain.close()
        #expect(throws: KeychainError.self) {
            try Keychain.open(at: folder.path("vault"), sensor: .external(FakeSensor(.faceID)))
        }
    }

    // MARK: - Passcodes and contexts

    @Test func eachNextPasscodeThatIsRefusedIsAnAttempt() throws {
        let vault = try Vault.inMemory(passcode: SecureBytes("first")).vault
        for next in ["a", "b", "b", "c"] {
            _ = try vault.changePasscode(from: SecureBytes("first"), to: SecureBytes(next), at: nil) { _ in .wrong }
        }
        #expect(try vault.device.wrongPasscodes.count == 3)
    }

    @Test func aContextThatIsEndedUnderTheJudgeTakesNothing() throws {
        let vault = try Vault.inMemory(passcode: SecureBytes("1234")).vault
        let context = try vault.makeContext()
        let effects = try vault.enter(passcode: SecureBytes("1234"), in: context, at: vault.openPrompt()) { _ in
            try? context.invalidate()
            return .accepted
        }
        #expect(effects.authenticated(.passcode))
        let ticket = try #require(try vault.openPrompt())
        _ = try context.choose(password: SecureBytes("late"), at: ticket)
        try context.setApplicationPassword(SecureBytes("late"))
        #expect(try context.context[.passcode] == nil)
        #expect(try !context.context.offersApplicationPassword)
    }

    @Test func aPasswordThatWasChosenIsAskedForAgainAfterALock() throws {
        let vault = try Vault.inMemory(passcode: SecureBytes("1234")).vault
        let context = try vault.makeContext()
        let ticket = try #require(try vault.openPrompt())
        #expect(try context.choose(password: SecureBytes("chosen"), at: ticket))
        try vault.lock()
        try vault.pass(.seconds(11))
        try vault.enter(passcode: SecureBytes("1234"))
        #expect(try !context.choose(password: SecureBytes("late"), at: ticket))
        let item = ItemDescription(
            .genericPassword, ["acct": .string("a")], try Cast.control(.applicationPassword), group: "group")
        let reply = try vault.add(item, secret: SecureBytes("s"), for: Caller("app", groups: ["group"]), in: context)
        switch consume reply {
        case .challenge(let challenge): #expect(challenge.ways.contains([.applicationPassword]))
        default: Issue.record("nobody has chosen a password for it")
        }
    }

    // MARK: - Dates

    @Test func anUpdateMaySayWhenAnItemWasStored() throws {
        let keychain = try Keychain.simulated()
        try keychain.keep("s", as: "a")
        var changes = ItemChanges()
        changes.merging = ["cdat": .date(5), "mdat": .date(6)]
        try keychain.update(ItemQuery(.genericPassword), changes)
        let query = ItemQuery(.genericPassword, ["cdat": .date(5)], wanted: .attributes)
        let stored = try #require(try keychain.find(query).first?.stored)
        #expect(stored.created == 5)
        #expect(stored.modified > 6)
        #expect(stored.description.attributes["cdat"] == nil)
        #expect(stored.description.attributes["mdat"] == nil)
    }

    @Test func anotherProgramsCommitPutsNoClockBack() throws {
        let folder = try TemporaryFolder()
        final class Machine: Sendable { let uptime = Mutex<Int64>(1_000) }
        let machine = Machine()
        let clock = VaultClock(boot: "a", uptime: { machine.uptime.withLock { $0 } }, wall: { 1_800_000_000_000 })
        var options = VaultOptions.real()
        options.hasRecoveryKey = false
        options.clock = clock
        let path = folder.path("vault")
        let one = try Vault.create(at: path, options, passcode: SecureBytes("first")).vault
        let two = try Vault.open(at: path, clock: clock)
        try two.enter(passcode: SecureBytes("first"))
        try two.changePasscode(from: SecureBytes("first"), to: SecureBytes("second"))
        machine.uptime.withLock { $0 += 60_000 }
        #expect(try one.device.now == two.device.now)
        #expect(try one.device.now.milliseconds == 1_800_000_060_000)
        one.close()
        two.close()
    }
}
