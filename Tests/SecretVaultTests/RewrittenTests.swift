import Foundation
import SecretVault
import TestSupport
import Testing

/// Bytes in hexadecimal digits.
enum Digits {
    static func text(_ bytes: [UInt8]) -> String {
        bytes.map { String(String(UInt16($0) + 256, radix: 16).dropFirst()) }.joined()
    }
}

/// Sealed values are written as the same bytes again.
@Suite struct RewrittenTests {
    /// Vaults with intact sealed parts.
    private static let vectors = [
        "accept", "wrong-passcode", "swapped-rows", "rolled-back-row", "missing-row", "destroyed-set",
    ]

    @Test func theSealedPartsAreWrittenAsEver() throws {
        let bench = try Specimen.Bench()
        let lines = try Self.vectors.flatMap { name in
            let source = Repository.root.appending(path: "Fixtures/vectors/\(name)")
            try VaultFiles(in: source.path).write(to: bench.path)
            let probe = try KeybagProbe(deviceFile: bench.path + "/device")
            let database = try RawDatabase(bench.path + "/vault.db")
            let bag = try #require(try database.blobs("SELECT keybag FROM device").first)
            let keybag = try #require(try bag.withUnsafeBytes { try probe.rewritten(keybag: $0) })
            #expect(keybag.again == keybag.written)
            let sealed = try #require(try database.blobs("SELECT sealed FROM ledger").first)
            let ledger = try #require(try sealed.withUnsafeBytes { try probe.rewritten(ledger: $0) })
            #expect(ledger.again == ledger.written)
            return [
                "\(name) keybag \(Digits.text(keybag.written))",
                "\(name) ledger \(Digits.text(ledger.written))",
            ]
        }
        try Golden.expect("rewritten", lines)
    }
}
