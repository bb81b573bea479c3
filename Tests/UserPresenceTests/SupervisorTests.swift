import Dispatch
import LinuxSystem
import TestSupport
import Testing
import UserPresence

/// Timeouts of calls that may never return, and the places that they keep.
@Suite struct SupervisorTests {
    @Test func whatComesBackIsHanded() {
        let supervisor = Supervisor(places: 2)
        for number in 0..<20 {
            guard case .finished(number) = supervisor.run(upTo: 5_000, { number }) else {
                Issue.record("\(number) did not come back")
                return
            }
        }
        #expect(supervisor.leftBehind == 0)
    }

    @Test func whatDoesNotComeBackKeepsItsPlaceUntilItDoes() {
        let supervisor = Supervisor(places: 2)
        let gate = DispatchSemaphore(value: 0)
        for count in 1...2 {
            guard case .leftBehind = supervisor.run(upTo: 20, { gate.wait() }) else {
                Issue.record("it came back through a closed gate")
                return
            }
            #expect(supervisor.leftBehind == count)
        }
        let clock = ContinuousClock()
        let refusal = clock.measure {
            guard case .notBegun = supervisor.run(upTo: 60_000, { 0 }) else {
                Issue.record("there was a third place")
                return
            }
        }
        #expect(refusal < .seconds(50), "no caller waits for what was left behind")
        gate.signal()
        gate.signal()
        #expect(Patience.wait { supervisor.leftBehind == 0 })
        guard case .finished(7) = supervisor.run(upTo: 100_000, { 7 }) else {
            Issue.record("the places did not come back")
            return
        }
    }

    @Test func aPlaceThatIsInUseIsWaitedFor() {
        let supervisor = Supervisor(places: 1)
        let group = DispatchGroup()
        for _ in 0..<4 {
            DispatchQueue.global().async(group: group) {
                let outcome = supervisor.run(upTo: 200_000) { wait(milliseconds: 20) }
                guard case .finished = outcome else {
                    Issue.record("\(outcome)")
                    return
                }
            }
        }
        group.wait()
        #expect(supervisor.leftBehind == 0)
    }

    @Test func thePromptsEndIsTheEndOfWaiting() {
        let supervisor = Supervisor(places: 1)
        let gate = DispatchSemaphore(value: 0)
        let prompt = Prompt(PromptContent(.passcode))
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(30)) { prompt.end(.systemCanceled) }
        let taken = ContinuousClock().measure {
            guard case .leftBehind = supervisor.run(upTo: 120_000, until: prompt, { gate.wait() }) else {
                Issue.record("it came back through a closed gate")
                return
            }
        }
        #expect(taken < .seconds(100))
        gate.signal()
    }

    @Test func whoeverHearsOfTheEndHasAMomentToComeBack() {
        let supervisor = Supervisor(places: 1)
        let prompt = Prompt(PromptContent(.passcode))
        let gate = DispatchSemaphore(value: 0)
        prompt.whenOver { gate.signal() }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(10)) { prompt.end(.canceled) }
        let outcome = supervisor.run(upTo: 120_000, until: prompt) {
            gate.wait()
            return "restored"
        }
        guard case .finished("restored") = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }
}

private func wait(milliseconds: Int) {
    _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(milliseconds))
}
