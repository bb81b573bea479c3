import AccessPolicy
import DeviceModel
import Foundation
import Latchkey
import SecretVault
import SodiumKit
import Synchronization
import TestSupport
import Testing
import UserPresence

/// A keychain with a scripted sensor.
private protocol WithSensor {
    var keychain: Keychain { get }
}

extension RealVault: WithSensor {}

/// A vault like ``RealVault`` that takes no time to create.
private struct ScriptedDevice: WithSensor {
    let sensor = ScriptedSensor(.touchID, ["right index"])
    let keychain: Keychain

    init() throws {
        keychain = try Keychain.simulated(DeviceSettings(lockGrace: .zero), sensor: sensor, user: Cast.owner)
        try keychain.keep("any", as: "any", Cast.control(.biometryAny))
        try keychain.keep("bound", as: "bound", Cast.control(.biometryCurrentSet))
    }
}

/// The sensor and the vault's record of it.
@Suite struct SensorJoinTests {
    private static let index = Template(id: "id of right index", name: "right index")
    private static let thumb = Template(id: "id of left thumb", name: "left thumb")

    private func epoch(_ vault: some WithSensor) throws -> DomainState { try vault.keychain.device.domainState }

    // MARK: - Changes outside the keychain

    @Test(arguments: [[index, thumb], [thumb], [Template(id: "another id", name: "right index")]])
    func whatChangedBehindOurBackHappensFirst(_ templates: [Template]) throws {
        let vault = try ScriptedDevice()
        let context = try vault.keychain.makeContext()
        #expect(try vault.keychain.reading("bound", in: context) == "bound")
        #expect(try vault.keychain.reading("any", in: context) == "any")
        let before = try epoch(vault)
        vault.sensor.set { $0.templates = templates }
        // Both the context with the authentication and a new one refuse it.
        #expect(try vault.keychain.reading("bound", in: context) == "biometry.current-set.changed")
        #expect(try epoch(vault) != before)
        #expect(try vault.keychain.enrolledNames.sorted() == templates.map(\.name).sorted())
        #expect(try vault.keychain.reading("any", in: context) == "any", "a match on this sensor, before the change")
        #expect(try vault.keychain.reading("bound") != "bound")
        vault.sensor.set { $0.templates = [Self.index] }
        #expect(try vault.keychain.reading("bound") != "bound", "a set does not come back")
        #expect(try vault.keychain.reading("any") == "any")
    }

    @Test func everybodyRemovedBehindOurBack() throws {
        let vault = try ScriptedDevice()
        #expect(try vault.keychain.reading("bound") == "bound")
        vault.sensor.set { $0.templates = [] }
        #expect(try vault.keychain.reading("any") == "biometry.not-enrolled")
        #expect(try vault.keychain.reading("bound") != "bound")
        vault.sensor.set { $0.templates = [Self.index] }
        #expect(try vault.keychain.reading("any") == "any")
        #expect(try vault.keychain.reading("bound") != "bound")
    }

    @Test func whatChangesUnderTheSheetHappensBeforeTheDecision() throws {
        let vault = try ScriptedDevice()
        vault.sensor.set { script in
            script.match = { [sensor = vault.sensor] (_, _) throws(SensorError) in
                sensor.set { $0.templates = [Self.index, Self.thumb] }
                return .matched(Self.index.id)
            }
        }
        #expect(try vault.keychain.reading("bound") == "biometry.current-set.changed")
        #expect(try vault.keychain.reading("any") == "any")
    }

    @Test func whatNeedsNoBiometryAsksNoSensor() throws {
        let vault = try ScriptedDevice()
        try vault.keychain.keep("plain", as: "plain")
        let before = vault.sensor.asked
        #expect(try vault.keychain.reading("plain") == "plain")
        #expect(vault.sensor.asked == before)
        #expect(try vault.keychain.reading("any") == "any")
        #expect(vault.sensor.asked >= before + 2, "before it is asked for, and before it is granted")
    }

