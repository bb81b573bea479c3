import Foundation
import KeyKit
import SodiumKit
import TestSupport
import Testing

/// Archives that `openssl pkcs12` makes.
@Suite(.enabled(if: OpenSSLCommand.isThere, "skipped: needs the Debian package openssl"))
struct PKCS12Tests {
    private let openssl: OpenSSLCommand

    init() throws { openssl = try OpenSSLCommand() }

    /// Makes an archive with a key and its certificate.
    private func archive(
        _ options: [String] = [], of type: KeyType = .ec(.p256), passphrase: String = "word"
    ) throws -> [UInt8] {
        try openssl.write(SampleKeys.shared.key(type))
        let request = ["req", "-x509", "-new", "-key", "private.pem", "-subj", "/CN=Name", "-out", "certificate.pem"]
        try #require(try openssl.run(request).status == 0)
        let export = [
            "pkcs12", "-export", "-inkey", "private.pem", "-in", "certificate.pem", "-name", "größe", "-passout",
            "pass:\(passphrase)", "-out", "archive",
        ]
        let run = try openssl.run(export + options)
        try #require(run.status == 0, "\(run.errors)")
        return try openssl.read("archive")
    }

    private func open(_ bytes: [UInt8], _ passphrase: String = "word") throws(KeyError) -> PKCS12 {
        let secret: SecureBytes
        do throws(SodiumError) { secret = try SecureBytes(passphrase) } catch { throw .memory(error) }
        return try PKCS12.open(bytes.span.bytes, passphrase: secret)
    }

    /// The ciphers of today, those of old macOS (RC2 with 40 bits), Triple DES, none for certificates, and few rounds.
    static let options = [
        [], ["-legacy"], ["-legacy", "-descert"], ["-certpbe", "NONE"], ["-keypbe", "NONE"], ["-iter", "1"],
        ["-nomaciter"],
        ["-macalg", "sha512"], ["-keypbe", "AES-128-CBC", "-certpbe", "AES-192-CBC"],
    ]

    @Test(arguments: options) func theKeyAndTheCertificateComeOut(options: [String]) throws {
        for type in [KeyType.ec(.p256), .ec(.p521), .rsa(bits: 2048)] {
            let opened = try open(archive(options, of: type))
            try #require(opened.keys.count == 1 && opened.certificates.count == 1)
            let key = try SampleKeys.shared.key(type)
            #expect(opened.keys[0].key.array() == key.array())
            #expect(opened.keys[0].friendlyName == "größe")
            #expect(try opened.certificates[0].publicKey == key.publicKey)
            #expect(opened.certificates[0].commonName == "Name")
            // The command identifies both by the digest of the certificate.
            let der = opened.certificates[0].der
            let digest = try HashAlgorithm.sha1.digest(of: der.span.bytes)
            #expect(opened.keys[0].localIdentifier == digest)
            #expect(try opened.certificate(for: opened.keys[0]) == opened.certificates[0])
        }
    }

    @Test func thePassphraseMatters() throws {
        for right in ["word", "", "größe", String(repeating: "long ", count: 40)] {
            let bytes = try archive(["-iter", "2"], passphrase: right)
            #expect(try open(bytes, right).keys.count == 1)
            for wrong in ["word ", "Word", "w", right + "x"] {
                #expect(throws: KeyError.wrongPassphrase) { try open(bytes, wrong) }
            }
            if !right.isEmpty { #expect(throws: KeyError.wrongPassphrase) { try open(bytes, "") } }
        }
    }

    @Test func partsCanBeMissing() throws {
        let certificates = try open(archive(["-nokeys"]))
        #expect(certificates.keys.isEmpty && certificates.certificates.count == 1)
        let keys = try open(archive(["-nocerts"]))
        #expect(keys.keys.count == 1 && keys.certificates.isEmpty)
        #expect(try keys.certificate(for: keys.keys[0]) == nil)
    }

    /// Each part alone is below the limit. OpenSSL must not begin to stretch the one that exceeds it.
    @Test func tooManyRoundsAreRefused() throws {
        #expect(throws: KeyError.tooManyIterations(limit: PKCS12.mostIterations)) {
            try open(archive(["-iter", "900000"]))
        }
        // The rounds of the code that protects the archive are its last number.
        var bytes = try archive(["-iter", "300000"])
        let place = bytes.count - 3
        #expect(Array(bytes[place...]) == [0x04, 0x93, 0xE0])
        bytes[place] = 0x7F
        #expect(throws: KeyError.tooManyIterations(limit: PKCS12.mostIterations)) { try open(bytes) }
        bytes[place] = 0x80  // a negative number
        #expect(throws: KeyError.tooManyIterations(limit: PKCS12.mostIterations)) { try open(bytes) }
    }

