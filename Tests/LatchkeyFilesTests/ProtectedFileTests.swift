import AccessPolicy
import Foundation
import LatchkeyFiles
import LatchkeyTesting
import Synchronization
import TestSupport
import Testing

/// The content of a file: any sequence of changes, damage, and a process that ends in the middle of a change.
@Suite struct ProtectedFileTests {
    private let device = SimulatedDevice()
    private var folder: ProtectedFolder { device.protectedFolder }
    private var path: String { folder.path + "/file" }

    private func raw() throws -> [UInt8] { try [UInt8](Data(contentsOf: URL(filePath: path))) }
    private func put(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(filePath: path)) }

    private static func pattern(_ count: Int, _ seed: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ seed) }
    }

    /// A file of any size goes through little memory: a gigabyte in `make soak`.
    @Test func aLargeFileIsNeverInMemory() throws {
        let place = try TemporaryFolder()
        let size = Soak.isExhaustive ? 1024 : 96
        var process = try SpawnedProgram("keychain-exerciser", ["stream", place.url.path, "\(size)"])
        let peaks = process.lines().joined().split(separator: " ").compactMap { Int($0) }
        try #require(process.end() == 0 && peaks.count == 2)
        #expect(peaks[1] - peaks[0] < 16 * 1024, "KiB for \(size) MiB: \(peaks)")
    }

    /// A random sequence of changes, on a file and on an array beside it.
    @Test(arguments: FileProtection.allCases, 0..<3)
    func contentIsThatOfAnArray(_ protection: FileProtection, _ seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let file = try folder.create(path, protection)
        let second = try folder.open(path)
        var content: [UInt8] = []
        let edges = [0, 1, Chunk.size - 1, Chunk.size, Chunk.size + 1, 2 * Chunk.size, 2 * Chunk.size + 5]
        func place() -> Int {
            let near = edges.randomElement(using: &random) ?? 0
            return max(0, near + Int.random(in: -3...3, using: &random))
        }
        for step in 0..<60 {
            let one = Bool.random(using: &random) ? file : second
            switch Int.random(in: 0..<5, using: &random) {
            case 0:
                let (start, bytes) = (place(), Self.pattern(Int.random(in: 0...200, using: &random), step))
                try one.write(bytes, at: start)
                if bytes.isEmpty { break }
                if content.count < start + bytes.count {
                    content += [UInt8](repeating: 0, count: start + bytes.count - content.count)
                }
                content.replaceSubrange(start..<(start + bytes.count), with: bytes)
            case 1:
                let bytes = Self.pattern(Int.random(in: 0...Chunk.size, using: &random), step)
                try one.append(bytes)
                content += bytes
            case 2:
                let size = place()
                try one.truncate(to: size)
                content = Array(content.prefix(size)) + [UInt8](repeating: 0, count: max(0, size - content.count))
            case 3:
                let bytes = Self.pattern(place(), step)
                try bytes.withUnsafeBytes { try one.replace(with: $0) }
                content = bytes
            default:
                let (start, count) = (place(), Int.random(in: 0...(Chunk.size + 9), using: &random))
                #expect(try one.read(count, at: start) == Array(content.dropFirst(start).prefix(count)))
            }
            #expect(try file.size == content.count)
            #expect(try folder.size(of: path) == content.count)
            try #require(try second.read(.max) == content, "step \(step)")
        }
        #expect(try raw().count == Chunk.fileLength(of: content.count))
        #expect(try folder.read(path) == content)
        if content.count > 64 { #expect(try !Data(raw()).contains(Data(content[0..<64]))) }
    }

    // MARK: - Damage

    /// Every byte of the head and of the first and last pieces, and a sample of the rest.
    @Test(arguments: FileProtection.allCases) func noChangedByteIsRead(_ protection: FileProtection) throws {
        let content = Self.pattern(2 * Chunk.size + 100, 1)
        try folder.write(content, to: path, protection)
        let whole = try raw()
        let wrapped = protection == .completeUnlessOpen ? 104 : 72
        // The zeros that fill the head up carry nothing, the exclusion from backups is no secret, and the number of a piece
        // that is written over counts only beside a place.
        let idle = Array((28 + wrapped)..<136) + Array(184..<188) + Array(196..<FileHeader.count) + [9]
        let step = Chunk.stride / 97
        let places =
            Array(0..<FileHeader.count) + Array(Chunk.place(0)..<(Chunk.place(0) + 60))
            + Array(stride(from: Chunk.place(0), to: whole.count, by: step))
            + Array(Chunk.place(2)..<whole.count)
        for place in places where !idle.contains(place) {
            var bytes = whole
            bytes[place] ^= 0x40
            try put(bytes)
            if place < 8 {
                // A file without the first bytes of a head is not sealed, and is read as it is.
                #expect(try folder.read(path) == bytes, "byte \(place)")
            } else if (188..<196).contains(place) {
                // A place at which there is no piece is of no use, unless it is that of another piece.
                #expect(throws: FileError.self, "byte \(place)") { try folder.read(path) }
            } else {
                #expect(throws: FileError.self, "byte \(place)") { try folder.read(path) }
            }
        }
        for length in [
            0, 1, 8, FileHeader.count - 1, FileHeader.count, Chunk.place(1), Chunk.place(2), whole.count - 1,
        ] {
            try put(Array(whole.prefix(length)))
            if length < 8 {
                #expect(try folder.read(path) == Array(whole.prefix(length)))
            } else {
                #expect(throws: FileError.damaged(path), "\(length)") { try folder.read(path) }
            }
        }
        try put(whole + [1, 2, 3])
        #expect(try folder.read(path) == content)
    }

    @Test func piecesCannotChangePlaces() throws {
        let content = Self.pattern(3 * Chunk.size, 1)
        try folder.write(content, to: path, .complete)
        let whole = try raw()
        let first = whole[Chunk.place(0)..<Chunk.place(1)]
        let second = whole[Chunk.place(1)..<Chunk.place(2)]
        var swapped = whole
        swapped.replaceSubrange(Chunk.place(0)..<Chunk.place(1), with: second)
        swapped.replaceSubrange(Chunk.place(1)..<Chunk.place(2), with: first)
        try put(swapped)
        #expect(throws: FileError.damaged(path)) { try folder.read(path) }
        // A piece of another file, and the head of another file.
        let other = folder.path + "/other"
        try folder.write(content, to: other, .complete)
        let foreign = try [UInt8](Data(contentsOf: URL(filePath: other)))
        var mixed = whole
        mixed.replaceSubrange(Chunk.place(1)..<Chunk.place(2), with: foreign[Chunk.place(1)..<Chunk.place(2)])
        try put(mixed)
        #expect(throws: FileError.damaged(path)) { try folder.read(path) }
        try put(Array(foreign.prefix(FileHeader.count)) + whole.dropFirst(FileHeader.count))
        #expect(throws: FileError.damaged(path)) { try folder.read(path) }
    }

    // MARK: - Crashes

    /// A change of a file that has `size` bytes.
    struct Change: CustomTestStringConvertible {
        let testDescription: String
        let size: Int
        let apply: @Sendable (ProtectedFile) throws -> Void
    }

    private static let changes: [Change] = [
        Change(testDescription: "append to nothing", size: 0) { try $0.append(pattern(100, 2)) },
        Change(testDescription: "append a little", size: 1000) { try $0.append(pattern(100, 2)) },
        Change(testDescription: "append up to the border", size: 1000) { try $0.append(pattern(Chunk.size - 1000, 2)) },
        Change(testDescription: "append much", size: 1000) { try $0.append(pattern(2 * Chunk.size, 2)) },
        Change(testDescription: "write over", size: 1000) { try $0.write(pattern(50, 2), at: 10) },
        Change(testDescription: "write over a whole piece", size: 2 * Chunk.size) {
            try $0.write(pattern(Chunk.size, 2), at: 0)
        },
        Change(testDescription: "write over and beyond", size: 1000) { try $0.write(pattern(Chunk.size, 2), at: 900) },
        Change(testDescription: "leave a gap", size: 1000) { try $0.write([1], at: Chunk.size + 10) },
        Change(testDescription: "leave a gap up to a border", size: 10) {
            try $0.write(pattern(Chunk.size + 5, 2), at: Chunk.size)
        },
        Change(testDescription: "leave a long gap up to a border", size: Chunk.size + 10) {
            try $0.write(pattern(5, 2), at: 2 * Chunk.size)
        },
        Change(testDescription: "cut", size: Chunk.size + 100) { try $0.truncate(to: 10) },
        Change(testDescription: "cut at the border", size: Chunk.size + 100) { try $0.truncate(to: Chunk.size) },
        Change(testDescription: "fill up", size: 1000) { try $0.truncate(to: Chunk.size + 10) },
    ]

    /// Returns true if each byte of a content is as before a change or after it. A gap is filled before it is written to.
    private static func isBetween(_ content: [UInt8], _ before: [UInt8], _ after: [UInt8]) -> Bool {
        // A gap ends where the write begins.
        let gap = after.count < before.count ? [] : [after.count - 1, after.count - 5, Chunk.size, 2 * Chunk.size]
        return ([before.count, after.count] + gap).contains(content.count)
            && content.indices.allSatisfy { place in
                let former = place < before.count ? before[place] : 0
                return content[place] == former || place < after.count && content[place] == after[place]
            }
    }

    /// After every part of every write of a change, each byte of the file is as before or after, and it can be changed on. A
    /// process that ends anywhere leaves such a file.
    @Test(arguments: changes, [FileProtection.complete, .completeUnlessOpen])
    func aProcessThatEndsAnywhereLosesNothing(_ change: Change, _ protection: FileProtection) throws {
        let before = Self.pattern(change.size, 1)
        try folder.write(before, to: path, protection)
        let file = try folder.open(path)
        let url = URL(filePath: path)
        let states = Mutex<[[UInt8]]>([])
        let observer = WriteProbe.Observer {
            let state = (try? Data(contentsOf: url)).map { [UInt8]($0) } ?? []
            states.withLock { $0.append(state) }
        }
        try WriteProbe.$observer.withValue(observer) { try change.apply(file) }
        let after = try folder.read(path)
        #expect(after != before)
        #expect(try raw().count == Chunk.fileLength(of: after.count))
        let seen = states.withLock { $0 }
        #expect(!seen.isEmpty)
        var found: Set<Bool> = []
        for (number, state) in seen.enumerated() {
            try put(state)
            let content = try folder.read(path)
            try #require(Self.isBetween(content, before, after), "after part \(number)")
            found.insert(content == after)
            // The next process goes on as if nothing had happened: in another piece, and in the last one.
            let elsewhere = try folder.open(path)
            if content.count > 20 {
                try elsewhere.write([9, 9], at: 3)
                var changed = content
                changed.replaceSubrange(3..<5, with: [9, 9])
                try #require(try folder.read(path) == changed, "after part \(number)")
            }
            try put(state)
            let next = try folder.open(path)
            try next.append([1, 2, 3])
            try #require(try folder.read(path) == content + [1, 2, 3], "after part \(number)")
            #expect(try raw().count == Chunk.fileLength(of: content.count + 3))
            try next.truncate(to: 5)
            try next.truncate(to: 12)
            let kept = Array(content.prefix(5)) + [UInt8](repeating: 0, count: 12)
            if content.count >= 5 {
                #expect(try folder.read(path) == Array(kept.prefix(12)), "what was cut does not come back")
            }
        }
        #expect(found.contains(true))
    }

    /// A disk that is full anywhere in the middle of a change leaves a file whose bytes are as before or after, and that
    /// can be cut and changed on.
    @Test(arguments: changes) func aFullDiskLosesNothing(_ change: Change) throws {
        let before = Self.pattern(change.size, 1)
        try folder.write(before, to: path, .complete)
        let state = try raw()
        try change.apply(folder.open(path))
        let after = try folder.read(path)
        var failures = 0
        for room in Array(stride(from: 0, through: 6 * Chunk.size, by: 9_000)) + [1, 255, 256, 257] {
            try put(state)
            let file = try folder.open(path)
            let result = Result {
                try WriteProbe.$room.withValue(WriteProbe.Room(room)) { try change.apply(file) }
            }
            let content = try folder.read(path)
            switch result {
            case .success: try #require(content == after, "\(room)")
            case .failure(let error):
                failures += 1
                #expect(error as? FileError == .system(path, ENOSPC))
                try #require(Self.isBetween(content, before, after), "\(room)")
            }
            if content.count > 20 {
                try folder.open(path).write([9, 9], at: 3)
                var changed = content
                changed.replaceSubrange(3..<5, with: [9, 9])
                try #require(try folder.read(path) == changed, "\(room)")
                #expect(try raw().count <= Chunk.fileLength(of: content.count) + Chunk.stride)
            }
            #expect(try folder.size(of: path) == content.count)
        }
        // A cut at the border of a piece writes the head only.
        #expect(failures > 0 || after.count < before.count)
    }

    /// Emptying a file makes room on a full disk.
    @Test func aFullDiskCanBeEmptied() throws {
        try folder.write(Self.pattern(70_000, 1), to: path, .complete)
        let file = try folder.open(path)
        #expect(throws: FileError.system(path, ENOSPC)) {
            try WriteProbe.$room.withValue(WriteProbe.Room(70_000)) { try file.append(Self.pattern(70_000, 2)) }
        }
        try WriteProbe.$room.withValue(WriteProbe.Room(FileHeader.count)) { try file.truncate(to: 0) }
        #expect(try folder.read(path) == [])
        #expect(try raw().count == FileHeader.count)
    }

    /// A write that fails leaves the former file, and nothing beside it.
    @Test func aFailedReplacementLeavesTheFormerFile() throws {
        try folder.write(Array("old".utf8), to: path, .complete)
        device.lock()
        device.advance(by: .seconds(11))
        #expect(throws: FileError.self) {
            try folder.write(Array("new".utf8), to: path, .complete, atomically: true)
        }
        device.unlock(passcode: "1234")
        #expect(try folder.read(path) == Array("old".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
        #expect(throws: FileError.system(path, EEXIST)) {
            try folder.write([], to: path, overwrites: false)
        }
        #expect(throws: FileError.system(path, EEXIST)) { try folder.create(path) }
        #expect(throws: FileError.system(path + "/below", ENOTDIR)) { try folder.create(path + "/below") }
        #expect(throws: FileError.system(folder.path + "/none", ENOENT)) { try folder.open(folder.path + "/none") }
    }

    @Test func aClosedFileIsClosed() throws {
        let file = try folder.create(path, .completeUnlessOpen)
        file.close()
        file.close()
        #expect(throws: FileError.closed(path)) { try file.read(1) }
        #expect(throws: FileError.closed(path)) { try file.append([1]) }
    }

    /// Several threads change one file through files of their own, and nothing of theirs is lost.
    @Test func appendsOfSeveralThreadsAllArrive() async throws {
        _ = try folder.create(path, .complete)
        let (folder, path) = (folder, path)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<4 {
                group.addTask {
                    let file = try folder.open(path)
                    for _ in 0..<25 { try file.append([UInt8](repeating: UInt8(number), count: 1_000)) }
                }
            }
            try await group.waitForAll()
        }
        let content = try folder.read(path)
        #expect(content.count == 100_000)
        for number in 0..<4 { #expect(content.count { $0 == UInt8(number) } == 25_000) }
    }
}
