import Foundation
import LatchkeyCryptoKit
import Testing

/// SHA-3, with the published examples of FIPS 202.
@Suite struct SHA3Tests {
    /// A message, and its digests with SHA3-256, SHA3-384 and SHA3-512.
    private static let messages: [(message: String, digests: [String])] = [
        (
            "",
            [
                "a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a",
                "0c63a75b845e4f7d01107d852e4c2485c51a50aaaa94fc61995e71bbee983a2ac3713831264adb47fb6bd1e058d5f004",
                """
                a69f73cca23a9ac5c8b567dc185a756e97c982164fe25859e0d1dcc1475c80a615b2123af1f5f94c11e3e9402c3ac558\
                f500199d95b6d3e301758586281dcd26
                """,
            ]
        ),
        (
            "abc",
            [
                "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532",
                "ec01498288516fc926459f58e2c6ad8df9b473cb0fc08c2596da7cf0e49be4b298d88cea927ac7f539f1edf228376d25",
                """
                b751850b1a57168a5693cd924b6b096e08f621827444f70d884f5d0240d2712e10e116e9192af3c91a7ec57647e39340\
                57340b4cf408d5a56592f8274eec53f0
                """,
            ]
        ),
    ]

    private func digest<H: HashFunction>(_ function: H.Type, _ message: Data) -> String {
        let digest = H.hash(data: message)
        #expect(digest == H.hash(data: Pieces(message)))
        return hex(digest)
    }

    @Test(arguments: messages.indices) func publishedDigests(index: Int) {
        let message = Data(Self.messages[index].message.utf8)
        #expect(
            [digest(SHA3_256.self, message), digest(SHA3_384.self, message), digest(SHA3_512.self, message)]
                == Self.messages[index].digests)
    }

    private func checkSizes<H: HashFunction>(_ function: H.Type, block: Int, digest: Int) {
        #expect(H.blockByteCount == block && H.byteCount == digest && H.Digest.byteCount == digest)
        #expect(H().finalize().withUnsafeBytes(\.count) == digest)
        // A block and twice the digest make up the 200 bytes of the state.
        #expect(H.blockByteCount + 2 * H.byteCount == 200)
    }

    @Test func sizes() {
        checkSizes(SHA3_256.self, block: 136, digest: 32)
        checkSizes(SHA3_384.self, block: 104, digest: 48)
        checkSizes(SHA3_512.self, block: 72, digest: 64)
        #expect(SHA3_256.hash(data: Data()).description.hasPrefix("SHA3_256 digest: a7ffc6f8"))
    }

    /// HMAC and the derivations take these functions too.
    @Test func codesAndDerivedKeys() {
        let key = SymmetricKey(data: Data("Jefe".utf8))
        let code = HMAC<SHA3_256>.authenticationCode(for: Data("what do ya want for nothing?".utf8), using: key)
        #expect(hex(code) == "c7d4072e788877ae3596bbb0da73b887c9171f93095b294ae857fbe2645e1ba5")
        let derived = HKDF<SHA3_512>.deriveKey(inputKeyMaterial: key, outputByteCount: 64)
        #expect(
            derived.bitCount == 512 && derived != HKDF<SHA512>.deriveKey(inputKeyMaterial: key, outputByteCount: 64))
    }
}
