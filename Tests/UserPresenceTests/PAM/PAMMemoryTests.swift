import Foundation
import SodiumKit
import TestSupport
import Testing
import UserPresence

/// Traces of a passcode in the memory of a process after its check.
///
/// Each search runs in a separate process that knows the passcode only in disguise. So every copy that it finds was
/// left by the check.
@Suite struct PAMMemoryTests {
    @Test func nothingIsLeftOfTheRightPasscode() async {
        await #expect(processExitsWith: .success) {
            let canary = Canary(), stack = try PAMStack()
            try stack.setPasscode(canary.disguised, disguisedWith: Canary.mask)
            try canary.expectNothingLeft { #expect(stack.authenticator().authenticate($0).verdict == .accepted) }
        }
    }

    @Test func nothingIsLeftOfAWrongPasscode() async {
        await #expect(processExitsWith: .success) {
            let canary = Canary(), stack = try PAMStack()
            try canary.expectNothingLeft { #expect(stack.authenticator().authenticate($0).verdict == .wrong) }
        }
    }

    @Test func nothingIsLeftOfARefusedQuestion() async {
        await #expect(processExitsWith: .success) {
            let canary = Canary(), stack = try PAMStack(["prompt=twice"])
            try canary.expectNothingLeft {
                #expect(stack.authenticator().authenticate($0).verdict == .unavailable(.unexpectedPrompt))
            }
        }
    }

    /// A call that hangs loses the passcode at its timeout, and not only when it returns.
    @Test func nothingIsLeftWithACallThatHangs() async {
        await #expect(processExitsWith: .success) {
            let canary = Canary(), stack = try PAMStack()
            try stack.hang()
            try canary.expectNothingLeft {
                #expect(stack.authenticator(patience: 100).authenticate($0).verdict == .unavailable(.hung(seconds: 1)))
                #expect(canary.copies() == 3, "the caller's own")
            }
        }
    }
}

/// A passcode that the memory is searched for. It lies where the search does not look.
struct Canary: ~Copyable {
    private static let size = 48
    private static let part = 16
    private static let window = 1 << 20
    static let mask: UInt8 = 0xA5

    /// The passcode as it may appear in memory.
    let disguised: [UInt8]

    /// The window for reading memory. The passcode lies behind it.
    private let base: UnsafeMutableRawPointer

    init() {
        disguised = (0..<Self.size).map { _ in UInt8.random(in: UInt8(ascii: "0")...UInt8(ascii: "z")) ^ Self.mask }
        base = mmap(nil, Self.window + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        for (index, byte) in disguised.enumerated() {
            base.storeBytes(of: byte ^ Self.mask, toByteOffset: Self.window + index, as: UInt8.self)
        }
    }

    deinit { munmap(base, Self.window + 4096) }

    /// Lends the passcode to `use`, and expects that no copy is left afterwards.
    func expectNothingLeft(of use: (borrowing SecureBytes) throws -> Void) throws {
        #expect(copies() == 0)
        do {
            var passcode = try SecureBytes(count: Self.size)
            passcode.withMutableBytes { bytes in
                for (index, byte) in disguised.enumerated() { bytes[index] = byte ^ Self.mask }
            }
            #expect(copies() == 3, "the search finds what is there")
            try use(passcode)
        }
        #expect(copies() == 0)
    }

    /// Returns the number of thirds of the passcode in writable memory. An allocator overwrites the beginning of a
    /// freed block.
    func copies() -> Int {
        let memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
        defer { close(memory) }
        let mine = UInt(bitPattern: base)
        var found = 0
        for line in (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8))?.split(separator: "\n") ?? [] {
            let fields = line.split(separator: " ")
            let ends = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            guard fields[1].hasPrefix("rw"), ends.count == 2 else { continue }
            // The kernel may have joined the window with its neighbors.
            let pieces = [(ends[0], min(ends[1], mine)), (max(ends[0], mine + UInt(Self.window) + 4096), ends[1])]
            for (start, end) in pieces where start < end { found += copies(in: memory, from: start, to: end) }
        }
        return found
    }

    private func copies(in memory: Int32, from start: UInt, to end: UInt) -> Int {
        var start = start, found = 0
        while start < end {
            let wanted = min(Self.window, Int(end - start))
            let got = pread(memory, base, wanted, off_t(start))
            guard got > 0 else { return found }
            for offset in stride(from: 0, to: Self.size, by: Self.part) {
                found += Self.count(of: base + Self.window + offset, in: base, got)
            }
            if got < wanted || start + UInt(got) == end { return found }
            start += UInt(got - Self.part)
        }
        return found
    }

    private static func count(of needle: UnsafeRawPointer, in base: UnsafeRawPointer, _ size: Int) -> Int {
        let first = Int32(needle.load(as: UInt8.self))
        var place = base, found = 0
        while let hit = memchr(place, first, base + size - place).map({ UnsafeRawPointer($0) }) {
            if base + size - hit >= part, memcmp(hit, needle, part) == 0 { found += 1 }
            place = hit + 1
        }
        return found
    }
}
