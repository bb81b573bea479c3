import Foundation
import SodiumKit
import TestSupport
import Testing

/// Law "wipe": what a lock, a restart or the end takes away is nowhere in the memory of the process afterwards.
///
/// Another process holds the vault and reports its keys, and this one searches its memory. The search finds each key
/// while the key should be there, which shows that the search works.
@Suite struct WipeTests {
    private let folder: TemporaryFolder
    private let passcode = Self.letters(24)
    private let password = Self.letters(24)
    private let secret = Self.letters(48)
    private let large = Self.letters(100_000)
    private let key: [UInt8]

    init() throws {
        folder = try TemporaryFolder()
        key = try Cast.newKey()
    }

    private static func letters(_ count: Int) -> [UInt8] { Sodium.randomBytes(count).map { 0x61 + $0 % 26 } }

    /// The keys to search for, by when they may be there.
    private struct Watched {
        /// Every key that was open.
        var open = Needles()
        /// Keys that exist only during an operation, and what the process was told to release.
        var passing = Needles()
        var openNames: Set<String> { open.names }
        /// The keys that a lock takes away.
        var closedByLock: Set<String> {
            openNames.filter { $0.hasPrefix("open whenUnlocked") || $0.hasPrefix("open whenPasscodeSet") || isGate($0) }
        }
        func isGate(_ name: String) -> Bool { name.contains(" gate ") && name.hasPrefix("open context") }
    }

    private func start(hasSensor: Bool) throws -> (CanaryProcess, Watched) {
        let process = try CanaryProcess(["wipe", folder.url.path, hasSensor ? "sensor" : "none"])
        for bytes in [passcode, password, secret, large, key] { try process.send(bytes) }
        var watched = Watched()
        for piece in try process.pieces().dropLast() {
            if piece.name.hasPrefix("open ") {
                watched.open.add(key: piece.bytes, piece.name)
            } else {
                watched.passing.add(key: piece.bytes, piece.name)
            }
        }
        watched.passing.add("passcode", passcode)
        watched.passing.add("application password", password)
        watched.passing.add("secret", secret)
        // The vault and OpenSSL have the scalar in opposite orders, and OpenSSL has it in parts.
        for place in stride(from: 65, through: key.count - 16, by: 8) {
            let part = Array(key[place..<(place + 16)])
            watched.passing.add("private key", part)
            watched.passing.add("private key in OpenSSL", part.reversed())
        }
        for place in stride(from: 0, to: large.count - 64, by: 9_973) {
            watched.passing.add("large secret", Array(large[place..<(place + 64)]))
        }
        return (process, watched)
    }

    private func expectNames(_ watched: Watched, hasSensor: Bool) {
        for keyClass in ["always", "afterFirstUnlock", "whenUnlocked", "whenPasscodeSet"] {
            for key in ["key", "plain way", "attributes"] {
                #expect(watched.openNames.contains("open \(keyClass) \(key)"))
            }
        }
        #expect(watched.openNames.contains("open gate key"))
        let gates = watched.openNames.filter { watched.isGate($0) }
        #expect(gates.count == (hasSensor ? 4 : 1), "\(gates)")  // presence, sensor, set; and the passcode's
        #expect(watched.openNames.filter { $0.hasPrefix("open fixed") }.count == 9)
        // Unprotected items have no key of their own.
        #expect(watched.passing.names.filter { $0.hasPrefix("item ") }.count == (hasSensor ? 5 : 3))
        #expect(watched.passing.names.filter { $0.hasPrefix("judging ") }.count == 4)
    }

    @Test(arguments: [true, false]) func aLockTakesKeysAndGatesAway(hasSensor: Bool) throws {
        let (process, watched) = try start(hasSensor: hasSensor)
        expectNames(watched, hasSensor: hasSensor)
        let all = watched.openNames

        // As a control, the search finds every open key, and what the process itself still holds.
        #expect(try watched.open.found(inMemoryOf: process.id) == all)
        #expect(
            try watched.passing.found(inMemoryOf: process.id).isSuperset(of: [
                "passcode", "application password", "secret", "large secret", "private key",
            ]))

        // Once the process has released its copies, the vault has none of them: no plaintext, no item key, nothing from
        // a check of the passcode. As long as the context holds the passcode, its gate is there as well.
        try process.command("d")
        let left = try watched.passing.found(inMemoryOf: process.id)
        #expect(left == ["judging passcode gate"])
        #expect(try watched.open.found(inMemoryOf: process.id) == all)

        try process.command("l")
        #expect(try watched.open.found(inMemoryOf: process.id) == all.subtracting(watched.closedByLock))
        #expect(try watched.passing.found(inMemoryOf: process.id) == [])

