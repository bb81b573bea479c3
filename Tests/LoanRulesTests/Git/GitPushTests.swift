import LoanRules
import TestSupport
import Testing

/// The commands at the beginning of a push.
@Suite struct GitPushTests {
    private static let zero = String(repeating: "0", count: 40)
    private static let one = String(repeating: "1", count: 40)
    private static let two = String(repeating: "2", count: 40)

    private static func packet(_ payload: String) -> String {
        let digits = String(payload.utf8.count + 4, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits + payload
    }

    private static func read(_ text: String, isWhole: Bool = true) throws(GitFault) -> GitPushReader.Progress {
        var reader = GitPushReader()
        return try reader.read(Array(text.utf8), isWhole: isWhole)
    }

    private static func push(_ text: String) throws -> GitPush {
        guard case .push(let push) = try read(text) else { throw GitFault.endsEarly }
        return push
    }

    private static let first = packet(
        "\(zero) \(one) refs/heads/agent/fix\0 report-status-v2 side-band-64k agent=git/2.39.5")

    @Test func commandsAreRead() throws {
        let others = [
            "\(Self.one) \(Self.two) refs/heads/main", "\(Self.one) \(Self.zero) refs/tags/v1\n",
            "\(Self.zero) \(Self.two) refs/heads/tags/x",
        ]
        let push = try Self.push(Self.first + others.map { Self.packet($0) }.joined() + "0000PACK\0\0")
        #expect(
            push.changes.map(\.text) == [
                "agent/fix at 1111111111", "main (update) at 2222222222", "tags/v1 (deletion)",
                "refs/heads/tags/x at 2222222222",
            ])
        #expect(push.changes.map(\.effect) == [.creation, .update, .deletion, .creation])
        #expect(push.changes[0].new == Self.one)
    }

    @Test func objectsOfSHA256AreRead() throws {
        let (zero, one) = (String(repeating: "0", count: 64), String(repeating: "f", count: 64))
        let push = try Self.push(Self.packet("\(zero) \(one) refs/heads/a\0object-format=sha256") + "0000")
        #expect(push.changes.map(\.text) == ["a at ffffffffff"])
    }

    @Test func aProbeIsNothingButAFlush() throws {
        #expect(try Self.read("0000") == .probe)
        #expect(try Self.read("0000", isWhole: false) == .needsMore)
        #expect(try Self.read("", isWhole: false) == .needsMore)
    }

    /// Wherever the bytes are cut, the result is that of all of them.
    @Test func bytesMayComeInPieces() throws {
        let bytes = Array((Self.first + Self.packet("\(Self.one) \(Self.two) refs/heads/b") + "0000").utf8)
        let whole = try Self.push(String(decoding: bytes, as: UTF8.self))
        for cut in 0..<bytes.count {
            var reader = GitPushReader()
            #expect(try reader.read(Array(bytes[..<cut]), isWhole: false) == .needsMore)
            #expect(try reader.read(bytes, isWhole: false) == .push(whole))
        }
    }

