import SecretTools
import SodiumKit
import Testing
import VaultService

/// One-time codes, compared with the tables of RFC 4226 and RFC 6238.
@Suite struct OneTimeCodeTests {
    /// The seed "12345678901234567890" of both RFCs, repeated to the length that each hash function wants there.
    private static let seeds: [(algorithm: String, seed: String)] = [
        ("SHA1", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"),
        ("SHA256", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZA===="),
        (
            "SHA512",
            "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNA="
        ),
    ]

    private func seed(_ text: String) throws -> OneTimeSeed {
        try SecureBytes(text).withBytes { (bytes) throws(OneTimeCodeError) in try OneTimeSeed(bytes) }
    }

    private func code(of seed: borrowing OneTimeSeed, _ number: UInt64) throws -> String {
        try seed.code(number).withBytes { $0.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
    }

    /// RFC 4226, appendix D.
    @Test func codesByCounterAreThoseOfTheStandard() throws {
        let codes = [
            "755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489",
        ]
        for (counter, code) in codes.enumerated() {
            let seed = try seed("otpauth://hotp/a?secret=\(Self.seeds[0].seed)&counter=\(counter)")
            let (kind, isPeriodic) = (seed.kind, seed.period(at: 59) != nil)
            #expect(kind == .counter(UInt64(counter)) && !isPeriodic)
            let shown = try self.code(of: seed, UInt64(counter))
            #expect(shown == code)
        }
    }

    /// RFC 6238, appendix B.
    @Test func codesByTheClockAreThoseOfTheStandard() throws {
        let rows: [(seconds: Int64, codes: [String])] = [
            (59, ["94287082", "46119246", "90693936"]), (1_111_111_109, ["07081804", "68084774", "25091201"]),
            (1_111_111_111, ["14050471", "67062674", "99943326"]),
            (1_234_567_890, ["89005924", "91819424", "93441116"]),
            (2_000_000_000, ["69279037", "90698825", "38618901"]),
            (20_000_000_000, ["65353130", "77737706", "47863826"]),
        ]
        for (seconds, codes) in rows {
            for ((algorithm, seed), code) in zip(Self.seeds, codes) {
                let seed = try self.seed("otpauth://totp/a?digits=8&algorithm=\(algorithm)&secret=\(seed)")
                let (number, left) = seed.period(at: seconds) ?? (0, 0)
                #expect(number == UInt64(seconds) / 30 && left == 30 - UInt64(seconds) % 30)
                let shown = try self.code(of: seed, number)
                #expect(shown == code, "\(algorithm) at \(seconds)")
            }
        }
    }

    @Test func aCodeHasTheDigitsOfItsURI() throws {
        for (digits, expected) in [
            (6, "287082"), (7, "4287082"), (8, "94287082"), (9, "094287082"), (10, "1094287082"),
        ] {
            let uri = "otpauth://totp/a?secret=\(Self.seeds[0].seed)&digits=\(digits)"
            #expect(try code(of: seed(uri), 1) == expected)
        }
    }
}
