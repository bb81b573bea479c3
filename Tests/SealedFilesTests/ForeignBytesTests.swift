import AccessPolicy
import Foundation
import LatchkeyTesting
import SealedFiles
import TestSupport
import Testing

/// Sealed files whose bytes came from elsewhere. Nothing but the content that was sealed is ever read, and a file that is
/// refused stays as it is.
@Suite struct ForeignBytesTests {
    private let device = SimulatedDevice()
    private let place: TemporaryFolder
    private let folder: ProtectedFolder
    private var path: String { folder.path + "/file" }

    init() throws {
        place = try TemporaryFolder(inMemory: true)
        folder = try ProtectedFolder(device.keychain, at: place.url.path + "/files")
    }

    private func raw(_ path: String) throws -> [UInt8] { try [UInt8](Data(contentsOf: URL(filePath: path))) }
    private func put(_ bytes: [UInt8], _ path: String) throws { try Data(bytes).write(to: URL(filePath: path)) }

    private static func pattern(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) } }

    /// The fields of the head, as docs/files.md lists them.
    private static let fields = [
        8..<9, 10..<12, 12..<28, 28..<132, 136..<184, 184..<188, 188..<196, 196..<204,
    ]

    @Test(arguments: FileProtection.allCases)
    func aForgedFieldOfTheHeadGivesTheContentOrNothing(_ protection: FileProtection) throws {
        let content = Self.pattern(Chunk.size + 100)
        try folder.write(content, to: path, protection)
        let whole = try raw(path)
        var random = SeededGenerator(seed: 5)
        for field in Self.fields {
            var values: [[UInt8]] = [0, 0xFF, 0x7F, 1].map { [UInt8](repeating: $0, count: field.count) }
            for _ in 0..<8 { values.append(field.map { _ in UInt8.random(in: .min ... .max, using: &random) }) }
            for bit in 0..<8 { values.append(field.map { whole[$0] ^ ($0 == field.lowerBound ? 1 << UInt8(bit) : 0) }) }
            for value in values {
                var bytes = whole
                bytes.replaceSubrange(field, with: value)
                try put(bytes, path)
                if let found = try? folder.read(path) { #expect(found == content, "\(field) \(value)") }
                _ = try? folder.size(of: path)
                #expect(try raw(path) == bytes, "a read changes nothing")
                // What is added goes behind the whole content, or the file is refused.
                let added: ()? = try? folder.open(path).append([1, 2, 3])
                if added != nil, let found = try? folder.read(path) { #expect(found == content + [1, 2, 3]) }
                try put(bytes, path)
                for next in FileProtection.allCases { try? folder.protect(path, as: next) }
                if let found = try? folder.read(path) { #expect(found == content, "\(field) \(value)") }
            }
        }
        try put(whole, path)
        #expect(try folder.read(path) == content)
    }

    /// The length of a piece is not sealed by itself.
    @Test func aForgedLengthOfAPieceIsRefused() throws {
        let content = Self.pattern(2 * Chunk.size + 100)
        try folder.write(content, to: path, .complete)
        let whole = try raw(path)
        for number in 0...2 {
            for length in [0, 1, 99, 101, UInt32(Chunk.size) - 1, UInt32(Chunk.size) + 1, 1 << 24, .max] {
                var bytes = whole
                let start = Chunk.place(number)
                bytes.replaceSubrange(start..<(start + 4), with: withUnsafeBytes(of: length.littleEndian) { Array($0) })
                if bytes == whole { continue }
                try put(bytes, path)
                #expect(throws: FileError.damaged(path), "\(number) \(length)") { try folder.read(path) }
                #expect(try raw(path) == bytes)
            }
        }
        try put(whole, path)
        #expect(try folder.read(path) == content)
    }

    /// Files of any bytes behind the first ones of a head, and files that only claim to be huge.
    @Test func filesOfRandomBytesAreRefused() throws {
        var random = SeededGenerator(seed: 6)
        let magic = Array("LKFILE1\n".utf8)
        for count in [0, 1, 19, 20, 127, 247, 248, 249, 400, 5000] {
            for _ in 0..<20 {
                let bytes = magic + (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
                try put(bytes, path)
                #expect(throws: FileError.self) { try folder.read(path) }
                #expect(throws: FileError.self) { try folder.open(path).append([1]) }
                #expect(throws: FileError.self) { try folder.protect(path, as: .none) }
                #expect(try raw(path) == bytes)
            }
        }
        for wrong in [[], Array("L".utf8), Array(magic.dropLast()), Array("LKFILE2\n".utf8), Array("lkfile1\n".utf8)]
            as [[UInt8]]
        {
            try put(wrong, path)
            #expect(try folder.read(path) == wrong, "a file without these bytes is not sealed")
        }
    }

    /// The half of class B lies beside the files, so that a locked device can make new ones.
    @Test func aForgedHalfOfClassBSealsNothing() throws {
        let kept = folder.path + "/.latchkey-files"
        let good = try raw(kept)
        var random = SeededGenerator(seed: 7)
        var forged: [[UInt8]] = [
            [], Array("LKHALF1\n".utf8), Array(good.dropLast()), Array(good.prefix(20)), good + [0],
            Array("LKHALF1\n".utf8) + (0..<5000).map { _ in UInt8.random(in: .min ... .max, using: &random) },
        ]
        for place in stride(from: 8, to: good.count, by: 5) {
            var bytes = good
            bytes[place] ^= 1
            forged.append(bytes)
        }
        for (number, bytes) in forged.enumerated() {
            try put(bytes, kept)
            device.lock()
            device.advance(by: .seconds(11))
            let other = try ProtectedFolder(device.keychain, at: folder.path)
            let new = folder.path + "/new-\(number)"
            #expect(throws: FileError.self, "\(bytes.count)") { try other.write([1], to: new, .completeUnlessOpen) }
            #expect(!FileManager.default.fileExists(atPath: new))
            #expect(device.unlock(passcode: "1234"))
            // The unlocked device makes another half.
            let again = try ProtectedFolder(device.keychain, at: folder.path)
            try again.write([2], to: new, .completeUnlessOpen)
            #expect(try again.read(new) == [2])
        }
    }
}
