import Foundation
import KeyKit
import TestSupport
import Testing

/// Chains that `openssl` makes, evaluated at the first second of 2025.
@Suite(.enabled(if: CertificateMaker.isThere, "skipped: needs the Debian package openssl"))
struct TrustTests {
    private static let time: Int64 = 1_735_689_600
    private let maker: CertificateMaker
    private let root: Certificate
    private let authority: Certificate

    private static let server = ["extendedKeyUsage = serverAuth", "subjectAltName = DNS:example.com"]

    init() throws {
        maker = try CertificateMaker()
        root = try Certificate(
            der: Array(maker.make("root", days: ("20200101", "20400101"), CertificateMaker.authority)).span.bytes)
        authority = try Certificate(
            der: Array(
                maker.make("authority", by: "root", days: ("20200101", "20400101"), CertificateMaker.authority)
            ).span.bytes)
    }

    private func make(
        _ name: String, by issuer: String? = "authority", subject: String? = nil,
        key: CertificateMaker.Key = .ec("P-256"), days: (String, String) = ("20240101", "20260101"),
        hash: String = "sha256", _ extensions: [String] = Self.server
    ) throws -> Certificate {
        let der = try maker.make(
            name, by: issuer, subject: subject, key: key, days: days, hash: hash, extensions)
        return try Certificate(der: Array(der).span.bytes)
    }

    private func evaluate(
        _ leaf: Certificate, _ usages: CertificateUsage..., with intermediates: [Certificate]? = nil,
        anchors: [Certificate]? = nil, at time: Int64 = Self.time
    ) throws -> TrustResult {
        var evaluation = TrustEvaluation(of: leaf, at: time)
        evaluation.intermediates = intermediates ?? [authority]
        evaluation.anchors = anchors ?? [root]
        evaluation.usages = usages
        return try evaluation.result()
    }

    /// Returns the failures in words.
    private func failures(_ result: TrustResult) -> [String] { result.failures.map { "\($0.reason) \($0.place)" } }

    @Test func aChainToAnAnchorIsTrusted() throws {
        let leaf = try make("leaf")
        let result = try evaluate(leaf, .server(host: "example.com"))
        #expect(failures(result) == [])
        #expect(result.chain == [leaf, authority, root])
        // The order of the others does not matter, and neither do certificates of no use.
        let other = try make("other", by: nil)
        let again = try evaluate(leaf, with: [other, root, authority, leaf])
        #expect(again.isTrusted && again.chain == [leaf, authority, root])
    }

    @Test func withoutAnAnchorNothingIsTrusted() throws {
        let leaf = try make("leaf")
        #expect(try failures(evaluate(leaf, anchors: [])) == ["issuerMissing 1"])
        #expect(try failures(evaluate(leaf, with: [authority, root], anchors: [])) == ["rootNotTrusted 2"])
        #expect(try failures(evaluate(root, anchors: [])) == ["rootNotTrusted 0"])
        #expect(try failures(evaluate(leaf, with: [])) == ["issuerMissing 0"])
        let other = try make("other", by: nil, CertificateMaker.authority)
        #expect(try failures(evaluate(leaf, anchors: [other])) == ["issuerMissing 1"])
    }

    @Test func anyCertificateCanBeAnAnchor() throws {
        let leaf = try make("leaf")
        let result = try evaluate(leaf, with: [], anchors: [authority])
        #expect(result.isTrusted && result.chain == [leaf, authority])
        #expect(try evaluate(leaf, with: [], anchors: [leaf]).isTrusted)
        #expect(try evaluate(root).isTrusted)
        let alone = try make("alone", by: nil)
        #expect(try evaluate(alone, .server(host: "example.com"), with: [], anchors: [alone]).isTrusted)
    }

    /// The names and identifiers fit, and the signature does not.
    @Test func aSignatureOfAnotherKeyEndsTheChain() throws {
        let impostor = try make("impostor", by: nil, subject: "/CN=authority", CertificateMaker.authority)
        let leaf = try make("leaf", by: "impostor")
        let result = try evaluate(leaf)
        #expect(failures(result) == ["issuerMissing 0"])
        #expect(result.chain == [leaf])
        #expect(try failures(evaluate(leaf, with: [impostor])) == ["rootNotTrusted 1"])
        var changed = try make("leaf").der
        changed[changed.count - 1] ^= 1
        if let broken = try? Certificate(der: changed.span.bytes) {
            #expect(try failures(evaluate(broken)) == ["issuerMissing 0"])
        }
    }

