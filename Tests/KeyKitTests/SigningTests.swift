import KeyKit
import SodiumKit
import Testing

/// Signatures of every type of key in every scheme.
@Suite struct SigningTests {
    @Test func thereIsACaseForEachOfTheSchemes() {
        #expect(SignatureScheme.all.count == 1 + 2 + 2 + 2 * 5 * 2 + 2 * 5 * 2)
        #expect(Set(SignatureScheme.all).count == SignatureScheme.all.count)
        #expect(SigningCase.all.count == 1 + 3 * 22 + 3 * 22)
    }

    @Test(arguments: SigningCase.all) func aSignatureIsValidForItsInputAlone(of tested: SigningCase) throws {
        let key = try SampleKeys.shared.key(tested.type)
        let other = try PrivateKey.generate(.ec(.p256)).publicKey
        let input = tested.input
        let signature = try key.sign(input, with: tested.scheme)
        #expect(try key.publicKey.verify(signature, of: input, with: tested.scheme))
        if tested.type == .ec(.p256) {
            #expect(try !other.verify(signature, of: input, with: tested.scheme))
        }

        var changed = input
        changed[0] ^= 1
        #expect(try !key.publicKey.verify(signature, of: changed, with: tested.scheme))
        for place in [0, signature.count / 2, signature.count - 1] {
            var changed = signature
            changed[place] ^= 1
            #expect(try !key.publicKey.verify(changed, of: input, with: tested.scheme), "byte \(place)")
        }
        for changed in [[], Array(signature.dropLast()), signature + [0], [0] + signature, counting(5000)] {
            #expect(try !key.publicKey.verify(changed, of: input, with: tested.scheme), "\(changed.count) bytes")
        }
        switch tested.scheme {
        case .ecdsa(.rfc4754, _, _), .ecdsaOfAnyDigest(.rfc4754):
            #expect(signature.count == 2 * tested.type.blockCount)
        case .ecdsa(.x962, _, _), .ecdsaOfAnyDigest(.x962): #expect(signature[0] == 0x30)
        case .rsaRaw, .rsaPKCS1, .rsaPKCS1OfAnyDigest, .rsaPSS: #expect(signature.count == tested.type.blockCount)
        case .ed25519: #expect(signature.count == 64)
        }
    }

    @Test(arguments: SigningCase.all) func aMessageAndItsDigestHaveTheSameSignatures(of tested: SigningCase) throws {
        let key = try SampleKeys.shared.key(tested.type)
        let message = Array("message".utf8)
        let (hash, scheme): (HashAlgorithm, SignatureScheme)
        switch tested.scheme {
        case .ecdsa(let encoding, let function, .message):
            (hash, scheme) = (function, .ecdsa(encoding, function, .digest))
        case .rsaPKCS1(let function, .message): (hash, scheme) = (function, .rsaPKCS1(function, .digest))
        case .rsaPSS(let function, .message): (hash, scheme) = (function, .rsaPSS(function, .digest))
        case .ecdsa, .rsaPKCS1, .rsaPSS, .ecdsaOfAnyDigest, .rsaRaw, .rsaPKCS1OfAnyDigest, .ed25519: return
        }
        let digest = try hash.digest(of: message.span.bytes)
        #expect(try key.publicKey.verify(key.sign(message, with: tested.scheme), of: digest, with: scheme))
        #expect(try key.publicKey.verify(key.sign(digest, with: scheme), of: message, with: tested.scheme))
        // Schemes without a hash function take the digest as well.
        if case .ecdsa(let encoding, _, _) = scheme {
            #expect(
                try key.publicKey.verify(
                    key.sign(digest, with: scheme), of: digest, with: .ecdsaOfAnyDigest(encoding)))
        }
    }

    @Test(arguments: SigningCase.all) func aDigestOfTheWrongLengthIsAnErrorOfItsOwn(of tested: SigningCase) throws {
        let key = try SampleKeys.shared.key(tested.type)
        let expected: Int
        switch tested.scheme {
        case .ecdsa(_, let hash, .digest), .rsaPKCS1(let hash, .digest), .rsaPSS(let hash, .digest):
            expected = hash.digestCount
        case .ecdsa, .rsaPKCS1, .rsaPSS, .ecdsaOfAnyDigest, .rsaRaw, .rsaPKCS1OfAnyDigest, .ed25519: return
        }
        for count in [0, 1, expected - 1, expected + 1, 1000] {
            let error = KeyError.wrongDigestLength(expected: expected, actual: count)
            #expect(throws: error) { try key.sign(counting(count), with: tested.scheme) }
            #expect(throws: error) { try key.publicKey.verify([], of: counting(count), with: tested.scheme) }
        }
    }

    @Test func aKeyOfTheOtherFamilyDoesNotSign() throws {
        for type in KeyType.generatedTypes {
            let key = try SampleKeys.shared.key(type)
            for scheme in SignatureScheme.all where scheme.family != type.family {
                #expect(throws: KeyError.unsupportedScheme(type)) { try key.sign(counting(32), with: scheme) }
                #expect(throws: KeyError.unsupportedScheme(type)) {
                    try key.publicKey.verify(counting(64), of: counting(32), with: scheme)
                }
            }
        }
    }

    @Test func inputsThatDoNotFitAreRefused() throws {
        let key = try SampleKeys.shared.key(.rsa(bits: 2048))
        #expect(throws: KeyError.inputTooLong(limit: 245)) { try key.sign(counting(246), with: .rsaPKCS1OfAnyDigest) }
        #expect(try key.sign(counting(245), with: .rsaPKCS1OfAnyDigest).count == 256)
        #expect(throws: KeyError.inputTooLong(limit: 256)) { try key.sign(counting(257), with: .rsaRaw) }
        #expect(throws: KeyError.inputOutOfRange) {
            try key.sign([UInt8](repeating: 255, count: 256), with: .rsaRaw)
        }
        for scheme in [SignatureScheme.rsaRaw, .rsaPKCS1OfAnyDigest] {
            #expect(throws: KeyError.inputOutOfRange) { try key.sign([], with: scheme) }
        }
        let curve = try SampleKeys.shared.key(.ec(.p384))
        #expect(throws: KeyError.inputOutOfRange) { try curve.sign([], with: .ecdsaOfAnyDigest(.x962)) }
        // A long digest counts with its leftmost bits.
        let long = try curve.sign(counting(100), with: .ecdsaOfAnyDigest(.x962))
        #expect(try curve.publicKey.verify(long, of: counting(48), with: .ecdsaOfAnyDigest(.x962)))
        #expect(try !curve.publicKey.verify(long, of: counting(47), with: .ecdsaOfAnyDigest(.x962)))
    }

    @Test func anEmptyMessageAndALargeOneHaveSignatures() throws {
        for type in [KeyType.ec(.p521), .rsa(bits: 2048)] {
            let key = try SampleKeys.shared.key(type)
            let scheme: SignatureScheme =
                type.family == .ec ? .ecdsa(.x962, .sha512, .message) : .rsaPSS(.sha512, .message)
            for count in [0, 1, 1 << 20] {
                let signature = try key.sign(counting(count), with: scheme)
                #expect(try key.publicKey.verify(signature, of: counting(count), with: scheme))
            }
        }
    }

    @Test func noTwoECDSASignaturesAreAlike() throws {
        let key = try SampleKeys.shared.key(.ec(.p256))
        let signatures = try (0..<100).map { _ in try key.sign(counting(32), with: .ecdsa(.rfc4754, .sha256, .digest)) }
        #expect(Set(signatures.map { $0.prefix(32) }).count == signatures.count)
    }
}
