import Foundation
import SodiumKit
import Synchronization
import TestSupport
import Testing
import UserPresence

/// Checks on many threads at once.
@Suite struct PAMThreadsTests {
    @Test func eightThreadsGetTheirOwnVerdicts() throws {
        let stacks = try (0..<2).map { try PAMStack(passcode: "passcode \($0)", ["info=stack \($0)"]) }
        let failures = Mutex<[String]>([])
        let checked = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for round in 0..<100 {
                let mine = (thread + round) % 2, typed = (thread * 31 + round * 7) % 3
                let expected: PasscodeResult.Verdict = typed == mine ? .accepted : .wrong
                guard let result = try? stacks[mine].authenticate("passcode \(typed)") else { continue }
                checked.add(1, ordering: .relaxed)
                if result.verdict != expected || result.notes != ["stack \(mine)"] {
                    failures.withLock { $0.append("\(thread), \(round): \(result)") }
                }
            }
        }
        #expect(failures.withLock { $0 } == [])
        #expect(checked.load(ordering: .relaxed) == 800)
    }
}
