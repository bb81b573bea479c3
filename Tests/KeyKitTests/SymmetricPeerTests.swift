import Foundation
import KeyKit
import SodiumKit
import TestSupport
import Testing

/// Digests, codes, derivations and ciphers against the second implementation in Python.
@Suite(.enabled(if: KeyPeer.isThere, "skipped: needs the Debian package python3-cryptography"))
struct SymmetricPeerTests {
    private static let counts = [0, 1, 63, 64, 65, 127, 128, 129, 1000]

    @Test(arguments: DigestAlgorithm.all) func digestsAndCodes(algorithm: DigestAlgorithm) throws {
        let peer = try KeyPeer.shared
        for count in Self.counts {
            let message = counting(count, from: 3)
            var job: [String: any Sendable] = ["hash": algorithm.word, "message": hex(message), "operation": "digest"]
            var digest = try RunningDigest(algorithm)
            try digest.add(message.span.bytes.extracting(first: count / 3))
            try digest.add(message.span.bytes.extracting(droppingFirst: count / 3))
            #expect(try peer.ask(job) == hex(try digest.finish()))

            job["operation"] = "code"
            for length in [0, 1, 20, 64, 128, 129, 300] {
                let key = counting(length, from: 9)
                job["key"] = hex(key)
                var code = try RunningMAC(algorithm, key: key.span.bytes)
                try code.add(message.span.bytes.extracting(first: count / 2))
                let copy = try code.copy()
                try code.add(message.span.bytes.extracting(droppingFirst: count / 2))
                #expect(try peer.ask(job) == hex(try code.finish()))
                _ = try copy.finish()
            }
        }
    }

    @Test(arguments: DigestAlgorithm.all) func derivations(algorithm: DigestAlgorithm) throws {
        let peer = try KeyPeer.shared
        for (secret, salt, info, count) in [(0, 0, 0, 1), (22, 13, 10, 42), (80, 80, 80, 82), (32, 0, 200, 1000)] {
            let (secret, salt, info) = (counting(secret), counting(salt, from: 5), counting(info, from: 7))
            var job: [String: any Sendable] = [
                "hash": algorithm.word, "message": hex(secret), "info": hex(info), "count": count,
                "operation": "derive",
            ]
            // Nobody shares an empty secret.
            if !secret.isEmpty {
                let derived = try X963.derive(count, from: secure(secret), info: info.span.bytes, algorithm).array()
                #expect(try peer.ask(job) == hex(derived))
            }
            job["salt"] = hex(salt)
            let both = try HKDFFunction.derive(
                .both, count, from: secret.span.bytes, salt: salt.span.bytes, info: info.span.bytes, algorithm
            ).array()
            #expect(try peer.ask(job) == hex(both))
            let middle = try HKDFFunction.derive(
                .extract, algorithm.digestCount, from: secret.span.bytes, salt: salt.span.bytes, algorithm
            ).array()
            let expanded = try HKDFFunction.derive(
                .expand, count, from: middle.span.bytes, info: info.span.bytes, algorithm
            ).array()
            #expect(expanded == both)
        }
        for count in [0, -1, 255 * algorithm.digestCount + 1] {
            #expect(throws: KeyError.invalidSize(count)) {
                try HKDFFunction.derive(.both, count, from: [1].span.bytes, algorithm).count
            }
        }
        #expect(throws: KeyError.invalidSize(1)) {
            try HKDFFunction.derive(.extract, 1, from: [1].span.bytes, algorithm).count
        }
        let longest = [UInt8](repeating: 1, count: HKDFFunction.longestInfo)
        for step in [HKDFFunction.Step.expand, .both] {
            #expect(
                try HKDFFunction.derive(step, 20, from: longest.span.bytes, info: longest.span.bytes, algorithm).count
                    == 20)
            let longer = longest + [1]
            #expect(throws: KeyError.inputTooLong(limit: HKDFFunction.longestInfo)) {
                try HKDFFunction.derive(step, 20, from: longer.span.bytes, info: longer.span.bytes, algorithm).count
            }
        }
        #expect(throws: KeyError.invalidSize(0)) {
            try X963.derive(0, from: secure([1]), info: RawSpan(), algorithm).count
        }
    }

    @Test(arguments: AuthenticatedCipher.allCases) func boxes(cipher: AuthenticatedCipher) throws {
        let peer = try KeyPeer.shared
        for keyCount in cipher.keyCounts {
            // The peer takes no nonce of fewer than eight bytes.
            for nonceCount in Set([8, 12, 16, 60, 128]).filter(cipher.nonceCounts.contains) {
                for count in Self.counts {
                    let (key, nonce, message) = (counting(keyCount), counting(nonceCount), counting(count))
                    let additional = counting(count / 2, from: 17)
                    var job: [String: any Sendable] = [
                        "cipher": cipher == .aesGCM ? "aes" : "chacha", "key": hex(key), "nonce": hex(nonce),
                        "additional": hex(additional), "message": hex(message), "operation": "seal",
                    ]
                    let box = try cipher.seal(
                        message.span.bytes, key: key.span.bytes, nonce: nonce.span.bytes,
                        additional: additional.span.bytes)
                    #expect(try peer.ask(job) == hex(box))
                    job["message"] = hex(box)
                    job["operation"] = "unseal"
                    #expect(try peer.ask(job) == hex(message))
                    let opened = try cipher.open(
                        box.span.bytes.extracting(first: count), tag: box.span.bytes.extracting(droppingFirst: count),
                        key: key.span.bytes, nonce: nonce.span.bytes, additional: additional.span.bytes)
                    #expect(opened.array() == message)
                }
            }
        }
    }

    @Test(arguments: AuthenticatedCipher.allCases) func sizesThatNoCipherHas(cipher: AuthenticatedCipher) throws {
        let (key, nonce, tag) = (counting(32), counting(12), counting(16))
        for count in [0, 8, 15, 17, 31, 33, 64] {
            let wrong = counting(count)
            #expect(throws: KeyError.invalidSize(count)) {
                try cipher.seal(RawSpan(), key: wrong.span.bytes, nonce: nonce.span.bytes)
            }
            #expect(throws: KeyError.invalidSize(count)) {
                try cipher.open(RawSpan(), tag: tag.span.bytes, key: wrong.span.bytes, nonce: nonce.span.bytes).count
            }
            #expect(throws: KeyError.cannotDecrypt) {
                try cipher.open(RawSpan(), tag: wrong.span.bytes, key: key.span.bytes, nonce: nonce.span.bytes).count
            }
        }
        for count in cipher == .aesGCM ? [0, 129] : [0, 8, 11, 13, 24] {
            let wrong = counting(count)
            #expect(throws: KeyError.invalidSize(count)) {
                try cipher.seal(RawSpan(), key: key.span.bytes, nonce: wrong.span.bytes)
            }
        }
    }
}

extension DigestAlgorithm {
    /// The name for other programs.
    fileprivate var word: String {
        switch self {
        case .md5: "md5"
        case .standard(let hash): hash.word
        case .sha3_256: "sha3_256"
        case .sha3_384: "sha3_384"
        case .sha3_512: "sha3_512"
        }
    }
}
