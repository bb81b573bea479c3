import Foundation
import KeyKit
import SodiumKit
import TestSupport
import Testing

/// Truncated and mutated files: an error each, and never a crash. What is still accepted is a key that works.
@Suite struct HostileInputTests {
    /// The parsers, each of which throws, or returns the key that it has read.
    enum Parser: CaseIterable, Sendable {
        case publicPoint, publicPKCS1, publicInfo, publicPEM, privatePoint, privatePKCS1, privateDER, privatePEM,
            trusted

        func parse(_ bytes: [UInt8]) throws(KeyError) -> PublicKey {
            switch self {
            case .publicPoint: try PublicKey(externalRepresentation: bytes.span.bytes, .ec)
            case .publicPKCS1: try PublicKey(externalRepresentation: bytes.span.bytes, .rsa)
            case .publicInfo: try PublicKey(subjectPublicKeyInfo: bytes.span.bytes)
            case .publicPEM: try PublicKey(pem: bytes.span.bytes)
            case .privatePoint: try PrivateKey(externalRepresentation: copy(bytes), .ec).publicKey
            case .privatePKCS1: try PrivateKey(externalRepresentation: copy(bytes), .rsa).publicKey
            case .privateDER: try PrivateKey(der: copy(bytes)).publicKey
            case .privatePEM: try PrivateKey(pem: copy(bytes)).publicKey
            case .trusted: try PrivateKey(trusted: copy(bytes), .rsa).publicKey
            }
        }

        private func copy(_ bytes: [UInt8]) throws(KeyError) -> SecureBytes {
            do { return try SecureBytes(copying: bytes.span.bytes) } catch { throw .memory(error) }
        }

        /// Valid files, to be damaged.
        func seeds() throws -> [[UInt8]] {
            let curves = try Curve.allCases.map { try SampleKeys.shared.key(.ec($0)).array() }
            let rsa = try SampleKeys.shared.key(.rsa(bits: 2048)).array()
            func eachKey(_ body: (borrowing PrivateKey) throws -> [UInt8]) throws -> [[UInt8]] {
                try curves.map { try body(PrivateKey(trusted: secure($0), .ec)) }
                    + [try body(PrivateKey(trusted: secure(rsa), .rsa))]
            }
            return switch self {
            case .publicPoint: Array(try eachKey { $0.publicKey.externalRepresentation }.prefix(3))
            case .publicPKCS1: Array(try eachKey { $0.publicKey.externalRepresentation }.suffix(1))
            case .publicInfo: try eachKey { $0.publicKey.subjectPublicKeyInfo }
            case .publicPEM: try eachKey { Array(try $0.publicKey.pem().utf8) }
            case .privatePoint: curves
            case .privatePKCS1, .trusted: [rsa]
            case .privateDER:
                try eachKey { try $0.der(.pkcs8).array() } + eachKey { try $0.der(.traditional).array() }
            case .privatePEM: try eachKey { try $0.pem().array() }
            }
        }
    }

    @Test(arguments: Parser.allCases) func aFileThatIsCutOffOrLengthenedIsRefused(parser: Parser) throws {
        for seed in try parser.seeds() {
            _ = try parser.parse(seed)
            let isText = parser == .publicPEM || parser == .privatePEM
            // The last line end of a PEM file does not matter.
            for count in stride(from: 0, to: seed.count - (isText ? 1 : 0), by: seed.count > 500 ? 7 : 1) {
                #expect(throws: KeyError.self, "the first \(count)") { try parser.parse(Array(seed.prefix(count))) }
            }
            #expect(throws: KeyError.self) { try parser.parse(Array(seed.dropFirst())) }
            if !isText {
                #expect(throws: KeyError.self) { try parser.parse(seed + [0]) }
                #expect(throws: KeyError.self) { try parser.parse([0] + seed) }
            }
        }
    }

