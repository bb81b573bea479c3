import AccessPolicy
import DeviceModel
import Foundation
import SecretVault
import SodiumKit
import TestSupport
import Testing

/// States of a device with the bytes that an earlier version wrote for them, in `Fixtures/vectors/lasting.json`.
enum KeptLasting {
    static let all: [(name: String, lasting: Device.Lasting)] = [
        ("fresh", Device.Lasting(fresh)), ("everything", everything), ("real", Device.Lasting(real)),
    ]

    /// The defaults of a simulated device at that time. They are written out here because today's may differ.
    private static let fresh = DeviceSettings(
        sensor: .touchID, lockGrace: .seconds(10), attemptEnd: .disables, fidelity: firstChoices)

    private static let real = DeviceSettings(
        sensor: .none, lockGrace: .zero, attemptEnd: .keepsDelaying, fidelity: firstChoices)

    /// The choices with the number 0.
    private static let firstChoices: Fidelity = {
        var fidelity = Fidelity()
        fidelity.addWithoutPasscode = .notAvailable
        fidelity.changedSet = .notFoundWhileBiometryExists
        fidelity.duplicate = .authenticates
        fidelity.attributes = .authenticated
        fidelity.contextLifetime = .untilInvalidated
        fidelity.lockoutHit = .authenticationFailed
        fidelity.sensorReset = .replacesSensor
        fidelity.presence = .biometryOrPasscode
        fidelity.addDuringLockout = .allowed
        fidelity.passcodeTimeout = .current
        fidelity.passcodeDelays = .older
        fidelity.boundSynchronizable = .accepted
        fidelity.successText = .noError
        fidelity.dataOfSeveral = .given
        fidelity.resultOfUpdate = .refused
        fidelity.demandByUpdate = .changed
        fidelity.limitOfDelete = .refused
        fidelity.matchOnAdd = .storesNothing
        return fidelity
    }()

    /// A state in which every stored field differs from its initial value.
    static let everything: Device.Lasting = {
        var fidelity = firstChoices
        fidelity.addWithoutPasscode = .decode
        fidelity.changedSet = .authFailed
        fidelity.duplicate = .answersAtOnce
        fidelity.attributes = .open
        fidelity.contextLifetime = .tenMinutes
        fidelity.lockoutHit = .biometryLockout
        fidelity.sensorReset = .keepsSensor
        fidelity.presence = .biometryCompanionOrPasscode
        fidelity.addDuringLockout = .refused
        fidelity.passcodeTimeout = .older
        fidelity.passcodeDelays = .newer
        fidelity.boundSynchronizable = .refused
        fidelity.successText = .number
        fidelity.dataOfSeveral = .refused
        fidelity.resultOfUpdate = .ignored
        fidelity.demandByUpdate = .refused
        let settings = DeviceSettings(
            sensor: .faceID, lockGrace: TimeSpan(milliseconds: 3_210), attemptEnd: .erases, fidelity: fidelity)
        var lasting = Device.Lasting(settings)
        lasting.now = Instant(milliseconds: 0x0102_0304_0506)
        lasting.passcode = Passcode(rawValue: 1)
        lasting.passcodeClassKey = 7
        lasting.wrongPasscodes = Passcodes(bits: 0b1100)
        lasting.delayedUntil = Instant(milliseconds: 0x0102_0304_0708)
        lasting.domainState = DomainState(sensor: 3, epoch: 9)
        lasting.enrolled = Fingers(bits: 0b11)
        lasting.failedMatches = 2
        lasting.isCompanionPaired = true
        if let other = AppID(rawValue: 2) {
            lasting.apps[other] = App(groups: AccessGroups(bits: 6), permission: .denied, declaresUsage: false)
        }
        if let third = AppID(rawValue: 3) {
            lasting.apps[third] = App(groups: [], permission: .notAsked, declaresUsage: true)
        }
        return lasting
    }()

    /// Reads the golden bytes of each state, by its name.
    static func golden() throws -> [String: [UInt8]] {
        let texts = try JSONDecoder().decode(
            [String: String].self,
            from: Data(contentsOf: Repository.root.appending(path: "Fixtures/vectors/lasting.json")))
        return texts.mapValues { text in
            let digits = text.compactMap(\.hexDigitValue)
            return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
        }
    }
}

/// Bytes of an earlier version are read as the same state, and written as the same bytes.
@Suite struct KeptLastingTests {
    @Test(arguments: KeptLasting.all.map(\.name)) func theBytesAreWhatTheyWere(_ name: String) throws {
        let bytes = try #require(try KeptLasting.golden()[name])
        let lasting = try #require(KeptLasting.all.first { $0.name == name }).lasting
        #expect(try LastingBytes.decode(bytes) == lasting)
        #expect(LastingBytes.encode(lasting) == bytes)
    }
}
