import Foundation
import KeyFuzzer
import TestSupport
import Testing

/// The inputs that `make fuzz` begins with, and those that once exposed a fault. The laws are those of `KeyCheck`.
@Suite struct KeyFuzzerTests {
    private static func corpus() throws -> [(name: String, bytes: [UInt8])] {
        let folder = Repository.root.appending(path: "Fixtures/fuzz/keys")
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .sorted { $0.path < $1.path }.map { ($0.lastPathComponent, Array(try Data(contentsOf: $0))) }
    }

    @Test func whatTheFuzzerKnowsIsRead() throws {
        let corpus = try Self.corpus()
        #expect(corpus.count >= 15)
        for (name, bytes) in corpus {
            let fault = KeyCheck.fault(with: bytes)
            #expect(fault == nil, "\(name): \(fault ?? "")")
        }
    }

    /// A fixed sequence of random damage. The fuzzer tries more of it.
    @Test func whatTheFuzzerWouldTryNextIsReadAsWell() throws {
        var random = SeededGenerator(seed: 11)
        for (name, bytes) in try Self.corpus() {
            for round in 0..<100 {
                var bytes = bytes
                for _ in 0...Int.random(in: 0..<4, using: &random) where !bytes.isEmpty {
                    let place = Int.random(in: bytes.indices, using: &random)
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                    case 1: bytes[place] = random.pick([0, 1, 0x7F, 0x80, 0xFF, 0x30, 0x02])
                    case 2: bytes.remove(at: place)
                    default: bytes.removeSubrange(place..<min(bytes.count, place + 30))
                    }
                }
                let fault = KeyCheck.fault(with: bytes)
                #expect(fault == nil, "\(name), round \(round): \(fault ?? "")")
            }
        }
    }
}
