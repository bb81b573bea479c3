import Foundation
import LatchkeyTesting
import Security
import TestSupport
import Testing

/// The table of algorithms is that of the page on semantics.
@Suite struct AlgorithmTableTests {
    private let operations: [SecKeyOperationType] = [.sign, .verify, .encrypt, .decrypt, .keyExchange]

    @Test func everyAlgorithmOfThePageIsSupportedOrListed() throws {
        let rows = try Page().rows(of: "11.4")
        #expect(rows.count == 97)
        #expect(Set(rows.map(\.value)).count == 97)
        var supported = 0
        for row in rows {
            let algorithm = SecKeyAlgorithm(rawValue: row.value.trimmingCharacters(in: ["`"]) as CFString)
            let keys = SomeKeys.all.flatMap { [$0, $0.publicHalf] }
            let isSupported = keys.contains { key in operations.contains { key.does($0, algorithm) } }
            #expect(isSupported == !row.note.contains("not supported"), "\(row.name)")
            supported += isSupported ? 1 : 0
        }
        #expect(supported == 87)
    }

    @Test func theConstantsAreThoseOfThePage() throws {
        let folder = Repository.root.appending(path: "Sources/Security/Keys")
        var constants: [String: String] = [:]
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            let source = try String(contentsOf: file, encoding: .utf8)
            for match in source.matches(of: /static let (\w+) = Self\(\s*rawValue: "(algid:[^"]+)"\)/) {
                constants["kSecKeyAlgorithm\(match.1)".lowercased()] = "`\(match.2)`"
            }
        }
        let rows = try Page().rows(of: "11.4").map { ($0.name.lowercased(), $0.value) }
        #expect(constants == Dictionary(uniqueKeysWithValues: rows))
    }

    /// Every supported algorithm is carried out by the keys that say so, and refused by the others.
    @Test func keysDoWhatTheySay() throws {
        for row in try Page().rows(of: "11.4") {
            let name = row.value.trimmingCharacters(in: ["`"])
            let algorithm = SecKeyAlgorithm(rawValue: name as CFString)
            let digestCounts = ["SHA1": 20, "SHA224": 28, "SHA256": 32, "SHA384": 48, "SHA512": 64]
            let count = digestCounts.first { name.contains("digest") && name.contains(":\($0.key)") }?.value ?? 32
            let input = Data(repeating: 1, count: count)
            for key in SomeKeys.all {
                for one in [key, key.publicHalf] {
                    let signature = one.sign(input, algorithm)
                    #expect((signature.result != nil) == one.does(.sign, algorithm), "\(name)")
                    if let signature = signature.result {
                        #expect(key.publicHalf.verify(signature, of: input, algorithm).result, "\(name)")
                    }
                    let box = one.encrypt(input, algorithm)
                    #expect((box.result != nil) == one.does(.encrypt, algorithm), "\(name)")
                    if let box = box.result {
                        #expect(key.decrypt(box, algorithm).result?.suffix(input.count) == input, "\(name)")
                    }
                    let secret = one.agree(key.publicHalf, algorithm, ["requestedSize": 16])
                    #expect((secret.result != nil) == one.does(.keyExchange, algorithm), "\(name)")
                    for error in [signature.error, box.error, secret.error].compactMap(\.self) {
                        #expect(error.code == Int(errSecParam) && !error.localizedDescription.isEmpty)
                    }
                }
            }
        }
    }

    @Test func anAlgorithmIsApplesText() {
        #expect(SecKeyAlgorithm.ecdhKeyExchangeCofactorX963SHA256.rawValue == "algid:keyexchange:ECDHC:KDFX963:SHA256")
        #expect(SecKeyAlgorithm(rawValue: "algid:sign:RSA:raw") == .rsaSignatureRaw)
        #expect(SecKeyOperationType(rawValue: 4) == .keyExchange)
        #expect(!someKey.does(.sign, SecKeyAlgorithm(rawValue: "algid:sign:no such")))
    }
}
