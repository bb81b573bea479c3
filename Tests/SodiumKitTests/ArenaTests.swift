import Dispatch
import Foundation
import SodiumKit
import TestSupport
import Testing

/// The memory of keys and secrets, as the system sees it and as the next allocation finds it.
@Suite struct ArenaTests {
    /// A mapping of this process, as /proc/self/smaps describes it.
    private struct Mapping {
        var range: Range<UInt>
        var rights: Substring
        var flags: Set<Substring> = []

        static func all() throws -> [Mapping] {
            var mappings: [Mapping] = []
            for line in try text("/proc/self/smaps").split(separator: "\n") {
                let words = line.split(separator: " ")
                let ends = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
                if ends.count == 2 && words.count > 1 {
                    mappings.append(Mapping(range: ends[0]..<ends[1], rights: words[1]))
                } else if words[0] == "VmFlags:" {
                    mappings[mappings.count - 1].flags = Set(words.dropFirst())
                }
            }
            return mappings
        }

        static func text(_ path: String) throws -> String {
            let file = try #require(FileHandle(forReadingAtPath: path))
            return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        }
    }

    private func mapping(of address: UInt) throws -> (Mapping, before: Mapping?, after: Mapping?) {
        let all = try Mapping.all()
        let place = try #require(all.firstIndex { $0.range.contains(address) })
        return (all[place], place > 0 ? all[place - 1] : nil, place + 1 < all.count ? all[place + 1] : nil)
    }

    @Test func keysAndSmallSecretsAreLockedAndLeftOutOfCoresAndForks() throws {
        let key = try Key.random()
        let hashKey = try Key.random()
        let hash = try KeyedHash(hashKey)
        var addresses = [key.address()]
        var held: [Holder] = []
        for count in [0, 1, 32, 4096, SecureBytes.largestLocked] {
            held.append(Holder(try SecureBytes(count: count)))
            addresses.append(held[held.count - 1].bytes.address())
        }
        for address in addresses {
            var found = try mapping(of: address)
            // While another test has the arena grow, its new end is writable and not yet locked.
            _ = try Patience.wait {
                found = try mapping(of: address)
                return found.after?.rights == "---p"
            }
            #expect(found.0.flags.isSuperset(of: ["lo", "dd", "dc"]), "\(found.0.flags)")
            #expect(found.0.rights == "rw-p")
            #expect(found.before?.rights == "---p")
            #expect(found.before?.range.upperBound == found.0.range.lowerBound)
            #expect(found.after?.rights == "---p")
            #expect(found.after?.range.lowerBound == found.0.range.upperBound)
        }
        _ = hash.bytes()
    }

    @Test func largeSecretsAreNotLockedButLeftOutOfCoresAndForks() throws {
        let large = try SecureBytes(count: SecureBytes.largestLocked + 1)
        let found = try mapping(of: large.address())
        #expect(found.0.flags.isSuperset(of: ["dd", "dc"]), "\(found.0.flags)")
        #expect(!found.0.flags.contains("lo"))
        #expect(found.before?.rights == "---p")
        #expect(found.after?.rights == "---p")
    }