    /// openssl makes no archive with scrypt, and that of Debian 12 none with a code of RFC 9579. These were put together
    /// from their parts, with the passphrase "word".
    private static let scrypt = """
        MIIBXgIBAzCCASgGCSqGSIb3DQEHAaCCARkEggEVMIIBETCCAQ0GCSqGSIb3DQEHAaCB/wSB/DCB+TCB9gYLKoZIhvcNAQwK\
        AQKggeYwgeMwTgYJKoZIhvcNAQUNMEEwIAYJKwYBBAHaRwQLMBMECDcHZaD6I0DVAgEQAgEBAgEBMB0GCWCGSAFlAwQBKgQQ\
        Pe5a2/rJS1sWZ+1CFP7UIQSBkMllYZWzLUHaM4rTZM5ytsiJEyKFbi71WfuHeLBOXbutbC2uR+xZmcp+aqaI17sg1pOOramF\
        bM9/CtXg4qvsx66IGDf3r9c2mUkOfYbo9ndHAzL5SnBRMEc2T9fvNfjkG6P1A2TSCv+t4PR2AKPJFJ8qBYYxTWqn/V3rxDHd\
        BLlvONUXHT+a7mRkt96e1Ms6JjAtMCEwCQYFKw4DAhoFAAQUyGzpIyP+pB0TI+KB1fuJyW0qD90ECDEyMzQ1Njc4
        """
    /// scrypt with N = 32768, r = 1 and p = 200000, which would take half an hour.
    private static let longScrypt = """
        MIHqAgEDMIG1BgkqhkiG9w0BBwGggacEgaQwgaEwgZ4GCSqGSIb3DQEHAaCBkASBjTCBijCBhwYLKoZIhvcNAQwKAQKgeDB2\
        MFIGCSqGSIb3DQEFDTBFMCQGCSsGAQQB2kcECzAXBAhzYWx0c2FsdAIDAIAAAgEBAgMDDUAwHQYJYIZIAWUDBAEqBBAAAAAA\
        AAAAAAAAAAAAAAAABCAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAADAtMCEwCQYFKw4DAhoFAAQUICloyUzfjuju\
        s3VZm2hvszo7ChkECDEyMzQ1Njc4
        """
    /// A code of RFC 9579 with 2147483647 rounds of PBKDF2.
    private static let longCode = """
        MIGTAgEDMBEGCSqGSIb3DQEHAaAEBAIwADB7MG8wSwYJKoZIhvcNAQUOMD4wLgYJKoZIhvcNAQUMMCEECHNhbHRzYWx0AgR/\
        ////AgEgMAwGCCqGSIb3DQIJBQAwDAYIKoZIhvcNAgkFAAQgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAECHNh\
        bHRzYWx0
        """

    @Test func aFunctionWithSeveralNumbersCostsTheirProduct() throws {
        #expect(try open(Array(#require(Data(base64Encoded: Self.scrypt)))).keys.count == 1)
        for bomb in [Self.longScrypt, Self.longCode] {
            let bytes = try Array(#require(Data(base64Encoded: bomb)))
            #expect(throws: KeyError.tooManyIterations(limit: PKCS12.mostIterations)) { try open(bytes) }
        }
    }

    @Test func anArchiveWithoutACodeIsRefused() throws {
        #expect(throws: KeyError.malformed(.pkcs12)) { try open(archive(["-nomac"])) }
    }

    @Test func whatIsNoArchiveIsRefused() throws {
        let bytes = try archive(["-iter", "1", "-nomaciter"])
        for count in stride(from: 0, to: bytes.count, by: 3) {
            #expect(throws: KeyError.malformed(.pkcs12)) { try open(Array(bytes.prefix(count))) }
        }
        #expect(throws: KeyError.malformed(.pkcs12)) { try open(bytes + [0]) }
        #expect(throws: KeyError.inputTooLong(limit: PKCS12.largest)) { try open(counting(PKCS12.largest + 1)) }
    }

    /// A fixed sequence of random damage.
    @Test(arguments: 0..<4) func damageIsAnErrorAndNeverACrash(part: Int) throws {
        var random = SeededGenerator(seed: UInt64(part))
        let seed = try archive(
            ["-iter", "1", "-nomaciter"] + (part % 2 == 0 ? [] : ["-keypbe", "NONE", "-certpbe", "NONE"]))
        for round in 0..<2000 {
            var file = seed
            for _ in 0...Int.random(in: 0..<3, using: &random) {
                let place = Int.random(in: 0..<file.count, using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0: file[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 1: file[place] = random.pick([0, 1, 2, 0x7F, 0x80, 0x81, 0x84, 0xFF, 0x30, 0x31, 0x24, 0xA0])
                case 2: file.remove(at: place)
                case 3: file.insert(UInt8.random(in: .min ... .max, using: &random), at: place)
                default: file.removeSubrange(place..<min(file.count, place + 30))
                }
            }
            do throws(KeyError) { _ = try open(file).keys.count } catch {
                #expect(error != .unavailable, "round \(round)")
            }
        }
    }
}