    @Test func everyCertificateHasItsTime() throws {
        let old = try make("old", days: ("20220101", "20240101"))
        #expect(try failures(evaluate(old)) == ["expired 0"])
        let new = try make("new", days: ("20250102", "20260101"))
        #expect(try failures(evaluate(new)) == ["notValidYet 0"])
        let authority = try make(
            "once", by: "root", days: ("20200101", "20210101"), CertificateMaker.authority)
        let leaf = try make("leaf", by: "once")
        #expect(try failures(evaluate(leaf, with: [authority])) == ["expired 1"])
        let edge = try make("edge", days: ("20250101", "20250101"))
        #expect(try evaluate(edge).isTrusted)
        #expect(try failures(evaluate(edge, at: Self.time - 1)) == ["notValidYet 0"])
        #expect(try failures(evaluate(edge, at: Self.time + 1)) == ["expired 0"])
        #expect(try failures(evaluate(make("leaf"), at: 4_000_000_000)) == ["expired 0", "expired 1", "expired 2"])
        #expect(try failures(evaluate(edge, at: .min)).contains("notValidYet 0"))
        #expect(try failures(evaluate(edge, at: .max)).contains("expired 0"))
    }

    static let hosts: [(names: String, host: String, fits: Bool)] = [
        ("DNS:example.com", "example.com", true), ("DNS:example.com", "EXAMPLE.com", true),
        ("DNS:example.com", "example.com.", true), ("DNS:example.com", "www.example.com", false),
        ("DNS:example.com", ".com", false), ("DNS:www.example.com", ".example.com", false),
        ("DNS:example.com", "", false), ("DNS:example.com", ".", false), ("DNS:example.com", "example.com\0", false),
        ("DNS:*.example.com", "www.example.com", true), ("DNS:*.example.com", "example.com", false),
        ("DNS:*.example.com", "a.b.example.com", false), ("DNS:w*.example.com", "www.example.com", false),
        ("DNS:*.com", "example.com", false), ("DNS:www.*.com", "www.example.com", false), ("DNS:*", "com", false),
        ("DNS:other.com, DNS:example.com", "example.com", true), ("IP:192.0.2.1", "192.0.2.1", true),
        ("IP:192.0.2.1", "192.0.2.2", false), ("IP:2001:db8::1", "2001:0db8:0:0:0:0:0:1", true),
        ("IP:2001:db8::1", "2001:db8::2", false), ("IP:2001:db8::1", "[2001:db8::1]", true),
        ("IP:2001:db8::1", "[2001:db8::2]", false), ("IP:192.0.2.1", "[192.0.2.1]", false),
        ("IP:2001:db8::1", "[2001:db8::1", false), ("DNS:[2001:db8::1]", "[2001:db8::2]", false),
        ("email:a@example.com", "example.com", false),
        ("URI:https://example.com", "example.com", false),
    ]

    @Test func aServerHasItsHosts() throws {
        for (names, host, fits) in Self.hosts {
            let leaf = try make("leaf", ["extendedKeyUsage = serverAuth", "subjectAltName = \(names)"])
            let expected = fits ? [] : ["otherHost 0"]
            #expect(try failures(evaluate(leaf, .server(host: host))) == expected, "\(names) \(host)")
            #expect(try evaluate(leaf, .server(host: nil)).isTrusted)
        }
        // The subject is no host, even if it looks like one.
        let leaf = try make("leaf", subject: "/CN=example.com", ["extendedKeyUsage = serverAuth"])
        #expect(try failures(evaluate(leaf, .server(host: "example.com"))) == ["otherHost 0"])
    }

    @Test func aPurposeThatIsNamedHasToFit() throws {
        func result(_ purposes: String?, _ usage: CertificateUsage, from day: String = "20240101") throws -> [String] {
            let names = ["subjectAltName = DNS:example.com"]
            let leaf = try make(
                "leaf", days: (day, "20260101"), names + (purposes.map { ["extendedKeyUsage = \($0)"] } ?? []))
            return try failures(evaluate(leaf, usage))
        }
        #expect(try result("serverAuth", .server(host: nil)) == [])
        #expect(try result("clientAuth", .server(host: nil)) == ["otherPurpose 0"])
        #expect(try result("clientAuth", .client(host: nil)) == [])
        #expect(try result("serverAuth", .client(host: nil)) == ["otherPurpose 0"])
        #expect(try result("anyExtendedKeyUsage", .client(host: nil)) == [])
        #expect(try result(nil, .client(host: nil)) == [])
        // Since July 2019 a server has to name its purpose.
        #expect(try result(nil, .server(host: nil)) == ["otherPurpose 0"])
        #expect(try result("anyExtendedKeyUsage", .server(host: nil)) == ["otherPurpose 0"])
        let old = try make("old", days: ("20190101", "20251231"), ["subjectAltName = DNS:example.com"])
        #expect(try evaluate(old, .server(host: "example.com")).isTrusted)
        // An authority that names purposes, too.
        let mail = try make(
            "mail", by: "root", days: ("20200101", "20400101"),
            CertificateMaker.authority + ["extendedKeyUsage = emailProtection"])
        let leaf = try make("leaf", by: "mail")
        #expect(try failures(evaluate(leaf, .server(host: nil), with: [mail])) == ["otherPurpose 1"])
        #expect(try evaluate(leaf, with: [mail]).isTrusted)
    }