    @Test(arguments: [
        ("", GitFault.endsEarly), ("00", .endsEarly), ("0010", .endsEarly), (first, .endsEarly),
        ("00000000", .noCommand),
        ("0000PACK", .noCommand), ("zzzz", .lengthForm), ("00FF", .lengthForm), ("0001", .lengthForm),
        ("0002", .lengthForm), ("0003", .lengthForm), ("0004", .lengthForm), (" 123", .lengthForm), ("ffff", .tooLong),
        (packet("shallow \(one)"), .shallow), (packet("push-cert\0push-options"), .signed),
        (packet("\(zero) \(one) refs/heads/a\0push-options"), .pushOptions),
        (packet("\(zero) \(one) refs/heads/a\0report-status teleport"), .capability),
        (packet("\(zero) \(one) refs/heads/a\0agent=a\nb"), .capability),
        (packet("\(zero) \(one) refs/heads/a\0quiet\0atomic"), .capability),
        (packet("\(zero) \(one) refs/heads/a\0object-format=sha3"), .capability),
        (first + packet("\(zero) \(one) refs/heads/a\0quiet"), .commandForm),
        (packet("\(zero) \(zero) refs/heads/a"), .commandForm), (packet("\(zero) \(one)"), .commandForm),
        (packet("\(zero)\(one) refs/heads/a"), .commandForm), (packet("\(zero)  \(one) refs/heads/a"), .commandForm),
        (packet("\(zero.dropLast()) \(one.dropLast()) refs/heads/a"), .commandForm),
        (packet("\(zero) \(one)1111 refs/heads/a"), .commandForm),
        (packet("\(zero) \(String(repeating: "A", count: 40)) refs/heads/a"), .commandForm),
        (first + packet("\(one)\(one.prefix(24)) \(two)\(two.prefix(24)) refs/heads/b"), .commandForm),
        (first + packet("\(one) \(two) refs/heads/agent/fix"), .twice),
        (packet("\(zero) \(one) refs/heads/a\n\n"), .refForm),
        (packet("\(zero) \(one) refs/heads/a\n\0quiet"), .refForm), (packet("\(zero) \(one)  refs/heads/a"), .refForm),
        (packet("\(zero) \(one) refs/heads/ä"), .refForm), (packet("\(zero) \(one) HEAD"), .refForm),
        (packet("\n"), .commandForm), (packet("ERR no"), .commandForm),
        ((0...100).map { packet("\(zero) \(one) refs/heads/\($0)") }.joined() + "0000", .tooMany),
    ])
    func whatIsNoPushIsRefused(_ text: String, _ fault: GitFault) {
        #expect(throws: fault) { try Self.read(text) }
    }

    /// A push whose lines are each short enough, but not together.
    @Test func commandsAreBounded() {
        let words = "quiet " + String(repeating: "atomic ", count: 9_000)
        let text = Self.packet("\(Self.zero) \(Self.one) refs/heads/a\0\(words)")
        #expect(text.utf8.count < GitPushReader.longest)
        #expect(throws: GitFault.tooLong) {
            try Self.read(text + (0..<50).map { Self.packet("\(Self.zero) \(Self.one) refs/heads/\($0)") }.joined())
        }
    }

    /// Changed bytes crash nothing. What is still a push has as many commands as lines, with names that git allows.
    @Test func randomMutationsAreReadOrRefused() throws {
        var random = SplitMix(2_718)
        let bytes = Array((Self.first + Self.packet("\(Self.one) \(Self.two) refs/heads/b") + "0000PACK").utf8)
        var (pushes, faults) = (0, 0)
        for _ in 0..<20_000 {
            var mutated = bytes
            for _ in 0...Int(random.next() % 3) {
                let place = Int(random.next() % UInt64(mutated.count))
                switch random.next() % 4 {
                case 0: mutated[place] ^= 1 << UInt8(random.next() % 8)
                case 1: mutated.remove(at: place)
                case 2: mutated.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
                default: mutated[place] = UInt8(ascii: "0")
                }
            }
            var reader = GitPushReader()
            do throws(GitFault) {
                guard case .push(let push) = try reader.read(mutated, isWhole: true) else { continue }
                pushes += 1
                for change in push.changes {
                    guard mutated.contains(Array(change.ref.name.utf8)), change.new.utf8.count == 40 else {
                        Issue.record("\(change) in \(String(decoding: mutated, as: UTF8.self))")
                        break
                    }
                }
            } catch { faults += 1 }
        }
        #expect(pushes > 100 && faults > 100)
    }

    private struct SplitMix {
        private var state: UInt64
        init(_ seed: UInt64) { state = seed }
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }

    @Test func aReportNamesEachRef() throws {
        let push = try Self.push(Self.first + Self.packet("\(Self.one) \(Self.two) refs/heads/b") + "0000")
        #expect(push.takesReports)
        #expect(
            try !Self.push(Self.packet("\(Self.zero) \(Self.one) refs/heads/a\0report-status") + "0000").takesReports)
        let status =
            "000eunpack ok\n" + Self.packet("ng refs/heads/agent/fix no  way\n")
            + Self.packet("ng refs/heads/b no  way\n") + "0000"
        #expect(
            String(decoding: push.report(refusing: "no \nway"), as: UTF8.self) == Self.packet("\u{1}" + status) + "0000"
        )
    }
}
