import Foundation
import KeyKit
import TestSupport
import Testing

/// Chains of which several can be built, and those that OpenSSL alone would not build.
@Suite(.enabled(if: CertificateMaker.isThere, "skipped: needs the Debian package openssl"))
struct ChainSearchTests {
    /// The first second of 2025.
    private static let time: Int64 = 1_735_689_600
    private let maker: CertificateMaker

    init() throws { maker = try CertificateMaker() }

    /// Makes an authority that may sign others, or with `extensions` another certificate. With `alias`, it has the key of
    /// that one.
    private func make(
        _ name: String, by issuer: String? = nil, subject: String? = nil, like alias: String? = nil,
        key: CertificateMaker.Key = .ec("P-256"), until: String = "20400101", hash: String = "sha256",
        _ extensions: [String] = CertificateMaker.authority
    ) throws -> Certificate {
        if let alias { try maker.write(Array(maker.read("\(alias).key")), "\(name).key") }
        let der = try maker.make(
            name, by: issuer, subject: subject.map { "/CN=\($0)" }, key: key, days: ("20200101", until), hash: hash,
            extensions)
        return try Certificate(der: Array(der).span.bytes)
    }

    private func evaluate(
        _ certificates: [Certificate], _ anchors: [Certificate], _ usages: CertificateUsage...,
        at time: Int64 = Self.time
    ) throws -> TrustResult {
        var evaluation = TrustEvaluation(of: certificates[0], at: time)
        evaluation.intermediates = Array(certificates.dropFirst())
        evaluation.anchors = anchors
        evaluation.usages = usages
        return try evaluation.result()
    }

    @Test func everyOrderOfCrossSignedAuthoritiesIsTrusted() throws {
        let root = try make("root")
        let other = try make("other")
        let own = try make("own", by: "root", subject: "authority")
        let cross = try make("cross", by: "other", subject: "authority", like: "own")
        let leaf = try make("leaf", by: "own", [])
        for certificates in [[leaf, own, cross], [leaf, cross, own]] {
            let result = try evaluate(certificates, [root])
            #expect(result.isTrusted && result.chain == [leaf, own, root])
            let by = try evaluate(certificates, [other])
            #expect(by.isTrusted && by.chain == [leaf, cross, other])
        }
        #expect(try evaluate([leaf, cross], [root]).failures.map(\.reason) == [.issuerMissing])
        // One of them has expired, or may not sign.
        let old = try make("old", by: "root", subject: "authority", like: "own", until: "20210101")
        let weak = try make("weak", by: "root", subject: "authority", like: "own", ["basicConstraints = CA:FALSE"])
        for certificates in [[leaf, old, weak, own], [leaf, own, weak, old], [leaf, weak, own, old]] {
            #expect(try evaluate(certificates, [root]).chain == [leaf, own, root])
        }
        #expect(try !evaluate([leaf, old, weak], [root]).isTrusted)
    }

