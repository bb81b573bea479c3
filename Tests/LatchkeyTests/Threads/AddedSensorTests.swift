import AccessPolicy
import DeviceModel
import Foundation
import Latchkey
import SodiumKit
import TestSupport
import Testing
import UserPresence

/// A sensor that is added to a vault which was created without one.
@Suite struct AddedSensorTests {
    private let folder: TemporaryFolder
    private let keychain: Keychain

    init() throws {
        folder = try TemporaryFolder()
        keychain = try Keychain.create(
            at: folder.path("vault"), passcode: SecureBytes("1234"), user: Cast.owner, requester: .simulatedApp
        ).keychain
        try keychain.keep("e", as: "either", Cast.control(.userPresence))
    }

    private func add(_ sensor: any BiometricSensor) throws {
        try keychain.change(settings: [1], adding: sensor, in: try keychain.makeContext())
    }

    @Test func aFingerOpensWhatItMayFromThenOn() throws {
        let other = try Keychain.open(at: folder.path("vault"), user: Cast.owner, requester: .simulatedApp)
        let sensor = ScriptedSensor(.touchID, ["right index"])
        try add(sensor)
        #expect(try keychain.device.settings.sensor == .touchID)
        #expect(try keychain.enrolledNames == ["right index"])
        #expect(try keychain.settings == [1])
        let before = sensor.asked
        #expect(try keychain.reading("either") == "e")
        #expect(sensor.asked > before)
        try keychain.keep("b", as: "bound", Cast.control(.biometryCurrentSet))
        #expect(try keychain.reading("bound") == "b")

        // A program that had the vault open learns of it, and does not undo it when it writes.
        #expect(try other.device.settings.sensor == .touchID)
        #expect(try !other.unlock(passcode: SecureBytes("wrong")).authenticated(.passcode))
        other.close()
        keychain.close()
        let again = try Keychain.open(
            at: folder.path("vault"), sensor: .external(sensor), user: Cast.owner, requester: .simulatedApp)
        #expect(try again.device.settings.sensor == .touchID)
        #expect(try again.unlock(passcode: SecureBytes("1234")).authenticated(.passcode))
        #expect(try again.reading("bound") == "b")
    }

    @Test func aMatchUnlocksAndCountsForWhatFollows() throws {
        let sensor = ScriptedSensor(.touchID, ["right index"])
        try add(sensor)
        try keychain.lock()
        let context = try keychain.makeContext()
        try keychain.unlock(in: context)
        #expect(keychain.isUnlocked)
        #expect(try context.evidence[.biometry] != nil && context.evidence[.passcode] == nil)
        #expect(try keychain.reading("either", in: context) == "e")
        // Without a match, the passcode is the fallback.
        sensor.set { $0.match = { (_, _) throws(SensorError) in throw .absent("unplugged") } }
        try keychain.lock()
        let typed = try keychain.makeContext()
        try keychain.unlock(in: typed)
        #expect(try typed.evidence[.biometry] == nil && typed.evidence[.passcode] != nil)
    }

    @Test func neitherAFakeNorASecondSensorIsAdded() throws {
        for fake in [FakeSensor(.touchID), ScriptedSensor(.touchID, ["right index"])] as [any BiometricSensor] {
            (fake as? ScriptedSensor)?.set { $0.isFake = true }
            let error = #expect(throws: KeychainError.self) { try add(fake) }
            #expect(error.map { "\($0)".contains("a fake sensor is never added") } == true)
        }
        #expect(try keychain.device.settings.sensor == .none)
        keychain.user = SimulatedPerson(fingers: [], passcode: "4321")
        #expect(throws: KeychainError.self) { try add(ScriptedSensor(.touchID, ["right index"])) }
        #expect(try keychain.device.settings.sensor == .none)
        #expect(try keychain.settings == [])
        keychain.user = Cast.owner
        try add(ScriptedSensor(.touchID, ["right index"]))
        let error = #expect(throws: KeychainError.self) { try add(ScriptedSensor(.touchID, ["left index"])) }
        #expect(error.map { "\($0)".contains("has a sensor already") } == true)
    }
}
