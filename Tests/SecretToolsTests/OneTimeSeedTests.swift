import SecretTools
import SodiumKit
import Testing

/// Seeds of one-time codes, as people and services write them.
@Suite struct OneTimeSeedTests {
    private func seed(_ text: String) throws -> OneTimeSeed {
        try secret(text).withBytes { (bytes) throws(OneTimeCodeError) in try OneTimeSeed(bytes) }
    }

    private func error(_ text: String) throws -> OneTimeCodeError? {
        let text = try secret(text)
        do throws(OneTimeCodeError) {
            _ = try text.withBytes { (bytes) throws(OneTimeCodeError) in try OneTimeSeed(bytes) }
            return nil
        } catch { return error }
    }

    /// Every spelling of one seed gives the same key.
    @Test(arguments: [
        "otpauth://totp/Example:alice@example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Example",
        "otpauth://TOTP/?SECRET=gezdgnbvgy3tqojqgezdgnbvgy3tqojq",
        "otpauth://totp/a?secret=GEZD%20GNBV%20GY3T%20QOJQ%20GEZD%20GNBV%20GY3T%20QOJQ&period=30",
        "otpauth://totp/a?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ%3D%3d&algorithm=sha-1&digits=6#anchor",
        "otpauth://totp?algorithm=HmacSHA1&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&image=a%26b",
        "password\nuser: me\r\n  otpauth://totp/a?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ \r\nurl: x\n",
        "otpauth://totp/a?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&counter=77",
        "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", "gezd gnbv gy3t qojq gezd gnbv gy3t qojq\n",
        "GEZD-GNBV-GY3T-QOJQ-GEZD-GNBV-GY3T-QOJQ",
    ])
    func manySpellingsAreUnderstood(_ text: String) throws {
        let seed = try seed(text)
        let (kind, algorithm, digits) = (seed.kind, seed.algorithm, seed.digits)
        #expect(kind == .time(period: 30) && algorithm == .sha1 && digits == 6)
        let key = seed.key.shown()
        #expect(key == "12345678901234567890")
    }

    @Test func digitsAndPeriodsAreThoseOfTheURI() throws {
        let uri = "otpauth://totp/a?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
        for digits in 6...10 {
            let written = try seed("\(uri)&digits=\(digits)").digits
            #expect(written == digits)
        }
        let slow = try seed("\(uri)&period=60")
        let (kind, late, early) = (slow.kind, slow.period(at: 119), slow.period(at: -5))
        #expect(kind == .time(period: 60))
        #expect(late?.number == 1 && late?.left == 1)
        #expect(early?.number == 0 && early?.left == 60, "a clock before 1970 gives no other code")
    }

    @Test func whatGivesNoCodeIsNamed() throws {
        let uri = "otpauth://totp/a?secret=GEZDGNBVGY3TQOJQ"
        let rows: [(text: String, error: OneTimeCodeError)] = [
            ("", .noSeed), ("hunter2", .noSeed), ("GEZDGNBVGY3TQOJ", .noSeed), ("correct horse battery", .noSeed),
            ("GEZDGNBVGY3TQOJQ\nGEZDGNBVGY3TQOJQ", .noSeed), ("GEZDGNBVGY3TQOJQ1", .noSeed),
            ("http://totp/a?secret=GEZDGNBVGY3TQOJQ", .noSeed),
            ("otpauth://", .unknownType), ("otpauth://yaotp/a?secret=GEZDGNBVGY3TQOJQ", .unknownType),
            ("otpauth-migration://offline?data=x", .noSeed),
            ("otpauth://totp/a", .seedMissing), ("otpauth://totp/a?", .seedMissing),
            ("otpauth://totp/a?secret=", .seedMissing), ("otpauth://totp/a?issuer=secret", .seedMissing),
            ("otpauth://totp/a?secret=GEZDGNBVGY3TQOJ1", .badSeed), ("otpauth://totp/a?secret=ABC", .badSeed),
            ("otpauth://totp/a?secret=====", .badSeed), ("otpauth://totp/a?secret=AA=AA", .badSeed),
            ("otpauth://totp/a?secret=AA%", .badSeed), ("\(uri)&secret=GEZDGNBVGY3TQOJQ", .twice("secret")),
            ("\(uri)&digits=6&DIGITS=8", .twice("digits")),
            ("\(uri)&digits=5", .badValue("digits", allowed: "6 to 10")),
            ("\(uri)&digits=11", .badValue("digits", allowed: "6 to 10")),
            ("\(uri)&digits=", .badValue("digits", allowed: "6 to 10")),
            ("\(uri)&period=0", .badValue("period", allowed: "1 to 86400 seconds")),
            ("\(uri)&period=-30", .badValue("period", allowed: "1 to 86400 seconds")),
            ("\(uri)&algorithm=MD5", .badValue("algorithm", allowed: "SHA1, SHA256, SHA512")),
            ("\(uri)&encoder=steam", .badValue("encoder", allowed: "no encoder")),
            ("otpauth://hotp/a?secret=GEZDGNBVGY3TQOJQ", .noCounter),
            (
                "otpauth://hotp/a?secret=GEZDGNBVGY3TQOJQ&counter=18446744073709551616",
                .badValue("counter", allowed: "a number from 0 on")
            ),
        ]
        for (text, expected) in rows {
            #expect(try error(text) == expected, "\(text)")
            #expect(!"\(expected)".contains("GEZDGNBVGY3TQOJ"))
        }
    }

    @Test func onlyTheCounterOfATextChanges() throws {
        func next(_ text: String) throws -> String {
            try secret(text).withBytes { bytes in
                try OneTimeSeed(bytes).withNextCounter(in: bytes).shown()
            }
        }
        let before = "pass word\n otpauth://hotp/a%26b?secret=GEZDGNBVGY3TQOJQ&counter="
        #expect(try next(before + "0&digits=8\r\nrest") == before + "1&digits=8\r\nrest")
        #expect(try next(before + "9") == before + "10")
        #expect(try next(before + "007\n") == before + "8\n")
        #expect(try next(before + "18446744073709551614") == before + "18446744073709551615")
        #expect(throws: OneTimeCodeError.counterAtEnd) { try next(before + "18446744073709551615") }
        #expect(throws: OneTimeCodeError.noCounter) { try next("GEZDGNBVGY3TQOJQ") }
    }
}
