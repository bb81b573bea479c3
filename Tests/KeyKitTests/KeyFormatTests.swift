import Foundation
import KeyKit
import SodiumKit
import Testing

/// Keys in files: PKCS#8, SEC 1, PKCS#1, SubjectPublicKeyInfo and PEM.
@Suite struct KeyFormatTests {
    @Test(arguments: KeyType.generatedTypes) func aKeyComesBackFromEachFormat(type: KeyType) throws {
        let key = try SampleKeys.shared.key(type)
        for format in PrivateKeyFormat.allCases {
            if type == .ed25519 && format == .traditional {
                #expect(throws: KeyError.unsupportedType) { _ = try key.der(format).count }
                continue
            }
            #expect(try PrivateKey(der: key.der(format)).array() == key.array())
            #expect(try PrivateKey(pem: key.pem(format)).array() == key.array())
        }
        let copy = try PrivateKey(externalRepresentation: key.externalRepresentation(), type.family)
        #expect(copy.array() == key.array())
        #expect(copy.type == type)

        let half = key.publicKey
        #expect(copy.publicKey == half)
        #expect(try PublicKey(checking: half.externalRepresentation, type.family) == half)
        #expect(try PublicKey(subjectPublicKeyInfo: half.subjectPublicKeyInfo.span.bytes) == half)
        #expect(try PublicKey(pem: Array(half.pem().utf8).span.bytes) == half)
        #expect(try half.fingerprint.count == 20)
    }

    @Test(arguments: Curve.allCases) func theExternalRepresentationHasTheLengthThatAppleDocuments(curve: Curve) throws {
        let key = try SampleKeys.shared.key(.ec(curve))
        let counts: (Int, Int) =
            switch curve {
            case .p256: (65, 97)
            case .p384: (97, 145)
            case .p521: (133, 199)
            }
        #expect(key.publicKey.externalRepresentation.count == counts.0)
        #expect(key.array().count == counts.1)
        #expect(Array(key.array().prefix(counts.0)) == key.publicKey.externalRepresentation)
    }

    /// Without the public key in the file, the scalar determines it.
    @Test(arguments: Curve.allCases) func aMissingPublicKeyIsComputed(curve: Curve) throws {
        let key = try SampleKeys.shared.key(.ec(curve))
        let scalar = Array(key.array().suffix(curve.coordinateCount))
        #expect(try PrivateKey(scalar: scalar, on: curve).array() == key.array())
        // A scalar is at least one, and below the order of the curve.
        for wrong in [[0], [UInt8](repeating: 0, count: scalar.count), [UInt8](repeating: 255, count: scalar.count)] {
            #expect(throws: KeyError.invalidKey) { try PrivateKey(scalar: wrong, on: curve).type }
        }
        for wrong in [[], [0] + scalar] {
            #expect(throws: KeyError.malformed(.sec1)) { try PrivateKey(scalar: wrong, on: curve).type }
        }
    }

    @Test func halvesThatDoNotBelongTogetherAreRefused() throws {
        for curve in Curve.allCases {
            let one = try PrivateKey.generate(.ec(curve)).array()
            let other = try PrivateKey.generate(.ec(curve)).array()
            let mixed = Array(one.prefix(curve.pointCount)) + Array(other.dropFirst(curve.pointCount))
            #expect(throws: KeyError.invalidKey) { try PrivateKey(checking: mixed, .ec).type }
            // A vault that has authenticated the bytes does not need the check, and signatures then do not verify.
            let trusted = try PrivateKey(trusted: secure(mixed), .ec)
            let signature = try trusted.sign(counting(32), with: .ecdsaOfAnyDigest(.x962))
            #expect(try !trusted.publicKey.verify(signature, of: counting(32), with: .ecdsaOfAnyDigest(.x962)))
            let zero = Array(one.prefix(curve.pointCount)) + [UInt8](repeating: 0, count: curve.coordinateCount)
            #expect(throws: KeyError.self) { try PrivateKey(checking: zero, .ec).type }
        }
        let rsa = try SampleKeys.shared.key(.rsa(bits: 2048)).array()
        var changed = rsa
        for place in [20, 300, 600, 800, 1000, rsa.count - 2] {
            changed[place] ^= 2
            #expect(throws: KeyError.self, "byte \(place)") { try PrivateKey(checking: changed, .rsa).type }
            changed[place] ^= 2
        }
        #expect(try PrivateKey(checking: changed, .rsa).array() == rsa)
    }

