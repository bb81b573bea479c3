import Foundation
import LatchkeyTesting
import LocalAuthentication
import Testing

/// The examples in the documentation of `LocalAuthentication`, line by line.
@Suite struct LAPrivateKeyExamples {
    @Test func theExampleOfARightsKeyRuns() async throws {
        let device = SimulatedDevice()
        let payment = Data("5 to Bob".utf8)
        try await device.run {
            let right = try await LARightStore.shared.saveRight(LARight(requirement: .biometry), identifier: "pay")
            try await right.authorize(localizedReason: "Confirm the payment")
            let signature = try await right.key.sign(payment, algorithm: .ecdsaSignatureMessageX962SHA256)
            try await right.key.publicKey.verify(
                payment, signature: signature, algorithm: .ecdsaSignatureMessageX962SHA256)
            #expect(device.prompts.map(\.reason) == ["Confirm the payment"])
        }
    }
}