    /// A fixed sequence of random damage. A file may still be valid afterwards, such as one with another attribute; then
    /// its key can be written and read.
    @Test(arguments: Parser.allCases) func damageIsAnErrorAndNeverACrash(parser: Parser) throws {
        var random = SeededGenerator(seed: 20)
        let seeds = try parser.seeds()
        for round in 0..<600 {
            var file = random.pick(seeds)
            for _ in 0...Int.random(in: 0..<4, using: &random) where !file.isEmpty {
                let place = Int.random(in: 0..<min(file.count, random.once(in: 2) ? 64 : .max), using: &random)
                switch Int.random(in: 0..<6, using: &random) {
                case 0: file[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 1: file[place] = random.pick([0, 1, 2, 0x7F, 0x80, 0x81, 0x82, 0x84, 0x88, 0xFF, 0x30, 0x03])
                case 2: file.remove(at: place)
                case 3: file.insert(UInt8.random(in: .min ... .max, using: &random), at: place)
                case 4: file.removeSubrange(place..<min(file.count, place + 40))
                default: file.insert(contentsOf: file[place..<min(file.count, place + 40)], at: place)
                }
            }
            do throws(KeyError) {
                let key = try parser.parse(file)
                #expect(key.type.isSupported, "round \(round)")
                #expect(try PublicKey(subjectPublicKeyInfo: key.subjectPublicKeyInfo.span.bytes) == key)
            } catch {
                #expect(error != .unavailable, "round \(round)")
            }
        }
    }

    /// Lengths that point out of the file, are not in their shortest form, or have no end.
    @Test func absurdLengthsAreRefused() {
        let heads: [[UInt8]] = [
            [0x30], [0x30, 0x80], [0x30, 0x80, 0, 0], [0x30, 0x81], [0x30, 0x81, 0x05], [0x30, 0x82, 0, 1],
            [0x30, 0x84, 0x7F, 0xFF, 0xFF, 0xFF], [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF], [0x30, 0x85, 1, 0, 0, 0, 0],
            [0x30, 0x88, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0x30, 0xFF], [0x3F, 0x81, 0x01],
            [0x30, 0x02, 0x30, 0x7F], [0x30, 0x02, 0x02, 0x00], [0x30, 0x03, 0x02, 0x01, 0x80],
        ]
        for head in heads {
            for file in [head, head + counting(300)] {
                for parser in Parser.allCases {
                    #expect(throws: KeyError.self) { try parser.parse(file) }
                }
            }
        }
    }

    @Test func deepNestingIsRefused() {
        var file: [UInt8] = []
        for _ in 0..<2000 {
            file = [0x30, 0x84] + withUnsafeBytes(of: UInt32(file.count).bigEndian) { Array($0) } + file
        }
        for parser in Parser.allCases { #expect(throws: KeyError.self) { try parser.parse(file) } }
    }

    @Test func aHugeFileIsRefused() {
        let file = [UInt8](repeating: 0x30, count: (Soak.isExhaustive ? 20 : 2) << 20)
        for parser in Parser.allCases { #expect(throws: KeyError.self) { try parser.parse(file) } }
    }

    /// Signatures whose numbers are out of range, or whose DER is not the shortest.
    @Test func signaturesInWrongFormsAreNotValid() throws {
        let key = try PrivateKey.generate(.ec(.p256))
        let digest = counting(32)
        let scheme = SignatureScheme.ecdsa(.x962, .sha256, .digest)
        let order = bytes(hex: "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
        let zero = [UInt8](repeating: 0, count: 32)
        let one = [UInt8](repeating: 0, count: 31) + [1]
        let fixed = try key.sign(digest, with: .ecdsa(.rfc4754, .sha256, .digest))
        let (r, s) = (Array(fixed.prefix(32)), Array(fixed.suffix(32)))
        for numbers in [(zero, zero), (r, zero), (zero, s), (order, s), (r, order), (one, one), (s, r)] {
            let wrong = numbers.0 + numbers.1
            #expect(try !key.publicKey.verify(wrong, of: digest, with: .ecdsa(.rfc4754, .sha256, .digest)))
        }
        func der(_ first: [UInt8], _ second: [UInt8]) -> [UInt8] {
            let inner = [2, UInt8(first.count)] + first + [2, UInt8(second.count)] + second
            return [0x30, UInt8(inner.count)] + inner
        }
        func short(_ number: [UInt8]) -> [UInt8] {
            let digits = number.drop { $0 == 0 }
            return (digits.first ?? 0x80) >= 0x80 ? [0] + digits : Array(digits)
        }
        let right = der(short(r), short(s))
        #expect(try key.publicKey.verify(right, of: digest, with: scheme))
        let wrongForms: [[UInt8]] = [
            der([0] + short(r), short(s)), der(short(r), [0, 0] + short(s)), der([], short(s)), der(short(r), []),
            right + [0], right + [5, 0], [0x30, 0x81] + right.dropFirst(), [0x30, 0x80] + right.dropFirst(2) + [0, 0],
            [0x31] + right.dropFirst(), der(short(zero), short(s)), der(short(order), short(s)), [0x30, 0], [],
            der(short(r), short(s) + [0]), der([UInt8](repeating: 1, count: 60), short(s)),
            [UInt8](repeating: 0x30, count: 72),
        ]
        for wrong in wrongForms {
            #expect(try !key.publicKey.verify(wrong, of: digest, with: scheme), "\(hex(wrong))")
        }
    }

    /// An ephemeral point that is not on the curve must not reach the private key.
    @Test func boxesWithWrongPointsDoNotOpen() throws {
        for curve in Curve.allCases {
            let key = try SampleKeys.shared.key(.ec(curve))
            let scheme = EncryptionScheme.ecies(.standard, .sha256, .derived)
            let box = try key.publicKey.encrypt(counting(10), with: scheme)
            for first in UInt8(0)...8 where first != 4 {
                #expect(throws: KeyError.cannotDecrypt) { try key.decrypt([first] + box.dropFirst(), with: scheme) }
            }
            let rest = box.dropFirst(curve.pointCount)
            for fill in [UInt8(0), 1, 255] {
                let point = [4] + [UInt8](repeating: fill, count: curve.pointCount - 1)
                #expect(throws: KeyError.cannotDecrypt) { try key.decrypt(point + rest, with: scheme) }
            }
        }
    }

    /// A configuration file that turns the usual algorithms off, or that is broken, does not reach KeyKit.
    @Test(arguments: [
        "openssl_conf = a\n[a]\nproviders = b\n[b]\nlegacy = c\n[c]\nactivate = 1\n", "openssl_conf = \n][",
    ])
    func theConfigurationOfOpenSSLDoesNotMatter(text: String) throws {
        let folder = try TemporaryFolder()
        try Data(text.utf8).write(to: folder.url.appending(path: "openssl.cnf"))
        let key = try SampleKeys.shared.key(.ec(.p256)).array()
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "key-exerciser")
        let run = try Command.run(
            ["use", "ec", hex(key.map { ~$0 })], environment: ["OPENSSL_CONF": folder.path("openssl.cnf")],
            program: program)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output == "released\n")
    }

    @Test func manyThreadsCanUseOneKey() async throws {
        let key = try SampleKeys.shared.key(.ec(.p256)).array()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    let key = try PrivateKey(trusted: secure(key), .ec)
                    for _ in 0..<50 {
                        let signature = try key.sign(counting(32), with: .ecdsa(.x962, .sha256, .digest))
                        #expect(
                            try key.publicKey.verify(signature, of: counting(32), with: .ecdsa(.x962, .sha256, .digest))
                        )
                        #expect(throws: KeyError.self) { try PublicKey(checking: counting(65, from: 4), .ec) }
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