    @Test func aCrashBetweenSensorAndRecordIsMadeGood() throws {
        let vault = try RealVault()
        #expect(try vault.keychain.reading("bound") == "bound")
        let before = try epoch(vault)
        try vault.sensor.enroll("left thumb", until: Prompt(PromptContent(.biometry)))
        vault.keychain.close()
        let again = try Keychain.open(
            at: vault.path, sensor: .external(vault.sensor), user: Cast.owner, requester: .simulatedApp)
        #expect(try again.device.domainState != before, "taken in as it was opened")
        #expect(try again.unlock(passcode: SecureBytes("1234")).authenticated(.passcode))
        #expect(try again.reading("bound") != "bound")
        #expect(try again.reading("any") == "any")
    }

    /// Apple's Face ID forgets all faces at once. Another face sensor may forget one of two.
    @Test func aSensorForFacesForgetsOneOfTwo() throws {
        let vault = try RealVault(ScriptedSensor(.faceID, ["face", "glasses"]))
        #expect(try vault.keychain.enrolledNames.sorted() == ["face", "glasses"])
        vault.sensor.set { $0.templates.removeAll { $0.name == "glasses" } }
        #expect(try vault.keychain.reading("bound") == "biometry.current-set.changed")
        #expect(try vault.keychain.enrolledNames == ["face"])
        #expect(try vault.keychain.removeEnrolled("face").refusal == nil)
        #expect(try vault.keychain.enrolledNames == [])
    }

    @Test func aSimulatedPhoneWithFaceIDOffersOnlyAReset() throws {
        let keychain = try Keychain.simulated(
            DeviceSettings(sensor: .faceID), enrolled: ["face", "glasses"], user: Cast.owner)
        #expect(try keychain.removeEnrolled("glasses").refusal == .onlyResetRemoves)
        #expect(try keychain.enrolledNames.count == 2)
        #expect(try keychain.resetSensor().refusal == nil)
        #expect(try keychain.enrolledNames == [])
    }

    // MARK: - Untrustworthy sensors

    enum Doubt: CaseIterable {
        case fails, timesOut, garbage, otherIdentity, tooMany

        func befall(_ script: inout ScriptedSensor.Script) {
            switch self {
            case .fails: script.failure = .absent("unplugged")
            case .timesOut: script.failure = .timedOut
            case .garbage: script.failure = .garbage("noise")
            case .otherIdentity: script.identity = "another"
            case .tooMany:
                script.templates = (0..<6).map { Template(id: "id \($0)", name: "finger \($0)") }
            }
        }
    }

    @Test(arguments: Doubt.allCases) func aSensorInDoubtDestroysNothing(_ doubt: Doubt) throws {
        let vault = try ScriptedDevice()
        let context = try vault.keychain.makeContext()
        #expect(try vault.keychain.reading("bound", in: context) == "bound")
        let before = try epoch(vault)
        vault.sensor.set(doubt.befall)
        for account in ["bound", "any"] {
            #expect(try vault.keychain.reading(account, in: context) == account, "what is proved stays so")
            #expect(try vault.keychain.reading(account) == "biometry.no-hardware")
        }
        #expect(vault.keychain.sensorError != nil)
        #expect(throws: KeychainError.self) { try vault.keychain.enroll("left thumb") }
        #expect(try epoch(vault) == before)
        #expect(try vault.keychain.enrolledNames == ["right index"])
        vault.sensor.set { script in
            script.failure = nil
            script.identity = "scripted"
            script.templates = [Self.index]
        }
        #expect(try vault.keychain.reading("bound") == "bound")
        #expect(try vault.keychain.reading("any") == "any")
        #expect(vault.keychain.sensorError == nil)
        #expect(try epoch(vault) == before)
    }

