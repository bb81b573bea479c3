import Chooser
import DeviceKey
import Foundation
import LatchkeyTesting
import MessageBox
import Testing

@Suite struct DeviceKeyTests {
    private let challenge = Data("challenge".utf8)

    @Test func anAnswerTakesAFinger() throws {
        let device = SimulatedDevice.iPhoneWithTouchID()
        try device.run {
            let key = try DeviceKey()
            let kept = try DeviceKey(kept: key.blob)
            #expect(device.prompts.isEmpty)
            #expect(try bankAccepts(try kept.answer(challenge), to: challenge, from: key.publicKey))
            #expect(device.prompts.count == 1)
            device.user = .absent
            #expect(throws: (any Error).self) { try kept.answer(challenge) }
        }
    }

    @Test func aNewFingerEndsTheKey() throws {
        let device = SimulatedDevice.iPhoneWithTouchID()
        try device.run {
            let key = try DeviceKey()
            device.enroll("left thumb")
            #expect(throws: (any Error).self) { try key.answer(challenge) }
            let next = try DeviceKey()
            #expect(try bankAccepts(try next.answer(challenge), to: challenge, from: next.publicKey))
        }
    }

    /// A package that asks for CryptoKit goes on with swift-crypto, whatever this target imports.
    @Test func thePackageChoosesAsBefore() {
        #expect(findsCryptoKit)
        #expect(chosenModule == "Crypto")
    }

    @Test func aTargetWithThePlugin() throws {
        let box = MessageBox()
        #expect(try box.open(box.seal(challenge)) == challenge)
    }
}