    @Test func aServerIsNotValidForTooLong() throws {
        let long = try make("long", days: ("20240101", "20260406"))
        #expect(try failures(evaluate(long, .server(host: nil))) == ["validForTooLong 0"])
        #expect(try evaluate(long).isTrusted)
        #expect(try evaluate(make("fair", days: ("20240101", "20260405")), .server(host: nil)).isTrusted)
    }

    @Test func onlyAnAuthoritySignsCertificates() throws {
        let kinds: [(extensions: [String], failure: String)] = [
            (["basicConstraints = CA:FALSE"], "notAuthority"),
            (["subjectKeyIdentifier = hash"], "noBasicConstraints"),
            (["basicConstraints = critical, CA:TRUE", "keyUsage = digitalSignature"], "keyMayNotSignCertificates"),
        ]
        for (extensions, failure) in kinds {
            let between = try make("between", by: "root", days: ("20200101", "20400101"), extensions)
            let leaf = try make("leaf", by: "between")
            #expect(try failures(evaluate(leaf, with: [between])) == ["\(failure) 1"], "\(extensions)")
        }
    }

    @Test func anAuthorityLimitsPathsAndNames() throws {
        let narrow = try make(
            "narrow", by: nil, days: ("20200101", "20400101"),
            [
                "basicConstraints = critical, CA:TRUE, pathlen:0",
                "nameConstraints = critical, permitted;DNS:example.com",
            ])
        let between = try make("between", by: "narrow", days: ("20200101", "20400101"), CertificateMaker.authority)
        let far = try make("far", by: "between")
        #expect(try failures(evaluate(far, with: [between], anchors: [narrow])) == ["pathTooLong 2"])
        let near = try make("near", by: "narrow")
        #expect(try evaluate(near, with: [], anchors: [narrow]).isTrusted)
        let other = try make("other", by: "narrow", ["subjectAltName = DNS:example.org"])
        #expect(try failures(evaluate(other, with: [], anchors: [narrow])) == ["nameNotPermitted 0"])
    }

    @Test func anAuthorityCanDemandAPolicy() throws {
        let strict = try make(
            "strict", by: "root", days: ("20200101", "20400101"),
            CertificateMaker.authority + ["certificatePolicies = 1.2.3", "policyConstraints = requireExplicitPolicy:0"])
        let with = try make("with", by: "strict", Self.server + ["certificatePolicies = 1.2.3"])
        #expect(try evaluate(with, with: [strict]).isTrusted)
        for policies in [[], ["certificatePolicies = 1.2.4"]] {
            let without = try make("without", by: "strict", Self.server + policies)
            #expect(try failures(evaluate(without, with: [strict])) == ["policyMissing 0"])
        }
    }

    /// NIST's certificates, `PKITS`, as they are in Apple's tests: `PKITS=folder swift test --filter PKITS`. There a
    /// certificate is trusted unless its name begins with "Invalid". The plist names those that Apple's system gets wrong.
    @Test(
        .enabled(
            if: ProcessInfo.processInfo.environment["PKITS"] != nil, "skipped: needs NIST's certificates in $PKITS"))
    func certificatesOfPKITS() throws {
        let folder = URL(filePath: try #require(ProcessInfo.processInfo.environment["PKITS"]))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        func read(_ name: String) throws -> Certificate {
            try Certificate(der: Array(Data(contentsOf: folder.appending(path: name))).span.bytes)
        }
        let roots = try names.filter { $0.hasSuffix("RootCertificate.crt") }.map(read)
        let authorities = names.filter { $0.hasSuffix("Cert.crt") }.compactMap { try? read($0) }
        let known = try String(contentsOf: folder.appending(path: "Expectations.plist"), encoding: .utf8)
        var (agreeing, others) = (0, [String]())
        for name in names where name.hasSuffix("EE.crt") && !known.contains(name) {
            let leaf = try? read(name)
            let result = try leaf.map { try evaluate($0, with: authorities, anchors: roots, at: 1_314_835_200) }
            if result?.isTrusted ?? false != name.hasPrefix("Invalid") {
                agreeing += 1
            } else {
                others.append("\(name): \(result.map(failures) ?? ["unreadable"])")
            }
        }
        #expect(others == [])
        #expect(agreeing > 150)
    }