    @Test func pointsThatAreNotOnTheCurveAreRefused() throws {
        for curve in Curve.allCases {
            let point = try SampleKeys.shared.key(.ec(curve)).publicKey.externalRepresentation
            for place in [1, curve.coordinateCount, curve.coordinateCount + 1, point.count - 1] {
                var wrong = point
                wrong[place] ^= 1
                #expect(throws: KeyError.invalidPoint, "\(curve) byte \(place)") { try PublicKey(checking: wrong, .ec) }
            }
            let count = point.count
            let zeros = [4] + [UInt8](repeating: 0, count: count - 1)
            // Coordinates have to be below the prime.
            let large = [4] + [UInt8](repeating: 255, count: count - 1)
            for wrong in [zeros, large] {
                #expect(throws: KeyError.invalidPoint) { try PublicKey(checking: wrong, .ec) }
            }
            for first in [UInt8]([0, 1, 2, 3, 5, 6, 7, 255]) {
                #expect(throws: KeyError.malformed(.point)) {
                    try PublicKey(checking: [first] + point.dropFirst(), .ec)
                }
            }
        }
        // Infinity, compressed points, and lengths of no curve.
        for wrong in [
            [], [0], [4], counting(33, from: 2), counting(49, from: 4), counting(64, from: 4), counting(10_000),
        ] {
            #expect(throws: KeyError.malformed(.point)) { try PublicKey(checking: wrong, .ec) }
            #expect(throws: KeyError.malformed(.point)) { try PrivateKey(checking: wrong, .ec).type }
        }
    }

    @Test func rsaKeysOfOtherSizesAreRefused() throws {
        func key(_ modulus: [UInt8], _ exponent: [UInt8]) -> [UInt8] {
            func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
                // DER writes a length in as few bytes as it takes, here one or two after the first.
                let (high, low) = (UInt8(content.count >> 8), UInt8(content.count & 255))
                return [tag] + (high == 0 ? [0x81, low] : [0x82, high, low]) + content
            }
            return element(0x30, element(0x02, [0] + modulus) + [0x02, UInt8(exponent.count)] + exponent)
        }
        let usual: [UInt8] = [1, 0, 1]
        for count in [127, 513, 1024, 2048] {
            #expect(throws: KeyError.unsupportedType, "\(count)") {
                try PublicKey(checking: key([0x80] + [UInt8](repeating: 0xFF, count: count - 1), usual), .rsa)
            }
        }
        let modulus = try SampleKeys.shared.key(.rsa(bits: 2048)).publicKey.externalRepresentation[9..<(9 + 256)]
        #expect(try PublicKey(checking: key(Array(modulus), usual), .rsa).type == .rsa(bits: 2048))
        for exponent in [[1], [2], [4], [1, 0, 0], [UInt8](repeating: 1, count: 9)] as [[UInt8]] {
            #expect(throws: KeyError.invalidKey) { try PublicKey(checking: key(Array(modulus), exponent), .rsa) }
        }
        let even = Array(modulus.dropLast()) + [modulus.last.map { $0 ^ 1 } ?? 0]
        #expect(throws: KeyError.invalidKey) { try PublicKey(checking: key(even, usual), .rsa) }
    }

    @Test func onlyTheSizesOfTheListAreGenerated() {
        for bits in [.min, -1, 0, 1, 512, 1024, 2047, 2056, 8192, .max] {
            #expect(throws: KeyError.unsupportedType) { try PrivateKey.generate(.rsa(bits: bits)).type }
        }
    }

    @Test func encryptedAndForeignFilesHaveTheirOwnErrors() throws {
        func read(_ text: String) throws -> KeyType { try PrivateKey(pem: secure(Array(text.utf8))).type }
        let key = try #require(try SampleKeys.shared.key(.ec(.p256)).pem().string())
        #expect(try read("Some text\n" + key + "more") == .ec(.p256))
        #expect(try read(key.replacing("\n", with: "\r\n")) == .ec(.p256))
        #expect(throws: KeyError.encryptedKey) { try read(key.replacing("PRIVATE", with: "ENCRYPTED PRIVATE")) }
        #expect(throws: KeyError.encryptedKey) {
            try read(
                """
                -----BEGIN EC PRIVATE KEY-----
                Proc-Type: 4,ENCRYPTED
                DEK-Info: AES-256-CBC,5D4A

                AAAA
                -----END EC PRIVATE KEY-----
                """)
        }
        for wrong in [
            "", "-----BEGIN PRIVATE KEY-----", String(key.dropLast(30)), key.replacing("BEGIN", with: "BEGAN"),
            key.replacing("M", with: "*"), "-----BEGIN PRIVATE KEY-----\n-----END PUBLIC KEY-----\n",
        ] {
            #expect(throws: KeyError.malformed(.pem), "\(wrong)") { try read(wrong) }
        }
        #expect(throws: KeyError.malformed(.pkcs8)) {
            try read("-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n")
        }
        let edwards = """
            -----BEGIN PRIVATE KEY-----
            MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g
            -----END PRIVATE KEY-----
            """
        #expect(try read(edwards) == .ed25519)
        // An X25519 key.
        #expect(throws: KeyError.unsupportedType) { try read(edwards.replacing("BQYDK2Vw", with: "BQYDK2Vu")) }
    }

    @Test func aBlockOfOpenSSHIsTakenOutOfWhatIsAroundIt() throws {
        let block = """
            -----BEGIN OPENSSH PRIVATE KEY-----
            b3BlbnNzaC1rZXktdjEA
            -----END OPENSSH PRIVATE KEY-----

            """
        for text in [
            block, block.replacing("\n", with: "\r\n"), "\n# of the laptop\n" + block, String(block.dropLast()),
            block.replacing("-\n", with: "- \n"), block.replacing("tdjEA", with: "td\njEA"),
        ] {
            let taken = try PrivateKey.openSSHBlock(in: secure(Array(text.utf8)))
            switch consume taken {
            case .some(let taken):
                let taken = taken.string()
                #expect(taken == block, "\(text)")
            case .none: Issue.record("no block in \(text)")
            }
        }
        let other = try #require(try SampleKeys.shared.key(.ec(.p256)).pem().string())
        let none = try PrivateKey.openSSHBlock(in: secure(Array((other + block).utf8)))
        if case .some = consume none { Issue.record("the first key is of another format") }
        #expect(throws: KeyError.malformed(.pem)) { _ = try PrivateKey.openSSHBlock(in: secure([])) == nil }
    }

    @Test func errorsSayWhatToDo() {
        let errors: [KeyError] =
            KeyFormat.allCases.map { .malformed($0) } + [
                .invalidPoint, .invalidKey, .unsupportedType, .encryptedKey, .unsupportedScheme(.ec(.p256)),
                .wrongDigestLength(expected: 32, actual: 20), .inputTooLong(limit: 9), .inputOutOfRange,
                .invalidSize(3),
                .differentCurves, .cannotDecrypt, .wrongPassphrase, .tooManyIterations(limit: 9),
                .memory(.outOfMemory(bytes: 0)), .unavailable,
            ]
        for error in errors { #expect(error.description.wholeMatch(of: /[A-Z].*\. ?[A-Z].*\.|There is no .*/) != nil) }
        #expect(Set(errors.map(\.description)).count == errors.count)
    }
}