    @Test func whatIsLockedCountsAsLockedMemory() throws {
        var held: [Holder] = []
        for _ in 0..<16 { held.append(Holder(try SecureBytes(count: SecureBytes.largestLocked))) }
        let line = try #require(
            Mapping.text("/proc/self/status").split(separator: "\n").first { $0.hasPrefix("VmLck:") })
        let kibibytes = try #require(
            line.split(whereSeparator: { " \t".contains($0) }).dropFirst().first.flatMap { Int($0) })
        #expect(kibibytes >= held.count * 64)
    }

    @Test func aFreedBlockIsHandedOutAgainAsZeros() throws {
        for count in [1, 32, 33, 100, 352, 4096, 40_000, SecureBytes.largestLocked] {
            var seen: Set<UInt> = []
            var isReused = false
            var isAlwaysZero = true
            for _ in 0..<200 {
                var bytes = try SecureBytes(count: count)
                isAlwaysZero = isAlwaysZero && bytes.isFilled(with: 0)
                isReused = isReused || !seen.insert(bytes.address()).inserted
                bytes.fill(with: 0xFF)
            }
            #expect(isAlwaysZero, "\(count) bytes")
            #expect(isReused, "\(count) bytes never came back, so nothing was tried")
        }
    }

    /// The arena wipes a freed block at once, not only when the block is handed out again.
    @Test func aBlockIsWipedWhenItsOwnerLetsGo() throws {
        let secret = Sodium.randomBytes(64)
        let place: UInt
        do {
            let bytes = try SecureBytes(copying: secret.span.bytes)
            place = bytes.address()
            #expect(bytes.array() == secret)
        }
        let memory = try #require(FileHandle(forReadingAtPath: "/proc/self/mem"))
        try memory.seek(toOffset: UInt64(place))
        // Another thread may have received the block meanwhile, but not the secret.
        let found = Array(try memory.read(upToCount: 64) ?? Data())
        #expect(found.count == 64)
        #expect(Array(found.prefix(16)) != Array(secret.prefix(16)))
        #expect(Array(found.suffix(16)) != Array(secret.suffix(16)))
    }

    @Test func manyThreadsTakeAndGiveBackAtOnce() {
        let faults = Faults()
        DispatchQueue.concurrentPerform(iterations: 16) { thread in
            var random = SeededGenerator(seed: UInt64(thread))
            let mark = UInt8(thread + 1)
            var held: [Holder] = []
            do {
                for _ in 0..<2000 {
                    if random.once(in: 2), !held.isEmpty {
                        let taken = held.remove(at: Int.random(in: held.indices, using: &random))
                        if !taken.bytes.isFilled(with: mark) { faults.count() }
                    } else if held.count < 20 {
                        let sizes = [1, 16, 32, 48, 100, 200, 1000, 4096, 5000]
                        let holder = Holder(try SecureBytes(count: random.pick(sizes)))
                        if !holder.bytes.isFilled(with: 0) { faults.count() }
                        holder.bytes.fill(with: mark)
                        held.append(holder)
                    }
                }
                for holder in held where !holder.bytes.isFilled(with: mark) { faults.count() }
            } catch {
                faults.count()
            }
        }
        #expect(faults.total == 0)
    }

    private final class Faults: @unchecked Sendable {  // guarded by its lock
        private let lock = NSLock()
        private var number = 0
        func count() { lock.withLock { number += 1 } }
        var total: Int { lock.withLock { number } }
    }
}

/// A separate process that may lock only a limited amount of memory.
@Suite struct LockLimitTests {
    private func output(_ what: String = "locklimit", limit: Int) throws -> [String] {
        let folder = URL(filePath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            .deletingLastPathComponent()
        let process = Process()
        process.executableURL = folder.appending(path: "vault-exerciser")
        process.arguments = ["canary", what, "\(limit)"]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return text.split(separator: "\n").map(String.init)
    }

    @Test func memoryThatCannotBeLockedIsNotHandedOut() throws {
        let lines = try output(limit: 60 * 1024)
        #expect(lines == ["0 blocks, then \(SodiumError.lockLimit(bytes: 60 * 1024))"])
    }

    @Test func whatFitsUnderTheLimitIsHandedOutAndCanBeUsedAgain() throws {
        let limit = 600 * 1024  // nine such blocks, and half of a tenth
        let lines = try output(limit: limit)
        #expect(lines == ["9 blocks, then \(SodiumError.lockLimit(bytes: UInt64(limit)))", "again"])
    }

    /// Without root's privilege, a process that has filled its locked memory with keys and freed them has room for
    /// secrets again.
    @Test(arguments: [64, 512, 1024, 8192])
    func keysThatAreGivenBackMakeRoomForSecrets(_ kibibytes: Int) throws {
        let lines = try output("scattered", limit: kibibytes * 1024)
        #expect(lines == ["capacity \(kibibytes * 1024)", "full of keys", "\(kibibytes / 64) blocks again"])
    }

    /// The reserve is available when the arena is full, and is set aside again once the arena has room.
    @Test func whatIsSetAsideIsThereWhenNothingElseIs() throws {
        let lines = try output("reserve", limit: 256 * 1024)
        #expect(
            lines == [
                "nothing is left", "lent 100 keys", "and no more than is set aside", "cannot be filled",
                "filled, and lent 100 keys", "all memory came back",
            ])
    }

    @Test func everyErrorSaysTheWayOut() {
        let errors: [SodiumError] = [
            .unavailable, .lockLimit(bytes: 65536), .arenaFull(bytes: 1024), .outOfMemory(bytes: 10),
            .addressSpace(bytes: 65536),
        ]
        #expect(Set(errors.map(\.description)).count == errors.count)
        #expect(SodiumError.lockLimit(bytes: 65536).description.contains("64 KiB"))
        #expect(SodiumError.lockLimit(bytes: 65536).description.contains("ulimit -l"))
        #expect(SodiumError.addressSpace(bytes: 65536).description.contains("64 KiB"))
        #expect(SodiumError.addressSpace(bytes: 65536).description.contains("ulimit -v"))
    }
}
