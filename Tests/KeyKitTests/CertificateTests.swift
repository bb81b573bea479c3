import Foundation
import KeyKit
import SodiumKit
import TestSupport
import Testing

/// Certificates that `openssl` makes, read by KeyKit and by `openssl`.
@Suite(.enabled(if: OpenSSLCommand.isThere, "skipped: needs the Debian package openssl"))
struct CertificateTests {
    private let openssl: OpenSSLCommand

    init() throws { openssl = try OpenSSLCommand() }

    /// Makes a certificate for a key, signed with that key. `names` is the section of the subject in OpenSSL's
    /// configuration file.
    private func certificate(
        _ names: String, _ options: [String] = [], of type: KeyType = .ec(.p256), extensions: String = ""
    ) throws -> [UInt8] {
        try openssl.write(SampleKeys.shared.key(type))
        let configuration = """
            [req]
            distinguished_name = names
            prompt = no
            string_mask = default
            x509_extensions = extensions
            [names]
            \(names)
            [extensions]
            subjectKeyIdentifier = hash
            \(extensions)
            """
        try openssl.write(Array(configuration.utf8), "configuration")
        let words = [
            "req", "-x509", "-new", "-key", "private.pem", "-config", "configuration", "-outform", "DER", "-out",
            "made",
        ]
        let run = try openssl.run(words + options)
        try #require(run.status == 0, "\(run.errors)")
        return try openssl.read("made")
    }

    private func read(_ bytes: [UInt8]) throws(KeyError) -> Certificate { try Certificate(der: bytes.span.bytes) }

    /// Returns what the command prints about the certificate that was made last.
    private func shown(_ options: String...) throws -> String {
        try openssl.run(["x509", "-inform", "DER", "-in", "made", "-noout"] + options).output
    }

    @Test(arguments: [KeyType.ec(.p256), .ec(.p384), .ec(.p521), .rsa(bits: 2048), .rsa(bits: 4096)])
    func itSaysWhatTheCommandSays(type: KeyType) throws {
        let bytes = try certificate(
            "O = Example\nCN = Some Name\nemailAddress = one@example.com",
            ["-days", "30", "-set_serial", "0x8001"],
            of: type,
            extensions: "subjectAltName = email:two@example.com, DNS:example.com")
        let read = try read(bytes)
        #expect(read.der == bytes)
        #expect(read.version == 3)
        #expect(read.serialNumber == [0, 0x80, 1])
        #expect(read.commonName == "Some Name")
        #expect(read.summary == "Some Name")
        #expect(read.emailAddresses == ["two@example.com", "one@example.com"])
        #expect(read.issuer == read.subject)
        let key = try SampleKeys.shared.key(type).publicKey
        #expect(try read.publicKey == key)
        #expect(read.subjectPublicKeyInfo == key.subjectPublicKeyInfo)
        // OpenSSL hashes the same bytes as Apple for the identifier of a key.
        #expect(try read.subjectKeyIdentifier == key.fingerprint)
        #expect(try read.publicKeyFingerprint == key.fingerprint)

        let shown = try shown("-serial", "-dates")
        #expect(shown.contains("serial=8001"))
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = .gmt
        format.dateFormat = "MMM d HH:mm:ss yyyy 'GMT'"
        for (label, seconds) in [("notBefore=", read.notBefore), ("notAfter=", read.notAfter)] {
            let line = try #require(shown.split(separator: "\n").first { $0.hasPrefix(label) })
            let text = String(line.dropFirst(label.count)).replacing("  ", with: " ")
            #expect(format.date(from: text) == Date(timeIntervalSince1970: TimeInterval(seconds)))
        }
        #expect(read.notAfter - read.notBefore == 30 * 24 * 3600)
    }

    /// A date after 2049 is in another form.
    @Test func datesOfTheNextCenturyAreRead() throws {
        let read = try read(certificate("CN = Name", ["-days", "36500"]))
        #expect(read.notAfter - read.notBefore == 36500 * 24 * 3600)
    }

    @Test func aPrintableNameIsNormalizedAndOthersAreNot() throws {
        let printable = try read(certificate("CN = \"  Some   Mixed name \"\nO = A"))
        // One set with the common name and one with the organization, both PrintableStrings.
        let expected =
            bytes(hex: "3118 3016 0603550403 130f") + Array("SOME MIXED NAME".utf8)
            + bytes(hex: "310a 3008 060355040a 1301 41")
        #expect(hex(printable.subject.normalizedContent) == hex(expected))
        #expect(printable.commonName == "  Some   Mixed name ")
        #expect(
            Array(printable.subject.der.suffix(printable.subject.der.count - 2)) != printable.subject.normalizedContent)