    /// Apple's PathScoringTests, as facts. The certificates are ours, in the same relation to each other.
    @Test func theChainIsTheOneThatApplesSystemChooses() throws {
        let strongRoot = try make("strongRoot")
        let weakRoot = try make("weakRoot", hash: "sha1")
        let shortRoot = try make("shortRoot", key: .rsa(1024))
        let otherRoot = try make("otherRoot")
        let strong = try make("strong", by: "strongRoot", subject: "between")
        let weak = try make("weak", by: "weakRoot", subject: "between", like: "strong", until: "20250201", hash: "sha1")
        let short = try make("short", by: "shortRoot", subject: "between", like: "strong")
        let crossWeak = try make("crossWeak", by: "weakRoot", subject: "strongRoot", like: "strongRoot", hash: "sha1")
        let crossStrong = try make("crossStrong", by: "otherRoot", subject: "strongRoot", like: "strongRoot")
        let leaf = try make(
            "leaf", by: "strong", ["subjectAltName = DNS:example.com", "extendedKeyUsage = serverAuth"])
        let later = Self.time + 60 * 24 * 3600

        let cases: [(given: [Certificate], anchors: [Certificate], time: Int64, chain: [Certificate])] = [
            ([leaf, strong, crossStrong], [strongRoot, otherRoot], Self.time, [leaf, strong, strongRoot]),
            ([leaf, strong, weak, crossWeak], [weakRoot], Self.time, [leaf, weak, weakRoot]),
            ([leaf, strong, weak], [weakRoot, strongRoot], Self.time, [leaf, strong, strongRoot]),
            ([leaf, weak, strong], [strongRoot, weakRoot], Self.time, [leaf, strong, strongRoot]),
            (
                [leaf, weak, strong, crossStrong], [weakRoot, otherRoot], Self.time,
                [leaf, strong, crossStrong, otherRoot]
            ),
            ([leaf, short, weak], [shortRoot, weakRoot], later, [leaf, short, shortRoot]),
            ([leaf, strong, weak, strongRoot], [weakRoot], Self.time, [leaf, weak, weakRoot]),
            (
                [leaf, strong, strongRoot, crossWeak, crossStrong, otherRoot], [weakRoot], Self.time,
                [leaf, strong, crossWeak, weakRoot]
            ),
        ]
        for (given, anchors, time, chain) in cases {
            let accepted = try evaluate(given, anchors, at: time)
            #expect(accepted.isTrusted && accepted.chain == chain)
            let rejected = try evaluate(given, anchors, .server(host: "example.org"), at: time)
            #expect(!rejected.isTrusted && rejected.chain == chain)
        }
        for given in [[leaf, strong, short], [leaf, short, strong]] {
            let result = try evaluate(given, [strongRoot, shortRoot], .server(host: "example.org"))
            #expect(result.chain == [leaf, strong, strongRoot])
        }
        #expect(try evaluate([leaf, strong, weak, weakRoot], []).chain == [leaf, weak, weakRoot])
        #expect(try evaluate([leaf, crossStrong, strong], []).chain == [leaf, strong, crossStrong])
    }

    /// Each pair of names has signed each other many times, so that there are millions of paths.
    @Test func authoritiesThatSignEachOtherDoNotMakeTheSearchEndless() throws {
        let root = try make("root")
        var crowd: [Certificate] = []
        for name in ["one", "two", "three"] { crowd.append(try make(name, by: "root")) }
        let names = ["one", "two", "three"]
        for round in 0..<5 {
            for subject in names {
                for issuer in names where issuer != subject {
                    crowd.append(
                        try make("\(subject)-\(issuer)-\(round)", by: issuer, subject: subject, like: subject))
                }
            }
        }
        let leaf = try make("leaf", by: "one", [])
        let start = ContinuousClock.now
        let without = try evaluate([leaf] + crowd, [])
        #expect(!without.isTrusted)
        #expect(try evaluate([leaf] + crowd, [root]).isTrusted)
        #expect(ContinuousClock.now - start < .seconds(20))
    }

    // MARK: - Parameters of algorithms

    /// Returns the parts of a DER sequence.
    private static func parts(_ der: [UInt8]) -> [[UInt8]] {
        func content(_ place: Int) -> Range<Int> {
            let first = Int(der[place + 1])
            if first < 0x80 { return (place + 2)..<(place + 2 + first) }
            let count = first & 0x7F
            let length = der[(place + 2)..<(place + 2 + count)].reduce(0) { $0 << 8 | Int($1) }
            return (place + 2 + count)..<(place + 2 + count + length)
        }
        var parts: [[UInt8]] = []
        var place = content(0).lowerBound
        while place < content(0).upperBound {
            let end = content(place).upperBound
            parts.append(Array(der[place..<end]))
            place = end
        }
        return parts
    }

    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        let length: [UInt8] =
            count < 0x80 ? [UInt8(count)] : [0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
        return [tag] + (count >= 0x80 && count < 0x100 ? [0x81, UInt8(count)] : length) + content
    }