    @Test(arguments: [
        [[index, thumb], [index]], [[index, thumb], [index, thumb], [index]], [[], [index]], [[], [], [index]],
    ])
    func anUnsteadyListChangesNothing(_ lists: [[Template]]) throws {
        let vault = try ScriptedDevice()
        #expect(try vault.keychain.reading("bound") == "bound")
        let before = try epoch(vault)
        vault.sensor.set { $0.lists = lists }
        #expect(try vault.keychain.reading("bound") == "biometry.no-hardware")
        #expect(vault.keychain.sensorError == .unsteady)
        #expect(try epoch(vault) == before)
        #expect(try vault.keychain.reading("bound") == "bound")
    }

    /// While one thread's questions fail, another thread's succeed and clear the error that both share.
    @Test(.timeLimit(.minutes(20))) func whatACallThrowsIsItsOwnFailure() throws {
        let vault = try ScriptedDevice()
        let isDone = Atomic(false)
        let asking = (0..<3).map { _ in
            Background {
                while !isDone.load(ordering: .relaxed) { _ = try vault.keychain.enrollmentHash }
            }
        }
        vault.sensor.set { script in
            script.failure = .unsteady
            script.failing = pthread_self()
        }
        for _ in 0..<2000 {
            let enrolling = #expect(throws: KeychainError.self) { try vault.keychain.enroll("left thumb") }
            let unlocking = #expect(throws: KeychainError.self) {
                try vault.keychain.unlockBySensor(showing: "right index")
            }
            for error in [enrolling, unlocking] {
                #expect(error.map { "\($0)" } == "\(KeychainError.sensor(.unsteady))")
            }
        }
        isDone.store(true, ordering: .relaxed)
        for each in asking { try each.value() }
    }

    @Test func aSensorThatIsAwayLeavesThePasscode() throws {
        let vault = try ScriptedDevice()
        try vault.keychain.keep("either", as: "either", Cast.control(.userPresence))
        #expect(try vault.keychain.reading("either") == "either")
        vault.sensor.set { $0.failure = .timedOut }
        #expect(try vault.keychain.reading("either") == "either", "by the passcode")
    }

    @Test func aMatchOfSomebodyUnknownIsNone() throws {
        let vault = try ScriptedDevice()
        vault.sensor.set { script in
            script.match = { (_, _) throws(SensorError) in .matched("id of nobody") }
        }
        let rule = try vault.keychain.reading("any")
        #expect(rule == "biometry.no-hardware")
        #expect(try vault.keychain.device.failedMatches == 0)
        try vault.keychain.lock()
        #expect(throws: KeychainError.self) { try vault.keychain.unlockBySensor(showing: "right index") }
        #expect(try vault.keychain.device.isLocked)
    }

    @Test func aMatchThatComesAfterALockUnlocksNothing() throws {
        let vault = try ScriptedDevice()
        vault.sensor.set { script in
            script.match = { [weak keychain = vault.keychain] (_, _) throws(SensorError) in
                _ = try? keychain?.lock()
                return .matched(Self.index.id)
            }
        }
        #expect(try vault.keychain.reading("any") == "sheet.system-cancelled")
        #expect(try vault.keychain.device.isLocked)
    }

    @Test func aSensorThatFailsAtTheMatch() throws {
        let vault = try ScriptedDevice()
        vault.sensor.set { script in script.match = { (_, _) throws(SensorError) in throw .ended("signal 9") } }
        #expect(try vault.keychain.reading("any") == "biometry.no-hardware")
        #expect(vault.keychain.sensorError == .ended("signal 9"))
    }

    // MARK: - Ending the wait

    private struct StandingBy: DeviceUser {
        let ending: Prompt.Ending
        /// The attempt at which the user ends the prompt.
        var attempt = 1
        func answer(_ prompt: Prompt) -> Response {
            prompt.content.kind == .passcode ? (try? .typed(SecureBytes("1234"))) ?? .cancel : .touch()
        }
        func standBy(_ prompt: Prompt) {
            if prompt.content.attempt < attempt { return }
            usleep(50_000)
            prompt.end(ending)
        }
    }

    /// Waits at the sensor, untouched, until the prompt is over; not before `attempt`.
    private func waitForever(_ sensor: ScriptedSensor, from attempt: Int = 1, _ isWaiting: Signal? = nil) {
        sensor.set { script in
            script.match = { (_, prompt) throws(SensorError) in
                if prompt.content.attempt < attempt { return .noMatch }
                isWaiting?.give()
                var waiting = pollfd(fd: prompt.wake, events: Int16(POLLIN), revents: 0)
                poll(&waiting, 1, 180_000)
                throw prompt.ending == nil ? .timedOut : .interrupted
            }
        }
    }

    @Test(.timeLimit(.minutes(20))) func theHolderEndsTheWaitAtTheSensor() throws {
        let vault = try ScriptedDevice()
        try vault.keychain.keep("either", as: "either", Cast.control(.userPresence))
        waitForever(vault.sensor)
        vault.keychain.user = StandingBy(ending: .canceled)
        #expect(try vault.keychain.reading("either") == "sheet.cancelled")
        // Semantics 6.4: the fallback appears once a finger has missed.
        vault.keychain.user = StandingBy(ending: .fallback)
        #expect(try vault.keychain.reading("either") == "sheet.cancelled", "it is not there yet")
        waitForever(vault.sensor, from: 2)
        vault.keychain.user = StandingBy(ending: .fallback, attempt: 2)
        let waited = try seconds { () throws in #expect(try vault.keychain.reading("either") == "either") }
        #expect(waited < 50)
        #expect(try vault.keychain.reading("any") == "sheet.cancelled", "there is no other way")
    }

    /// A prompt of a vault that keeps secrets offers the fallback from the beginning.
    @Test(.timeLimit(.minutes(20))) func theWayOutOfARealVaultIsThereAtOnce() throws {
        let vault = try RealVault()
        try vault.keychain.keep("either", as: "either", Cast.control(.userPresence))
        waitForever(vault.sensor)
        vault.keychain.user = StandingBy(ending: .fallback)
        #expect(try vault.keychain.reading("either") == "either")
        #expect(try vault.keychain.reading("any") == "sheet.cancelled", "there is no other way")
    }

    @Test func aHolderWhoStandsByForEverHasOnlySoManyThreads() throws {
        final class Stubborn: DeviceUser {
            let standing = Mutex(0)
            let mayEnd = Signal()
            func answer(_ prompt: Prompt) -> Response { .touch(showing: "right index") }
            func standBy(_ prompt: Prompt) {
                standing.withLock { $0 += 1 }
                mayEnd.wait(600)
            }
        }
        let vault = try ScriptedDevice()
        let user = Stubborn()
        vault.keychain.user = user
        for _ in 0..<80 { #expect(try vault.keychain.reading("any") == "any") }
        #expect(Patience.wait { user.standing.withLock { $0 } == 64 })
        usleep(100_000)
        #expect(user.standing.withLock { $0 } == 64, "and no more")
        user.mayEnd.give()
    }

    @Test(.timeLimit(.minutes(20))) func aLockEndsTheWaitAtTheSensor() throws {
        let vault = try ScriptedDevice()
        let isWaiting = Signal()
        waitForever(vault.sensor, isWaiting)
        vault.keychain.user = ClosureUser { _ in .touch() }
        let reading = Background { [keychain = vault.keychain] in try keychain.reading("any") }
        try #require(isWaiting.wait())
        try vault.keychain.lock()
        let waited = try seconds { () throws in #expect(try reading.value() == "sheet.system-cancelled") }
        #expect(waited < 50)
    }

    @Test(.timeLimit(.minutes(20))) func aContextThatIsEndedEndsTheWaitAtTheSensor() throws {
        let vault = try ScriptedDevice()
        let isWaiting = Signal()
        waitForever(vault.sensor, isWaiting)
        vault.keychain.user = ClosureUser { _ in .touch() }
        let context = try vault.keychain.makeContext()
        let reading = Background { [keychain = vault.keychain] in try keychain.reading("any", in: context) }
        try #require(isWaiting.wait())
        try context.invalidate()
        #expect(try reading.value(within: 50) == "sheet.app-cancelled")
    }

    // MARK: - Fakes

    @Test func aRealVaultTakesNoFake() throws {
        let vault = try RealVault()
        #expect(!vault.keychain.hasFakeSensor)
        vault.keychain.close()
        let fake = FakeSensor(.touchID)
        for choice in [SensorChoice.fake, .external(fake)] {
            #expect(throws: KeychainError.self) { try Keychain.open(at: vault.path, sensor: choice) }
            var options = KeychainOptions()
            options.sensor = .touchID
            let other = vault.folder.path("other")
            #expect(throws: KeychainError.self) {
                try Keychain.create(at: other, options, passcode: SecureBytes("1234"), sensor: choice)
            }
            #expect(!FileManager.default.fileExists(atPath: other))
        }
        // A sensor that calls itself fake only later is no better.
        vault.sensor.set { $0.isFake = true }
        #expect(throws: KeychainError.self) { try Keychain.open(at: vault.path, sensor: .external(vault.sensor)) }
    }

    @Test func aRealVaultMadeForAFakeSaysSoEverAfter() throws {
        let folder = try TemporaryFolder(inMemory: true)
        var options = KeychainOptions()
        options.sensor = .touchID
        options.allowsFakeSensor = true
        options.hasRecoveryKey = false
        let path = folder.path("vault")
        let keychain = try Keychain.create(
            at: path, options, passcode: SecureBytes("1234"), sensor: .fake, user: Cast.owner,
            requester: .simulatedApp
        ).keychain
        #expect(keychain.isReal && keychain.hasFakeSensor)
        try keychain.enroll("right index")
        try keychain.keep("any", as: "any", Cast.control(.biometryAny))
        #expect(try keychain.reading("any") == "any")
        keychain.close()
        #expect(try Keychain.open(at: path).hasFakeSensor)
        #expect(try Keychain.open(at: path, sensor: .external(ScriptedSensor())).hasFakeSensor)
        let again = try Keychain.open(at: path, sensor: .fake, user: Cast.owner, requester: .simulatedApp)
        #expect(again.hasFakeSensor)
        #expect(try again.unlock(passcode: SecureBytes("1234")).authenticated(.passcode))
        #expect(try again.reading("any") == "any")
    }

    @Test(.timeLimit(.minutes(20))) func twoKeychainsShareAFakeSensor() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let path = folder.path("vault")
        let first = try Keychain.createSimulated(at: path, passcode: "1234", enrolled: [])
        let second = try Keychain.openSimulated(at: path)
        #expect(try second.unlock(passcode: SecureBytes("1234")).authenticated(.passcode))
        // Both calls are the first, and they have to agree on one sensor for good.
        let enrolling = [first, second].enumerated().map { number, keychain in
            Background { try (0..<2).map { try keychain.enroll("finger \(number)\($0)").refusal } }
        }
        for each in enrolling { #expect(try each.value() == [nil, nil]) }
        let everybody = ["finger 00", "finger 01", "finger 10", "finger 11"]
        for keychain in [first, second] {
            #expect(try keychain.decision(.readData, keychain.password(account: "x", service: "y")).isGranted == false)
            #expect(try keychain.enrolledNames.sorted() == everybody)
        }
        for keychain in [first, second] { keychain.user = SimulatedPerson(fingers: everybody, passcode: "1234") }
        try first.keep("bound", as: "bound", Cast.control(.biometryCurrentSet))
        #expect(try second.reading("bound") == "bound")
        try second.removeEnrolled("finger 00")
        #expect(try first.reading("bound") == "biometry.current-set.changed")
        #expect(try first.enrolledNames.count == 3)
        first.close()
        second.close()
        #expect(try Vault.open(at: path).verify().findings == [])
    }
}
