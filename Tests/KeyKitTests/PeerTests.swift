import Foundation
import KeyKit
import SodiumKit
import TestSupport
import Testing

/// Every scheme against a second implementation in Python, in both directions.
@Suite(.enabled(if: KeyPeer.isThere, "skipped: needs the Debian package python3-cryptography"))
struct PeerTests {
    private static let types: [KeyType] = Curve.allCases.map { .ec($0) } + [.rsa(bits: 2048), .rsa(bits: 4096)]

    @Test(arguments: types) func thePeerVerifiesOurSignaturesAndWeItsOwn(type: KeyType) throws {
        let peer = try KeyPeer.shared
        let key = try SampleKeys.shared.key(type)
        for tested in SigningCase.all where tested.type == type {
            // The peer takes a digest of a known length only.
            let input = tested.scheme.family == .ec && tested.input.count == 36 ? counting(32) : tested.input
            var job = tested.scheme.job
            job["message"] = hex(input)
            let signature = try key.sign(input, with: tested.scheme)
            #expect(
                try peer.ask(job, "verify", key.publicKey, ["signature": hex(signature)]) == "True",
                "\(tested.testDescription)")
            var wrong = signature
            wrong[wrong.count - 1] ^= 1
            #expect(try peer.ask(job, "verify", key.publicKey, ["signature": hex(wrong)]) == "False")
            let theirs = bytes(hex: try peer.ask(job, "sign", key))
            #expect(try key.publicKey.verify(theirs, of: input, with: tested.scheme), "\(tested.testDescription)")
        }
    }

    @Test(arguments: types) func thePeerOpensOurBoxesAndWeItsOwn(type: KeyType) throws {
        let peer = try KeyPeer.shared
        let key = try SampleKeys.shared.key(type)
        let parameters = [
            EncryptionParameters(),
            EncryptionParameters(sharedInfo: counting(7), additionalData: counting(30, from: 4), keyCount: 24),
        ]
        for tested in EncryptionCase.all where tested.type == type {
            let message = counting(tested.scheme == .rsaRaw ? type.blockCount - 1 : 40, from: 1)
            let result = tested.scheme == .rsaRaw ? [0] + message : message
            for parameters in type.family == .ec ? parameters : [EncryptionParameters()] {
                let job = tested.scheme.job(parameters)
                let box = try key.publicKey.encrypt(message, with: tested.scheme, parameters)
                #expect(
                    bytes(hex: try peer.ask(job, "decrypt", key, ["message": hex(box)])) == result,
                    "\(tested.testDescription)")
                let theirs = bytes(hex: try peer.ask(job, "encrypt", key.publicKey, ["message": hex(message)]))
                #expect(try key.decrypt(theirs, with: tested.scheme, parameters) == result, "\(tested.testDescription)")
            }
        }
    }

    /// The published ends of boxes come out of the second implementation too.
    @Test(arguments: VectorTests.sealed) func thePeerMakesTheSameBox(_ sealed: VectorTests.SealedHello) throws {
        let peer = try KeyPeer.shared
        let recipient = try PrivateKey(scalar: VectorTests.recipient, on: sealed.curve)
        let job = EncryptionScheme.ecies(.standard, sealed.hash, sealed.vector).job(sealed.parameters)
        let extra = ["message": hex(Array("hello".utf8)), "ephemeral": hex(VectorTests.ephemeral)]
        let box = try peer.ask(job, "encrypt", recipient.publicKey, extra)
        #expect(box.hasSuffix(sealed.end))
        #expect(box.count == 2 * (sealed.curve.pointCount + 5 + 16))
    }

    @Test(arguments: Curve.allCases) func thePeerAgreesOnTheSameSecrets(curve: Curve) throws {
        let peer = try KeyPeer.shared
        let key = try SampleKeys.shared.key(.ec(curve))
        let other = try PrivateKey.generate(.ec(curve)).publicKey
        let message: [String: any Sendable] = ["message": hex(other.externalRepresentation)]
        #expect(bytes(hex: try peer.ask(message, "agree", key)) == (try key.sharedSecret(with: other).array()))
        for hash in HashAlgorithm.allCases {
            let job = message.merging(["hash": hash.word, "count": 77, "sharedInfo": hex(counting(5))]) { $1 }
            let derived = try key.sharedSecret(
                with: other, derivedWith: hash, count: 77, sharedInfo: counting(5).span.bytes)
            #expect(bytes(hex: try peer.ask(job, "agree", key)) == derived.array())
        }
    }
}

extension HashAlgorithm {
    /// The name for other programs.
    var word: String {
        switch self {
        case .sha1: "sha1"
        case .sha224: "sha224"
        case .sha256: "sha256"
        case .sha384: "sha384"
        case .sha512: "sha512"
        }
    }
}

extension SignatureScheme {
    /// The job for the peer.
    fileprivate var job: [String: any Sendable] {
        func word(_ encoding: SignatureEncoding) -> String { encoding == .x962 ? "x962" : "rfc4754" }
        func word(_ input: SignatureInput) -> String { input == .digest ? "digest" : "message" }
        return switch self {
        case .ecdsa(let encoding, let hash, let input):
            ["encoding": word(encoding), "hash": hash.word, "input": word(input)]
        case .ecdsaOfAnyDigest(let encoding): ["encoding": word(encoding), "hash": "sha256", "input": "digest"]
        case .rsaRaw: ["padding": "none"]
        case .rsaPKCS1(let hash, let input): ["padding": "pkcs1", "hash": hash.word, "input": word(input)]
        case .rsaPKCS1OfAnyDigest: ["padding": "pkcs1-any"]
        case .rsaPSS(let hash, let input): ["padding": "pss", "hash": hash.word, "input": word(input)]
        case .ed25519: [:]  // Its peer is the command of OpenSSL.
        }
    }
}

extension EncryptionScheme {
    /// The job for the peer.
    fileprivate func job(_ parameters: EncryptionParameters) -> [String: any Sendable] {
        switch self {
        case .ecies(_, let hash, let vector):
            [
                "hash": hash.word, "vector": vector == .derived ? "derived" : "zero",
                "sharedInfo": hex(parameters.sharedInfo), "additionalData": hex(parameters.additionalData),
                "keyCount": parameters.keyCount ?? 0,
            ]
        case .rsaRaw: ["padding": "none"]
        case .rsaPKCS1: ["padding": "pkcs1"]
        case .rsaOAEP(let hash): ["padding": "oaep", "hash": hash.word]
        case .rsaOAEPAESGCM(let hash): ["padding": "oaep", "hash": hash.word, "session": true]
        }
    }
}
