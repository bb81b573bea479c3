import AgentProtocol
import Synchronization
import Testing
import VaultService

/// The limits on what one program may ask for, with a clock that the test rules.
@Suite struct AskingLimitsTests {
    private final class Clock: Sendable {
        private let time = Mutex<Int64>(1_000_000)

        var now: Int64 { time.withLock { $0 } }
        func skip(_ milliseconds: Int64) { time.withLock { $0 += milliseconds } }
    }

    private let clock = Clock()

    private func limits(mostInAll: Int = .max, mostMisses: Int = .max) -> AskingLimits<String> {
        AskingLimits(mostInAll: mostInAll, mostMisses: mostMisses) { [clock] in clock.now }
    }

    @Test func oneProcessTakesNoPlacesOfOthersAndADismissalLasts() {
        let limits = limits()
        #expect((0..<10).count { _ in limits.begin(["1"], atMost: 4) } == 4)
        #expect(limits.begin(["2"], atMost: 4))
        limits.end(["1"])
        #expect(limits.begin(["1"], atMost: 4) && !limits.begin(["1"], atMost: 4))
        #expect((0..<100).count { _ in limits.begin(["3"], atMost: 64) } == 64)
        #expect(!limits.isSilent(["1"]))
        limits.noteDismissal(["1"])
        #expect(limits.isSilent(["1"]) && !limits.isSilent(["2"]))
        clock.skip(59_999)
        #expect(limits.isSilent(["1"]))
        clock.skip(1)
        #expect(!limits.isSilent(["1"]) && limits.silences.isEmpty)
    }

    @Test func eachNameOfAProgramIsEnoughToKnowIt() {
        let limits = limits(mostInAll: 4, mostMisses: 4)
        #expect(limits.begin(["/a", ":1"], atMost: 1))
        #expect(!limits.begin(["/a", ":2"], atMost: 1) && !limits.begin(["/b", ":1"], atMost: 1))
        #expect(limits.begin(["/b", ":2"], atMost: 1))
        limits.end(["/a", ":1"])
        #expect(limits.begin(["/a", ":3"], atMost: 1))
        limits.noteDismissal(["/a", ":3"])
        #expect(limits.isSilent(["/a", ":4"]) && limits.isSilent(["/c", ":3"]) && !limits.isSilent(["/c", ":4"]))
        #expect(Set(limits.silences.map(\.name)) == ["/a", ":3"])
        #expect(limits.silences.allSatisfy { $0.end == clock.now + 60_000 })
    }

    @Test func fourRequestsOfAllProgramsWaitAtATime() {
        let limits = limits(mostInAll: 4)
        #expect((0..<10).count { limits.begin(["/\($0)"], atMost: 1) } == 4)
        limits.end(["/0"])
        #expect(limits.begin(["/9"], atMost: 1) && !limits.begin(["/0"], atMost: 1))
    }

    /// A program that opens a prompt and closes it again, over and over, is one that floods the user too.
    @Test func fourPromptsWithoutAnAnswerSilenceTheirProgram() {
        let limits = limits(mostInAll: 4, mostMisses: 4)
        for _ in 0..<3 {
            limits.noteMiss(["/a", ":1"])
            clock.skip(10_000)
        }
        #expect(!limits.isSilent(["/a", ":1"]))
        limits.noteMiss(["/a", ":2"])
        #expect(limits.isSilent(["/a", ":3"]) && !limits.isSilent(["/b", ":1"]))
        #expect(limits.silences.map(\.name) == ["/a"])
        // The first of them no longer counts.
        clock.skip(30_000)
        #expect(!limits.isSilent(["/a", ":3"]))
    }

    /// A program can copy itself, and each copy has another name.
    @Test func afterFourProgramsWithoutAnAnswerAllAreSilent() {
        let limits = limits(mostInAll: 4, mostMisses: 4)
        for number in 0..<3 {
            limits.noteDismissal(["/copy\(number)"])
            clock.skip(1_000)
        }
        #expect(!limits.isSilent(["/other"]))
        limits.noteMiss(["/copy3"])
        #expect(limits.isSilent(["/other"]))
        #expect(limits.silences.contains { $0.name == nil && $0.end == clock.now + 57_000 })
        clock.skip(57_000)
        #expect(!limits.isSilent(["/other"]) && limits.isSilent(["/copy2"]))
        limits.noteDismissal(["/copy4"])
        limits.endSilences()
        #expect(!limits.isSilent(["/copy4"]) && limits.silences.isEmpty)
    }
}
