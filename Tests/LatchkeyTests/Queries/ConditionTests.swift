import AccessPolicy
import DeviceModel
import Latchkey
import SecretVault
import SodiumKit
import Testing
import UserPresence

/// Semantics 4.5 and 4.3: how the state of the device affects adding and reading.
@Suite struct ConditionTests {
    private static let biometric: [AccessControlFlags] = [.biometryAny, .biometryCurrentSet]
    private static let passcoded: [AccessControlFlags] = [.userPresence, .devicePasscode]

    /// userPresence and devicePasscode without a passcode: the item stays, and cannot be opened.
    @Test(arguments: passcoded)
    func withoutAPasscode(_ flags: AccessControlFlags) throws {
        let keychain = try Keychain.simulated()
        let id = try keychain.store(Cast.password("x", [:], try Cast.control(flags)), "kept")
        try keychain.removePasscode(SecureBytes("1234"))
        #expect(try code { try keychain.store(Cast.password("y", [:], try Cast.control(flags))) } == -25293)
        for _ in 0..<2 {
            #expect(try rule { _ = try keychain.find(ItemQuery(id, wanted: .data)) } == "passcode.not-set")
            #expect(try code { _ = try keychain.find(Cast.each()) } == -25293)
            #expect(try code { try keychain.update(Cast.each()) } == -25293)
        }
        try keychain.setPasscode(SecureBytes("1234"))
        _ = try keychain.unlock(passcode: SecureBytes("1234"))
        #expect(try keychain.secrets(ItemQuery(id)) == ["kept"])
    }

    /// Without hardware or enrollments, an item that needs biometry cannot be stored, and one that needs any cannot be
    /// read.
    @Test(arguments: biometric)
    func withoutBiometry(_ flags: AccessControlFlags) throws {
        var none = Cast.device()
        none.sensor = .none
        for keychain in [try Keychain.simulated(none, enrolled: []), try Keychain.simulated(enrolled: [])] {
            #expect(try code { try keychain.store(Cast.password("x", [:], try Cast.control(flags))) } == -25293)
            // An alternative to biometry opens it, if the constraint can be stored at all. Presence always can.
            #expect(try code { try keychain.store(Cast.password("y", [:], try Cast.control(.userPresence))) } == 0)
        }
        let keychain = try Keychain.simulated()
        try keychain.store(Cast.password("x", [:], try Cast.control(flags)))
        #expect(try keychain.removeEnrolled("right index").refusal == nil)
        #expect(try code { _ = try keychain.find(Cast.each()) } == -25293)
        #expect(try code { try keychain.store(Cast.password("y", [:], try Cast.control(flags))) } == -25293)
    }

    /// Face ID that the user has denied to the app.
    @Test func deniedToTheApp() throws {
        var settings = Cast.device()
        settings.sensor = .faceID
        let keychain = try Keychain.simulated(settings)
        try keychain.store(Cast.password("x", [:], try Cast.control(.biometryAny)))
        try keychain.simulate(.biometryDenied(.first))
        #expect(try rule { _ = try keychain.find(Cast.each()) } == "biometry.not-permitted")
        #expect(try code { _ = try keychain.find(Cast.each()) } == -25293)
        #expect(try code { try keychain.store(Cast.password("y", [:], try Cast.control(.biometryAny))) } == -25293)
        try keychain.simulate(.biometryPermitted(.first))
        #expect(try code { _ = try keychain.find(Cast.each()) } == 0)
    }

    /// After five failed matches, biometry is locked out until the passcode, which userPresence falls back on.
    @Test(arguments: Fidelity.AddDuringLockout.allCases)
    func lockedOut(_ settled: Fidelity.AddDuringLockout) throws {
        let keychain = try Keychain.simulated(Cast.device { $0.addDuringLockout = settled })
        try keychain.store(Cast.password("any", [:], try Cast.control(.biometryAny)))
        try keychain.store(Cast.password("presence", [:], try Cast.control(.userPresence)))
        keychain.user = Cast.stranger
        for _ in 0..<2 { #expect(try code { _ = try keychain.find(Cast.each(Cast.account("any"))) } == -25293) }
        let user = Remembering(Cast.owner)
        keychain.user = user
        #expect(try code { _ = try keychain.find(Cast.each(Cast.account("any"))) } == -25293)
        #expect(user.kinds == [])
        let added = try code { try keychain.store(Cast.password("y", [:], try Cast.control(.biometryAny))) }
        #expect(added == (settled == .allowed ? 0 : -25293))
        #expect(try code { _ = try keychain.find(Cast.each(Cast.account("presence"))) } == 0)
        #expect(user.kinds == [.passcode])
        // That success ends the lockout.
        #expect(try code { _ = try keychain.find(Cast.each(Cast.account("any"))) } == 0)
    }

    /// After another enrollment, an item under biometryAny is still readable, also with the new finger.
    @Test func oneMoreIsEnrolled() throws {
        let keychain = try Keychain.simulated()
        for flags in [AccessControlFlags.biometryAny, .userPresence, .biometryCurrentSet] {
            try keychain.store(Cast.password("\(flags.rawValue)", [:], try Cast.control(flags)))
        }
        #expect(try keychain.enroll("left thumb").refusal == nil)
        keychain.user = SimulatedPerson(fingers: ["left thumb"])
        let kept = ["\(AccessControlFlags.userPresence.rawValue)", "\(AccessControlFlags.biometryAny.rawValue)"]
        #expect(try keychain.accounts(Cast.passwords()) == kept)
        // An item stored now is bound to the new set.
        try keychain.store(Cast.password("new", [:], try Cast.control(.biometryCurrentSet)))
        #expect(try keychain.accounts(Cast.passwords()) == kept + ["new"])
    }

    /// An update with a new policy binds the item to the present set. Any other update leaves its binding.
    @Test func anotherDemandBindsAnew() throws {
        let keychain = try Keychain.simulated()
        try keychain.store(Cast.password("any", [:], try Cast.control(.biometryAny)))
        try keychain.store(Cast.password("set", [:], try Cast.control(.biometryCurrentSet)))
        let label = ItemChanges(merging: ["labl": .string("x")])
        #expect(try keychain.update(Cast.each(Cast.account("set")), label).count == 1)
        #expect(try keychain.enroll("left thumb").refusal == nil)
        let control = try Cast.control(.biometryCurrentSet)
        #expect(try keychain.update(Cast.each(), ItemChanges(control: control)).count == 1)
        #expect(try keychain.accounts(Cast.passwords()) == ["any"])
        #expect(try keychain.enroll("left index").refusal == nil)
        #expect(try keychain.accounts(Cast.passwords()) == [])
    }
}