        // After an unlock the class keys are back, and the gates are not.
        if hasSensor {
            #expect(try process.command("m").map(\.name) == ["matched"])
        } else {
            #expect(try process.command("p", passcode).map(\.name) == ["entered"])
        }
        let gates = all.filter { watched.isGate($0) }
        #expect(try watched.open.found(inMemoryOf: process.id) == all.subtracting(gates))
        #expect(try watched.passing.found(inMemoryOf: process.id) == [])

        // After a restart, only what needs no authentication is open.
        try process.command("r")
        let always = all.filter {
            $0.hasPrefix("open always") || $0.hasPrefix("open fixed") || $0.hasSuffix(" password")
        }
        #expect(try watched.open.found(inMemoryOf: process.id) == always)

        try process.command("c")
        #expect(try watched.open.found(inMemoryOf: process.id) == [])
        #expect(try watched.passing.found(inMemoryOf: process.id) == [])
        try process.finish()
    }

    /// While the device is locked, a match can open the class keys again, so the key for that is there. A restart or an
    /// emergency wipes it.
    @Test(arguments: ["r", "g"] as [Character]) func whatAsksForThePasscodeTakesTheUnlockKeyAway(event: Character)
        throws
    {
        let (process, watched) = try start(hasSensor: true)
        try process.command("d")
        try process.command("l")
        let kept = try #require(try process.command("k").first { $0.name == "open unlock key" })
        var needles = Needles()
        needles.add(key: kept.bytes, kept.name)
        #expect(try needles.found(inMemoryOf: process.id) == [kept.name])
        try process.command(event)
        #expect(try needles.found(inMemoryOf: process.id) == [])
        #expect(try watched.open.found(inMemoryOf: process.id).isDisjoint(with: watched.closedByLock))
        try process.finish()
    }

    @Test func anEnrollmentChangeTakesTheGateOfTheSetAway() throws {
        let (process, watched) = try start(hasSensor: true)
        try process.command("d")
        try process.command("e")
        let found = try watched.open.found(inMemoryOf: process.id)
        let gone = watched.openNames.subtracting(found)
        #expect(gone.count == 1 && gone.allSatisfy { $0.contains("domain state") }, "\(gone)")
        try process.finish()
    }

    /// Closing an unlocked vault leaves nothing that opens anything, not even the device's own key.
    @Test func closingLeavesNoKey() throws {
        var (process, watched) = try start(hasSensor: true)
        let device = Array(try Data(contentsOf: folder.url.appending(path: "vault/device")))
        // The fixed key follows the head and the vault's identifier; the erase key follows the head of its slot.
        watched.open.add(key: Array(device[40..<72]), "the fixed key")
        let slots = [4096, 8192].map { Array(device[($0 + 24)..<($0 + 56)]) }.filter { $0.contains { $0 != 0 } }
        try #require(slots.count == 1)
        watched.open.add(key: slots[0], "the erase key")
        try process.command("d")
        #expect(try watched.open.found(inMemoryOf: process.id).contains("the fixed key"))
        #expect(try !watched.open.found(inMemoryOf: process.id).contains("the erase key"))
        try process.command("c")
        #expect(try watched.open.found(inMemoryOf: process.id) == [])
        #expect(try watched.passing.found(inMemoryOf: process.id) == [])
        // The files are closed as well.
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.id)/fd").compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process.id)/fd/\($0)")
        }
        #expect(open.filter { $0.hasPrefix(folder.url.path) } == [])
        try process.finish()
    }

    /// True if a process that crashes leaves its core dump in its folder.
    private static let coresAreLeft: Bool = {
        let pattern = (try? String(contentsOfFile: "/proc/sys/kernel/core_pattern", encoding: .utf8)) ?? "|"
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
        return !pattern.hasPrefix("|") && !pattern.contains("/") && limit.rlim_max > 0
    }()

    /// The core dump of a crashed process holds no secret, no key and no passcode, not even of what was open.
    @Test(
        .enabled(if: coresAreLeft, "skipped: cores are piped away or kept elsewhere on this machine"),
        arguments: [true, false])
    func aCoreHoldsNothing(isLocked: Bool) throws {
        let (process, watched) = try start(hasSensor: true)
        if isLocked {
            try process.command("d")
            try process.command("l")
        }
        // A core dump leaves out memory that was marked so, and contains the rest. Finding the marker shows that the
        // search works.
        let marker = Self.letters(64)
        var markers = Needles()
        markers.add("marker", marker)
        try process.command("x", marker)
        process.wait()
        let cores = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { $0.hasPrefix("core") }
        let path = folder.path(try #require(cores.first))
        #expect(try markers.found(inFile: path) == ["marker"])
        let keys = try watched.open.found(inFile: path)
        #expect(keys == [], "\(keys.sorted())")
        let passing = try watched.passing.found(inFile: path)
        #expect(passing == [], "\(passing.sorted())")
    }
}