        let unicode = try read(certificate("CN = Größe", ["-utf8"]))
        #expect(Array(unicode.subject.der.dropFirst(2)) == unicode.subject.normalizedContent)
        #expect(unicode.commonName == "Größe")
    }

    /// Lengths that need another byte before than after.
    @Test func aLongNameKeepsItsLengthsRight() throws {
        let blanks = String(repeating: " ", count: 58)
        let read = try read(certificate("CN = \"ab\(blanks)cd\"\nO = \"ab\(blanks)cd\"\nOU = x"))
        #expect(read.subject.normalizedContent.count == 2 * (2 + 2 + 5 + 2 + 5) + 2 + 2 + 5 + 2 + 1)
    }

    @Test func theSummaryTakesTheMostTellingTexts() throws {
        let cases = [
            ("CN = one\nO = organization\nOU = unit", "one"),
            ("0.CN = one\n1.CN = two\nO = organization", "two, one"),
            ("0.OU = first\n1.OU = second\nO = organization", "second, first"),
            ("O = organization\nL = city\nC = DE", "organization"),
            ("C = DE\nL = city", "city, DE"),
            ("emailAddress = one@example.com", "one@example.com"),
            ("O = organization\nemailAddress = one@example.com", "one@example.com"),
            ("CN = one\ndescription = first", "one (first)"),
            ("O = organization\ndescription = first", "organization"),
            ("description = first\nL = city", "city, first"),
        ]
        for (names, summary) in cases { #expect(try read(certificate(names)).summary == summary) }
        let host = try read(certificate("O = organization", extensions: "subjectAltName = DNS:example.com"))
        #expect(host.summary == "example.com" && host.hostNames == ["example.com"])
    }

    @Test func aNameCanBeReadAlone() throws {
        let name = try read(certificate("CN = \"some  name\"")).subject
        let again = try DistinguishedName(der: name.der.span.bytes)
        #expect(again == name && again.normalizedContent == name.normalizedContent)
        #expect(again.normalized == [0x30, UInt8(again.normalizedContent.count)] + again.normalizedContent)
        let more = name.der + [0]
        #expect(throws: KeyError.malformed(.certificate)) { try DistinguishedName(der: more.span.bytes) }
        #expect(throws: KeyError.malformed(.certificate)) {
            try DistinguishedName(der: name.normalizedContent.span.bytes)
        }
    }

    @Test func bytesBehindACertificateCanBeIgnored() throws {
        let bytes = try certificate("CN = Name")
        let (more, fewer) = (bytes + [1, 2, 3], Array(bytes.dropLast()))
        #expect(try Certificate(beginning: more.span.bytes).der == bytes)
        #expect(throws: KeyError.malformed(.certificate)) { try Certificate(beginning: fewer.span.bytes) }
    }

    @Test func aKeyOfAnotherTypeIsAnErrorAndTheRestIsRead() throws {
        let made = try openssl.run(["genpkey", "-algorithm", "ed448", "-out", "other.pem"])
        try #require(made.status == 0)
        let run = try openssl.run([
            "req", "-x509", "-new", "-key", "other.pem", "-subj", "/CN=other", "-outform", "DER", "-out", "made",
        ])
        try #require(run.status == 0)
        let read = try read(openssl.read("made"))
        #expect(read.commonName == "other")
        #expect(throws: KeyError.unsupportedType) { try read.publicKey }
    }

    @Test func whatIsNoCertificateIsRefused() throws {
        let bytes = try certificate("CN = Name", extensions: "subjectAltName = email:two@example.com")
        for count in 0..<bytes.count {
            #expect(throws: KeyError.malformed(.certificate)) { try read(Array(bytes.prefix(count))) }
        }
        #expect(throws: KeyError.malformed(.certificate)) { try read(bytes + [0]) }
        #expect(throws: KeyError.malformed(.certificate)) { try read([0] + bytes) }
        #expect(throws: KeyError.inputTooLong(limit: Certificate.largest)) {
            try read(counting(Certificate.largest + 1))
        }
        let key = try SampleKeys.shared.key(.ec(.p256)).publicKey.subjectPublicKeyInfo
        #expect(throws: KeyError.malformed(.certificate)) { try read(key) }
    }

    /// A fixed sequence of random damage. Much of it leaves a readable certificate, because no signature is checked.
    @Test(arguments: 0..<4) func damageIsAnErrorAndNeverACrash(part: Int) throws {
        var random = SeededGenerator(seed: UInt64(part))
        let seed = try certificate(
            "CN = Name\nO = Organization\nemailAddress = one@example.com",
            extensions: "subjectAltName = email:two@example.com, IP:127.0.0.1, dirName:names")
        var readable = 0
        for _ in 0..<3000 {
            var file = seed
            for _ in 0...Int.random(in: 0..<3, using: &random) {
                let place = Int.random(in: 0..<file.count, using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0: file[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 1:
                    file[place] = random.pick([0, 1, 2, 0x7F, 0x80, 0x81, 0x84, 0xFF, 0x30, 0x31, 0x1E, 0x1C, 0x0C])
                case 2: file.remove(at: place)
                case 3: file.insert(UInt8.random(in: .min ... .max, using: &random), at: place)
                default: file.removeSubrange(place..<min(file.count, place + 30))
                }
            }
            do throws(KeyError) {
                let read = try read(file)
                _ = (read.summary, read.commonName)
                _ = try? read.publicKey
                readable += 1
            } catch { #expect(error == .malformed(.certificate)) }
        }
        #expect(readable > 100)
    }
}