    private static func rsa(_ number: UInt8, _ parameters: [UInt8]) -> [UInt8] {
        let name: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, number]
        return element(0x30, element(6, name) + parameters)
    }

    private static let sha256: UInt8 = 11
    private static let sha384: UInt8 = 12
    private static let null: [UInt8] = [5, 0]

    /// Returns the certificate with these algorithm identifiers, signed anew by the key of `issuer`.
    private func signedAnew(
        _ certificate: Certificate, by issuer: String, inner: [UInt8], outer: [UInt8], hash: HashAlgorithm = .sha256
    ) throws -> Certificate {
        var fields = Self.parts(Self.parts(certificate.der)[0])
        fields[2] = inner
        let content = Self.element(0x30, fields.flatMap { $0 })
        let key = try PrivateKey(pem: secure(Array(maker.read("\(issuer).key"))))
        let signature = try key.sign(content.span.bytes, with: .rsaPKCS1(hash, .message))
        let whole = Self.element(0x30, content + outer + Self.element(3, [0] + signature))
        return try Certificate(der: whole.span.bytes)
    }

    /// Certificates as Apple's Certificate Assistant makes them: what is signed names the algorithm without parameters, and
    /// the certificate names it with NULL.
    @Test func theParametersOfAnAlgorithmMayDiffer() throws {
        let (plain, null) = (Self.rsa(Self.sha256, []), Self.rsa(Self.sha256, Self.null))
        let root = try signedAnew(make("root", key: .rsa(2048)), by: "root", inner: plain, outer: null)
        let authority = try signedAnew(
            make("authority", by: "root", key: .rsa(2048)), by: "root", inner: plain, outer: null)
        let server = ["subjectAltName = DNS:example.com", "extendedKeyUsage = serverAuth"]
        let made = try make("leaf", by: "authority", until: "20210101", server)
        for (inner, outer) in [(plain, null), (null, plain), (plain, plain), (null, null)] {
            let leaf = try signedAnew(made, by: "authority", inner: inner, outer: outer)
            let result = try evaluate([leaf, authority], [root], .server(host: "example.com"), at: 1_600_000_000)
            #expect(result.isTrusted && result.chain == [leaf, authority, root], "\(result.failures)")
            #expect(try evaluate([leaf], [authority], at: 1_600_000_000).isTrusted)
        }
        #expect(try evaluate([root], [root]).isTrusted)
        #expect(try evaluate([root], []).failures.map(\.reason) == [.rootNotTrusted])
    }

    @Test func aSignatureThatIsNotValidIsNeverTrusted() throws {
        let (plain, null) = (Self.rsa(Self.sha256, []), Self.rsa(Self.sha256, Self.null))
        let root = try make("root", key: .rsa(2048))
        _ = try make("other", key: .rsa(2048))
        let made = try make("leaf", by: "root", [])
        let good = try signedAnew(made, by: "root", inner: plain, outer: null)
        #expect(try evaluate([good], [root]).isTrusted)
        // Another key, another algorithm outside, and another one than was used.
        let wrong = [
            try signedAnew(made, by: "other", inner: plain, outer: null),
            try signedAnew(made, by: "root", inner: plain, outer: Self.rsa(Self.sha384, Self.null)),
            try signedAnew(made, by: "root", inner: Self.rsa(Self.sha384, []), outer: null),
            try signedAnew(made, by: "root", inner: plain, outer: Self.rsa(Self.sha384, Self.null), hash: .sha384),
            try signedAnew(made, by: "root", inner: Self.rsa(Self.sha384, []), outer: null, hash: .sha384),
            try signedAnew(
                made, by: "root", inner: Self.rsa(Self.sha384, []), outer: Self.rsa(Self.sha384, Self.null)),
            // The names of RSA-PSS, whose parameters mean something, and of no algorithm.
            try signedAnew(made, by: "root", inner: Self.rsa(10, []), outer: Self.rsa(10, Self.null)),
            try signedAnew(made, by: "root", inner: Self.rsa(99, []), outer: Self.rsa(99, Self.null)),
        ]
        for certificate in wrong {
            let result = try evaluate([certificate], [root])
            #expect(!result.isTrusted && result.chain == [certificate])
        }
        // Any bit of what is signed, of the algorithms or of the signature.
        var random = SeededGenerator(seed: 11)
        var readable = 0
        for _ in 0..<400 {
            var bytes = good.der
            bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            guard let changed = try? Certificate(der: bytes.span.bytes) else { continue }
            readable += 1
            let isTrusted = try evaluate([changed], [root]).isTrusted
            // The parameters outside are not signed, and mean nothing.
            let isSigned = Self.parts(changed.der)[0] == Self.parts(good.der)[0]
            #expect(!isTrusted || isSigned && Self.parts(changed.der)[2] == Self.parts(good.der)[2])
        }
        #expect(readable > 100)
    }
}