    @Test func anUnknownCriticalExtensionIsAFailure() throws {
        let leaf = try make("leaf", Self.server + ["1.2.3.4 = critical, DER:0500"])
        #expect(try failures(evaluate(leaf)) == ["unknownCriticalExtension 0"])
        #expect(try evaluate(make("leaf", Self.server + ["1.2.3.4 = DER:0500"])).isTrusted)
    }

    @Test func aCertificateHasANameSomewhere() throws {
        let names = ["extendedKeyUsage = serverAuth", "subjectAltName = DNS:example.com"]
        #expect(try failures(evaluate(make("leaf", subject: "/", names))) == ["emptySubject 0"])
        let critical = ["extendedKeyUsage = serverAuth", "subjectAltName = critical, DNS:example.com"]
        #expect(try evaluate(make("leaf", subject: "/", critical)).isTrusted)
    }

    @Test func weakKeysAndHashesAreFailures() throws {
        let short = try make("short", key: .rsa(1024))
        #expect(try evaluate(short).isTrusted)
        #expect(try failures(evaluate(short, .server(host: nil))) == ["weakKey 0"])
        let shorter = try make("shorter", key: .rsa(768))
        #expect(try failures(evaluate(shorter)) == ["brokenKey 0"])
        let modern = try make("modern", key: .ed25519)
        #expect(try evaluate(modern).isTrusted)
        #expect(try failures(evaluate(modern, .server(host: nil))) == ["weakKey 0"])
        let sha1 = try make("sha1", hash: "sha1")
        #expect(try evaluate(sha1).isTrusted)
        #expect(try failures(evaluate(sha1, .server(host: nil))) == ["weakHash 0"])
        let old = try make(
            "old", by: "root", key: .rsa(2048), days: ("20200101", "20400101"), CertificateMaker.authority)
        let md5 = try make("md5", by: "old", hash: "md5")
        #expect(try failures(evaluate(md5, with: [old])) == ["brokenHash 0"])
        // The signature of a self-signed certificate proves nothing anyway.
        let alone = try make("alone", by: nil, key: .rsa(2048), hash: "md5")
        #expect(try evaluate(alone, anchors: [alone]).isTrusted)
    }

    @Test func allFailuresAreFoundTheMostImportantFirst() throws {
        let leaf = try make("leaf", key: .rsa(1024), days: ("20220101", "20240101"), hash: "sha1")
        let result = try evaluate(
            leaf, .server(host: "example.org"), .client(host: nil), with: [authority, root], anchors: [])
        #expect(
            failures(result) == [
                "weakKey 0", "weakHash 0", "rootNotTrusted 2", "otherPurpose 0", "otherHost 0", "expired 0",
            ])
        #expect(result.failures[0].description == "certificate 0 has a key that is too short for a server")
    }

    @Test func aCircleOfCertificatesEnds() throws {
        let one = try make("one", by: nil, subject: "/CN=one", CertificateMaker.authority)
        _ = try make("two", by: "one", subject: "/CN=two", CertificateMaker.authority)
        let back = try make("one", by: "two", subject: "/CN=one", CertificateMaker.authority)
        let two = try make("two", by: "one", subject: "/CN=two", CertificateMaker.authority)
        // The issuer of the second has the name of the first, so no path goes on there, not even to the root.
        for others in [[two, back, one], [two, back]] {
            let result = try evaluate(back, with: others, anchors: [])
            #expect(result.chain == [back, two] && !result.isTrusted)
            #expect(failures(result).contains { $0.hasPrefix("issuerMissing") })
        }
    }

    /// Certificates with random damage are no crash, and never trusted unless they are what they were.
    @Test func damageIsNeverTrusted() throws {
        var random = SeededGenerator(seed: 7)
        let leaf = try make("leaf")
        var readable = 0
        for _ in 0..<600 {
            var bytes = leaf.der
            bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            guard let changed = try? Certificate(der: bytes.span.bytes) else { continue }
            readable += 1
            #expect(try !evaluate(changed).isTrusted)
            // As another certificate of the chain or as an anchor, it changes nothing or is an error.
            if let result = try? evaluate(leaf, with: [changed, authority], anchors: [changed, root]) {
                #expect(result.isTrusted)
            }
        }
        #expect(readable > 100)
    }
}
