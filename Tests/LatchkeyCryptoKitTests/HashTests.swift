import Foundation
import LatchkeyCryptoKit
import Testing

/// Hash functions, HMAC and HKDF, with the published examples of FIPS 180, RFC 1321, RFC 4231 and RFC 5869.
@Suite struct HashTests {
    /// A message, and its digests with MD5, SHA-1, SHA-256, SHA-384 and SHA-512.
    private static let messages: [(message: String, digests: [String])] = [
        (
            "",
            [
                "d41d8cd98f00b204e9800998ecf8427e", "da39a3ee5e6b4b0d3255bfef95601890afd80709",
                "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                "38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da274edebfe76f65fbd51ad2f14898b95b",
                """
                cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0ff8318d2877eec2f\
                63b931bd47417a81a538327af927da3e
                """,
            ]
        ),
        (
            "abc",
            [
                "900150983cd24fb0d6963f7d28e17f72", "a9993e364706816aba3e25717850c26c9cd0d89d",
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7",
                """
                ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd\
                454d4423643ce80e2a9ac94fa54ca49f
                """,
            ]
        ),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            [
                "8215ef0796a20bcaaae116d3876c664a", "84983e441c3bd26ebaae4aa1f95129e5e54670f1",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
                "3391fdddfc8dc7393707a65b1b4709397cf8b1d162af05abfe8f450de5f36bc6b0455a8520bc4e6f5fe95b1fe3c8452b",
                """
                204a8fc6dda82f0a0ced7beb8e08a41657c16ef468b228a8279be331a703c33596fd15c13b1b07f9aa1d3bea57789ca0\
                31ad85c7a71dd70354ec631238ca3445
                """,
            ]
        ),
        (
            String(repeating: "a", count: 1_000_000),
            [
                "7707d6ae4e027c70eea2a935c2296f21", "34aa973cd4c4daa4f61eeb2bdbad27316534016f",
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
                "9d0e1809716474cb086e834e310a4a1ced149e9c00f248527972cec5704c2a5b07b8b3dc38ecc4ebae97ddd87f3d8985",
                """
                e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973ebde0ff244877ea60a4cb0432ce577c31b\
                eb009c5c2c49aa2e4eadb217ad8cc09b
                """,
            ]
        ),
    ]

    private func digest<H: HashFunction>(_ function: H.Type, _ message: Data) -> String {
        let digest = H.hash(data: message)
        #expect(digest == H.hash(data: Pieces(message)))
        #expect(message.withUnsafeBytes { H.hash(bufferPointer: $0) } == digest)
        return hex(digest)
    }

    @Test(arguments: messages.indices) func publishedDigests(index: Int) {
        let message = Data(Self.messages[index].message.utf8)
        #expect(
            [
                digest(Insecure.MD5.self, message), digest(Insecure.SHA1.self, message), digest(SHA256.self, message),
                digest(SHA384.self, message), digest(SHA512.self, message),
            ] == Self.messages[index].digests)
    }

    private func checkSizes<H: HashFunction>(_ function: H.Type, block: Int, digest: Int) {
        #expect(H.blockByteCount == block)
        #expect(H.byteCount == digest)
        #expect(H.Digest.byteCount == digest)
        #expect(H().finalize().withUnsafeBytes(\.count) == digest)
    }

    @Test func sizes() {
        checkSizes(Insecure.MD5.self, block: 64, digest: 16)
        checkSizes(Insecure.SHA1.self, block: 64, digest: 20)
        checkSizes(SHA256.self, block: 64, digest: 32)
        checkSizes(SHA384.self, block: 128, digest: 48)
        checkSizes(SHA512.self, block: 128, digest: 64)
    }

    /// A copy goes on separately, and a digest does not end the function.
    @Test func copiesGoOnSeparately() {
        var first = SHA256()
        first.update(data: Data("ab".utf8))
        var second = first
        #expect(first.finalize() == SHA256.hash(data: Data("ab".utf8)))
        first.update(data: Data("c".utf8))
        second.update(data: Data("d".utf8))
        #expect(first.finalize() == SHA256.hash(data: Data("abc".utf8)))
        #expect(first.finalize() == SHA256.hash(data: Data("abc".utf8)))
        #expect(second.finalize() == SHA256.hash(data: Data("abd".utf8)))
    }

    @Test func digestsAreValues() {
        let digest = SHA256.hash(data: Data("abc".utf8))
        #expect(digest == Data(digest))
        #expect(digest != Data(digest).dropLast())
        #expect(digest != SHA256.hash(data: Data("abd".utf8)))
        #expect(Set([digest, digest]).count == 1)
        #expect(Array(digest.prefix(3)) == [0xBA, 0x78, 0x16])
        #expect(
            digest.description
                == "SHA256 digest: ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(Insecure.MD5.hash(data: Data()).description == "MD5 digest: d41d8cd98f00b204e9800998ecf8427e")
    }

    // MARK: - HMAC

    private static let fifthLongMessage = """
        This is a test using a larger than block-size key and a larger than block-size data. The key needs to be hashed \
        before being used by the HMAC algorithm.
        """
    /// Key, message and the codes with SHA-256, SHA-384 and SHA-512, of which RFC 4231 prints the fifth only in part.
    private static let codes: [(key: Data, message: Data, codes: [String])] = [
        (
            repeated(0x0B, 20), Data("Hi There".utf8),
            [
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
                "afd03944d84895626b0825f4ab46907f15f9dadbe4101ec682aa034c7cebc59cfaea9ea9076ede7f4af152e8b2fa9cb6",
                """
                87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cdedaa833b7d6b8a702038b274eaea3f4e4\
                be9d914eeb61f1702e696c203a126854
                """,
            ]
        ),
        (
            Data("Jefe".utf8), Data("what do ya want for nothing?".utf8),
            [
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
                "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649",
                """
                164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fd\
                caeab1a34d4a6b4b636e070a38bce737
                """,
            ]
        ),
        (
            counting(25, from: 1), repeated(0xCD, 50),
            [
                "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b",
                "3e8a69b7783c25851933ab6290af6ca77a9981480850009cc5577c6e1f573b4e6801dd23c4a7d679ccf8a386c674cffb",
                """
                b0ba465637458c6990e5a8c5f61d4af7e576d97ff94b872de76f8050361ee3dba91ca5c11aa25eb4d679275cc5788063\
                a5f19741120c4f2de2adebeb10a298dd
                """,
            ]
        ),
        (
            repeated(0xAA, 131), Data(fifthLongMessage.utf8),
            [
                "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2",
                "6617178e941f020d351e2f254e8fd32c602420feb0b8fb9adccebb82461e99c5a678cc31e799176d3860e6110c46523e",
                """
                e37b6a775dc87dbaa4dfa9f96e5e3ffddebd71f8867289865df5a32d20cdc944b6022cac3c4982b10d5eeb55c3e4de15\
                134676fb6de0446065c97440fa8c6a58
                """,
            ]
        ),
    ]

    private func code<H: HashFunction>(_ function: H.Type, _ key: Data, _ message: Data) -> String {
        let key = SymmetricKey(data: key)
        let code = HMAC<H>.authenticationCode(for: message, using: key)
        #expect(code.byteCount == H.byteCount)
        #expect(HMAC<H>.isValidAuthenticationCode(code, authenticating: message, using: key))
        #expect(HMAC<H>.isValidAuthenticationCode(Data(code), authenticating: Pieces(message), using: key))
        let isValid = message.withUnsafeBytes {
            HMAC<H>.isValidAuthenticationCode(code, authenticating: $0, using: key)
        }
        #expect(isValid)
        #expect(!HMAC<H>.isValidAuthenticationCode(code, authenticating: message + [0], using: key))
        #expect(!HMAC<H>.isValidAuthenticationCode(Data(code).dropLast(), authenticating: message, using: key))
        #expect(!HMAC<H>.isValidAuthenticationCode(Data(), authenticating: message, using: key))
        var running = HMAC<H>(key: key)
        running.update(data: message.prefix(3))
        var other = running
        other.update(data: Data("other".utf8))
        running.update(data: message.dropFirst(3))
        #expect(running.finalize() == code)
        #expect(running.finalize() == code)
        #expect(other.finalize() != code)
        return hex(code)
    }

    @Test(arguments: codes.indices) func publishedCodes(index: Int) {
        let (key, message, codes) = Self.codes[index]
        #expect(
            [code(SHA256.self, key, message), code(SHA384.self, key, message), code(SHA512.self, key, message)] == codes
        )
    }

    /// The examples of RFC 2202.
    @Test func codesWithOldFunctions() {
        #expect(
            code(Insecure.MD5.self, Data("Jefe".utf8), Data("what do ya want for nothing?".utf8))
                == "750c783e6ab0b503eaa86e310a5db738")
        #expect(
            code(Insecure.SHA1.self, Data("Jefe".utf8), Data("what do ya want for nothing?".utf8))
                == "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79")
    }

    /// A code can be a key, so it is not printed.
    @Test func aCodeIsNotPrinted() {
        let code = HMAC<SHA256>.authenticationCode(for: Data(), using: SymmetricKey(data: Data()))
        #expect(hex(code) == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
        #expect(code.description == "HMAC of 32 bytes")
    }

    // MARK: - HKDF

    private func derive<H: HashFunction>(
        _ function: H.Type, _ secret: Data, _ salt: Data, _ info: Data, _ count: Int
    ) -> [String] {
        let secret = SymmetricKey(data: secret)
        let key = HKDF<H>.deriveKey(inputKeyMaterial: secret, salt: salt, info: info, outputByteCount: count)
        let middle = HKDF<H>.extract(inputKeyMaterial: secret, salt: salt)
        #expect(HKDF<H>.expand(pseudoRandomKey: middle, info: info, outputByteCount: count) == key)
        if salt.isEmpty {
            #expect(HKDF<H>.deriveKey(inputKeyMaterial: secret, info: info, outputByteCount: count) == key)
            #expect(HKDF<H>.extract(inputKeyMaterial: secret, salt: Data?.none) == middle)
        }
        if info.isEmpty {
            #expect(HKDF<H>.deriveKey(inputKeyMaterial: secret, salt: salt, outputByteCount: count) == key)
            #expect(HKDF<H>.expand(pseudoRandomKey: middle, info: Data?.none, outputByteCount: count) == key)
        }
        if salt.isEmpty && info.isEmpty {
            #expect(HKDF<H>.deriveKey(inputKeyMaterial: secret, outputByteCount: count) == key)
        }
        #expect(key.bitCount == 8 * count)
        return [hex(middle), key.withUnsafeBytes { hex($0) }]
    }

    /// A salt and a secret of any length are taken, and information up to OpenSSL's limit.
    @Test func longInputsAreTaken() {
        let long = Data(repeating: 7, count: 32 << 10)
        #expect(derive(SHA256.self, long + long, long + long, long, 40).count == 2)
    }

    @Test func publishedDerivations() {
        #expect(
            derive(SHA256.self, repeated(0x0B, 22), counting(13), counting(10, from: 0xF0), 42) == [
                "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5",
                "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865",
            ])
        #expect(
            derive(SHA256.self, counting(80), counting(80, from: 0x60), counting(80, from: 0xB0), 82) == [
                "06a6b88c5853361a06104c9ceb35b45cef760014904671014a193f40c15fc244",
                """
                b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09\
                da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87
                """,
            ])
        #expect(
            derive(SHA256.self, repeated(0x0B, 22), Data(), Data(), 42) == [
                "19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04",
                "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8",
            ])
        #expect(
            derive(Insecure.SHA1.self, repeated(0x0B, 11), counting(13), counting(10, from: 0xF0), 42) == [
                "9b6c18c432a7bf8f0e71c8eb88f4b30baa2ba243",
                "085a01ea1b10f36933068b56efa5ad81a4f14b822f5b091568a9cdd4f155fda2c22e422478d305f3f896",
            ])
    }

    /// The longest key has 255 digests, and nothing is wrong with none or with an empty secret.
    @Test func sizesOfDerivedKeys() {
        #expect(derive(SHA256.self, Data("x".utf8), Data(), Data(), 255 * 32)[1].count == 2 * 255 * 32)
        #expect(derive(SHA512.self, Data("x".utf8), Data(), Data(), 255 * 64)[1].count == 2 * 255 * 64)
        #expect(derive(SHA256.self, Data("x".utf8), Data(), Data(), 0)[1].isEmpty)
        #expect(derive(SHA256.self, Data(), Data(), Data(), 32)[1].count == 64)
    }
}
