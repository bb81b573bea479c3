import Foundation
import LatchkeyTesting
import Security
import TestSupport
import Testing

/// A call on keys answers any bytes, dictionaries and keys with a result or an error.
@Suite struct HostileKeyTests {
    private static var types: [CFString] { [kSecAttrKeyTypeRSA, kSecAttrKeyTypeEC] }
    private static var classes: [CFString] { [kSecAttrKeyClassPublic, kSecAttrKeyClassPrivate] }

    @Test func cutAndChangedKeysAreRefusedOrSomeOtherKey() throws {
        var random = SeededGenerator(seed: 1)
        var (refused, read) = (0, 0)
        for key in SomeKeys.all.flatMap({ [$0, $0.publicHalf] }) {
            let bytes = try #require(key.external)
            for round in 0..<60 {
                var changed = Data(bytes)
                switch round % 3 {
                case 0: changed = changed.prefix(Int.random(in: 0..<changed.count, using: &random))
                case 1: changed.append(contentsOf: [UInt8](repeating: 0, count: Int.random(in: 1..<9, using: &random)))
                default:
                    for _ in 0..<3 {
                        changed[Int.random(in: 0..<changed.count, using: &random)] = .random(
                            in: 0...255, using: &random)
                    }
                }
                for type in Self.types {
                    for keyClass in Self.classes {
                        let (made, error) = imported(Data(changed), type, keyClass)
                        if made == nil {
                            refused += 1
                            let codes = [errSecParam, errSecUnimplemented].map(Int.init)
                            #expect(codes.contains(error?.code ?? 0), "\(String(describing: error))")
                        } else {
                            read += 1
                            #expect(made?.external == Data(changed) || type == kSecAttrKeyTypeRSA)
                        }
                    }
                }
            }
        }
        // A changed modulus or exponent can be that of another public key.
        #expect(refused > 1700 && read < 200, "\(refused) \(read)")
    }

    @Test func changedMessagesAndSignaturesFail() throws {
        var random = SeededGenerator(seed: 2)
        let message = Data("message".utf8)
        for (key, signing, encrypting) in [
            (
                SomeKeys.p256, .ecdsaSignatureMessageX962SHA256,
                .eciesEncryptionCofactorVariableIVX963SHA256AESGCM
            ), (SomeKeys.rsa2048, .rsaSignatureMessagePSSSHA256, .rsaEncryptionOAEPSHA256AESGCM),
        ] as [(SecKey, SecKeyAlgorithm, SecKeyAlgorithm)] {
            let signature = try #require(key.sign(message, signing).result)
            let box = try #require(key.publicHalf.encrypt(message, encrypting).result)
            for _ in 0..<100 {
                let place = Int.random(in: 0..<signature.count, using: &random)
                let cut = Int.random(in: 0..<signature.count, using: &random)
                for wrong in [signature.changed(at: place), Data(signature.prefix(cut))] {
                    let (isValid, error) = key.publicHalf.verify(wrong, of: message, signing)
                    #expect(!isValid && [Int(errSecVerifyFailed), Int(errSecParam)].contains(error?.code ?? 0))
                }
                let place2 = Int.random(in: 0..<box.count, using: &random)
                for wrong in [box.changed(at: place2), Data(box.prefix(place2))] {
                    let (none, error) = key.decrypt(wrong, encrypting)
                    #expect(none == nil && error?.code == Int(errSecParam))
                }
            }
        }
    }

    /// Every value under every key that the calls read.
    @Test func everyKeyMayHaveEveryValue() {
        let usual: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256, kSecAttrKeyClass: kSecAttrKeyClassPublic,
        ]
        let names: [CFString] = [
            kSecAttrKeyType, kSecAttrKeySizeInBits, kSecAttrKeyClass, kSecAttrTokenID, kSecPrivateKeyAttrs,
            kSecPublicKeyAttrs, kSecAttrIsPermanent, kSecAttrAccessControl, kSecAttrLabel, kSecUseAuthenticationContext,
            kSecUseOperationPrompt, kSecUseAuthenticationUI, kSecValueRef, kSecValueData, kSecMatchLimit, kSecReturnRef,
            "toid" as CFString, SecKeyKeyExchangeParameter.requestedSize.rawValue,
            SecKeyKeyExchangeParameter.sharedInfo.rawValue, kSecKeyEncryptionParameterSymmetricAAD,
        ]
        let point = SomeKeys.p256.publicHalf.external ?? Data()
        let device = SimulatedDevice()
        let contexts = HostileValues.contexts()
        let allowed = HostileTests.allowed.union([errSecDecode])
        var calls = 0
        device.run {
            for name in names {
                for value in HostileValues().all {
                    var dictionary = HostileDictionary()
                    dictionary.set(name as String, value)
                    let one = dictionary.made(with: contexts)
                    let all = (usual as CFDictionary).merging(one) { $1 }
                    let token = all.merging([kSecAttrTokenID: kSecAttrTokenIDSecureEnclave] as CFDictionary) { $1 }
                    let algorithm = SecKeyAlgorithm.ecdhKeyExchangeStandardX963SHA256
                    let errors = [
                        told { SecKeyCreateRandomKey(all, $0) }.error,
                        told { SecKeyCreateRandomKey(token, $0) }.error,
                        told { SecKeyCreateWithData(point as CFData, all, $0) }.error,
                        SomeKeys.p256.agree(SomeKeys.p256.publicHalf, algorithm, one).error,
                        told {
                            SecKeyCreateEncryptedDataWithParameters(
                                SomeKeys.p256.publicHalf, .eciesEncryptionStandardX963SHA256AESGCM, CFData(), one, $0)
                        }.error,
                    ]
                    for error in errors.compactMap(\.self) where !allowed.contains(OSStatus(error.code)) {
                        Issue.record("\(error) of \(name) and \(value)")
                    }
                    calls += errors.count
                }
            }
        }
        #expect(calls > 20_000)
    }

    @Test func anyKeyMayBeAskedForAnything() {
        var asked = 0
        for algorithm in [SecKeyAlgorithm(rawValue: ""), SecKeyAlgorithm(rawValue: "\0"), .kemMLKEM, .rsaSignatureRaw] {
            for key in SomeKeys.all.flatMap({ [$0, $0.publicHalf] }) {
                for data in [Data(), Data(count: 1), Data(count: 5000)] {
                    _ = key.sign(data, algorithm)
                    _ = key.verify(data, of: data, algorithm)
                    _ = key.encrypt(data, algorithm)
                    _ = key.decrypt(data, algorithm)
                    _ = key.agree(key, algorithm)
                    asked += 5
                }
            }
        }
        #expect(asked == 480)
    }
}
