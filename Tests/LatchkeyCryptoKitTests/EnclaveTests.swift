import Foundation
import LatchkeyCryptoKit
import LatchkeyTesting
import LocalAuthentication
import Security
import Testing

private typealias Signing = SecureEnclave.P256.Signing
private typealias Agreement = SecureEnclave.P256.KeyAgreement

/// Keys of the enclave on simulated devices.
@Suite struct EnclaveTests {
    private static func access(
        _ flags: SecAccessControlCreateFlags, _ protection: CFString = kSecAttrAccessibleWhenUnlockedThisDeviceOnly
    ) throws -> SecAccessControl {
        try #require(SecAccessControlCreateWithFlags(nil, protection, flags, nil))
    }

    private let challenge = Data("challenge".utf8)

    @Test func aDeviceHasAnEnclave() {
        SimulatedDevice().run { #expect(SecureEnclave.isAvailable) }
    }

    /// Without an access control, the key asks nothing, also on a locked device.
    @Test func theUsualKeyAsksNothing() throws {
        let device = SimulatedDevice()
        try device.run {
            let key = try Signing.PrivateKey()
            #expect(key.publicKey.compactRepresentation != nil)
            let again = try Signing.PrivateKey(dataRepresentation: key.dataRepresentation)
            #expect(again.publicKey.x963Representation == key.publicKey.x963Representation)
            device.lock()
            let signature = try again.signature(for: challenge)
            #expect(key.publicKey.isValidSignature(signature, for: challenge))
            let digest = SHA384.hash(data: challenge)
            #expect(key.publicKey.isValidSignature(try key.signature(for: digest), for: digest))
            #expect(!key.publicKey.isValidSignature(signature, for: digest))
            #expect(device.prompts.isEmpty)
        }
    }

    /// A compact key is one of two that are generated, and the device decides once about it.
    @Test func halfOfAllKeysAreCompact() throws {
        let device = SimulatedDevice()
        try device.run {
            let keys = try (0..<40).map { _ in try Signing.PrivateKey(compactRepresentable: false) }
            #expect(keys.contains { $0.publicKey.compactRepresentation == nil })
            device.clearRecords()
            for _ in 0..<8 { #expect(try Agreement.PrivateKey().publicKey.compactRepresentation != nil) }
            #expect(device.decisions.count == 8)
        }
    }

    /// The device records the calls by their names, and a test makes them fail as it does those of `SecKey`.
    @Test func theDeviceKnowsTheCalls() throws {
        let device = SimulatedDevice()
        try device.run {
            device.fail(next: .generateKey, with: errSecIO)
            device.fail(next: .sign, with: errSecAllocate, after: 1)
            #expect(throws: CryptoKitError.underlyingCoreCryptoError(error: errSecIO)) { try Signing.PrivateKey() }
            let key = try Signing.PrivateKey(accessControl: Self.access([.privateKeyUsage, .biometryCurrentSet]))
            _ = try key.signature(for: challenge)
            #expect(throws: CryptoKitError.underlyingCoreCryptoError(error: errSecAllocate)) {
                try key.signature(for: challenge)
            }
            device.user = .absent
            #expect(throws: LAError.self) { try key.signature(for: challenge) }
            let calls = device.calls.filter { $0.name.hasPrefix("SecureEnclave.") }
            let (new, use) = (
                "SecureEnclave.P256.PrivateKey.init(accessControl:)", "SecureEnclave.P256.PrivateKey.signature"
            )
            #expect(calls.map(\.name) == [new, new, use, use, use], "\(device)")
            #expect(calls.map(\.code).dropLast() == [Int(errSecIO), 0, 0, Int(errSecAllocate)], "\(device)")
            #expect(calls[4].code < 0 && !calls[4].explanation.isEmpty, "\(device)")
        }
    }

    @Test func agreements() throws {
        try SimulatedDevice().run {
            let key = try Agreement.PrivateKey(accessControl: Self.access([.privateKeyUsage, .userPresence]))
            let other = P256.KeyAgreement.PrivateKey()
            let again = try Agreement.PrivateKey(dataRepresentation: key.dataRepresentation)
            let secret = try again.sharedSecretFromKeyAgreement(with: other.publicKey)
            #expect(try other.sharedSecretFromKeyAgreement(with: key.publicKey) == secret)
        }
    }

    /// The app of a bank: a finger for each signature, and a new key once a finger is added.
    @Test func aKeyThatAsksForAFinger() throws {
        let device = SimulatedDevice()
        try device.run {
            let access = try Self.access([.privateKeyUsage, .biometryCurrentSet])
            let key = try Signing.PrivateKey(accessControl: access)
            #expect(device.prompts.isEmpty)
            let again = try Signing.PrivateKey(dataRepresentation: key.dataRepresentation)
            #expect(device.prompts.isEmpty)
            #expect(key.publicKey.isValidSignature(try again.signature(for: challenge), for: challenge))
            #expect(device.prompts.count == 1)
            #expect(key.publicKey.isValidSignature(try again.signature(for: challenge), for: challenge))
            #expect(device.prompts.count == 2)

            device.enroll("left thumb")
            device.clearRecords()
            #expect(throws: CryptoKitError.underlyingCoreCryptoError(error: errSecParam)) {
                try key.signature(for: challenge)
            }
            // The key is still this device's, and its public half still verifies.
            #expect(
                try Signing.PrivateKey(dataRepresentation: key.dataRepresentation).publicKey.x963Representation
                    == key.publicKey.x963Representation)
            #expect(device.prompts.isEmpty)
            let next = try Signing.PrivateKey(accessControl: access)
            #expect(next.publicKey.isValidSignature(try next.signature(for: challenge), for: challenge))
        }
    }

    /// In a context in which the user has authenticated, the key does not ask again.
    @Test func theContextOfTheAppCounts() throws {
        let device = SimulatedDevice()
        try device.run {
            let context = LAContext()
            context.localizedReason = "sign the transfer"
            let key = try Signing.PrivateKey(
                accessControl: Self.access([.privateKeyUsage, .biometryAny]), authenticationContext: context)
            _ = try key.signature(for: challenge)
            #expect(device.prompts.map(\.reason) == ["sign the transfer"])
            _ = try key.signature(for: challenge)
            #expect(device.prompts.count == 1)
            // A context that the key does not have counts for nothing.
            _ = try Signing.PrivateKey(dataRepresentation: key.dataRepresentation).signature(for: challenge)
            #expect(device.prompts.count == 2)

            context.invalidate()
            let ended = #expect(throws: LAError.self) { try key.signature(for: challenge) }
            #expect(ended?.code == .invalidContext)
            let silent = LAContext()
            silent.interactionNotAllowed = true
            let again = try Signing.PrivateKey(
                dataRepresentation: key.dataRepresentation, authenticationContext: silent)
            let denied = #expect(throws: LAError.self) { try again.signature(for: challenge) }
            #expect(denied?.code == .notInteractive)
            #expect(device.prompts.count == 2)
        }
    }

    @Test func whatTheUserDoesIsTheError() throws {
        let device = SimulatedDevice()
        try device.run {
            let signing = try Signing.PrivateKey(accessControl: Self.access([.privateKeyUsage, .userPresence]))
            let agreeing = try Agreement.PrivateKey(accessControl: Self.access([.privateKeyUsage, .biometryAny]))
            let other = P256.KeyAgreement.PrivateKey().publicKey
            device.user = .absent
            for body: () throws -> Void in [
                { _ = try signing.signature(for: challenge) },
                { _ = try agreeing.sharedSecretFromKeyAgreement(with: other) },
            ] {
                let error = #expect(throws: LAError.self) { try body() }
                #expect(error?.code == .userCancel)
                #expect(error?.errorCode == -2)
                #expect((error as (any Error)? as NSError?)?.domain == LAErrorDomain)
            }
            device.user = .stranger
            let error = #expect(throws: LAError.self) { try signing.signature(for: challenge) }
            #expect(error?.code == .authenticationFailed)
        }
    }

    @Test func theDeviceRefusesAKey() throws {
        let device = SimulatedDevice(passcode: nil)
        device.run {
            #expect(throws: CryptoKitError.self) {
                try Signing.PrivateKey(
                    accessControl: Self.access(.privateKeyUsage, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly))
            }
        }
        // The class of a key can be locked with the device.
        let locked = SimulatedDevice()
        try locked.run {
            let key = try Signing.PrivateKey(accessControl: Self.access(.privateKeyUsage))
            locked.lock()
            locked.advance(by: .seconds(60))
            #expect(throws: CryptoKitError.underlyingCoreCryptoError(error: errSecInteractionNotAllowed)) {
                try key.signature(for: challenge)
            }
        }
    }

    // MARK: - Bytes that are not this device's

    @Test func anotherDeviceDoesNotOpenTheKey() throws {
        let blob = try SimulatedDevice().run { try Signing.PrivateKey().dataRepresentation }
        SimulatedDevice().run {
            #expect(throws: CryptoKitError.underlyingCoreCryptoError(error: errSecDecode)) {
                try Signing.PrivateKey(dataRepresentation: blob)
            }
            #expect(throws: CryptoKitError.underlyingCoreCryptoError(error: errSecDecode)) {
                try Agreement.PrivateKey(dataRepresentation: blob)
            }
        }
    }

    /// A key that an app still has from another device fails at its use.
    @Test func aKeyOfAnotherDeviceDoesNotSign() throws {
        let key = try SimulatedDevice().run { try Signing.PrivateKey() }
        let device = SimulatedDevice()
        device.run {
            #expect(throws: CryptoKitError.underlyingCoreCryptoError(error: errSecDecode)) {
                try key.signature(for: challenge)
            }
            #expect(device.prompts.isEmpty)
        }
    }

    @Test func anErasureEndsTheKey() throws {
        let device = SimulatedDevice()
        try device.run {
            let key = try Signing.PrivateKey()
            device.erase()
            #expect(throws: CryptoKitError.self) { try key.signature(for: challenge) }
        }
    }

    /// A changed byte anywhere is found when the key is read, before a prompt.
    @Test func changedBytesAreRefused() throws {
        let device = SimulatedDevice()
        try device.run {
            let key = try Signing.PrivateKey(accessControl: Self.access([.privateKeyUsage, .biometryAny]))
            let blob = key.dataRepresentation
            #expect(blob.range(of: key.publicKey.x963Representation) != nil)
            var refused = blob.indices.map { place in
                var wrong = blob
                wrong[place] ^= 1
                return wrong
            }
            refused += (0..<blob.count).map { blob.prefix($0) }
            refused += [blob + [0], repeated(0, blob.count), counting(100_000)]
            for wrong in refused {
                #expect(throws: CryptoKitError.underlyingCoreCryptoError(error: errSecDecode)) {
                    try Signing.PrivateKey(dataRepresentation: wrong)
                }
                #expect(throws: CryptoKitError.underlyingCoreCryptoError(error: errSecDecode)) {
                    try Agreement.PrivateKey(dataRepresentation: wrong)
                }
            }
            #expect(device.prompts.isEmpty)
        }
    }

    /// The bytes of a key say nothing of its private half, and an app keeps them where it likes.
    @Test func appsKeepTheBytes() throws {
        try SimulatedDevice().run {
            let key = try Signing.PrivateKey()
            let item: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrAccount: "key", kSecValueData: key.dataRepresentation,
            ]
            #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
            var found: CFTypeRef?
            let query: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecReturnData: true]
            #expect(SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess)
            let again = try Signing.PrivateKey(dataRepresentation: try #require(found as? Data))
            #expect(key.publicKey.isValidSignature(try again.signature(for: challenge), for: challenge))
        }
    }
}
