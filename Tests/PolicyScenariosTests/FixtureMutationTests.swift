import AccessPolicy
import ApplePlatform
import DeviceModel
import PolicyScenarios
import ScenarioFormat
import TestSupport
import Testing

private typealias Expectation = ScenarioFormat.Expectation

/// Every expectation of a fixture is checked: reversed alone, each makes its scenario fail at its step.
@Suite struct FixtureMutationTests {
    /// A reversed expectation.
    fileprivate struct Turn {
        let what: String
        let expectation: Expectation
    }

    @Test func everyExpectationThatIsTurnedRoundFails() throws {
        let suite = Suite(files: try ScenarioFixtures.all().map(\.path))
        let counts = Suite.concurrently(suite.scenarios.count) { Self.mutate(suite.scenarios[$0]) }
        #expect(counts.allSatisfy { $0 > 0 }, "every scenario expects something")
        #expect(counts.reduce(0, +) >= 1300)
    }

    /// The number of expectations that were reversed.
    private static func mutate(_ scenario: Scenario) -> Int {
        var count = 0
        for (place, step) in scenario.steps.enumerated() {
            guard let expectation = step.expectation else { continue }
            for turn in turns(of: expectation) {
                var mutated = scenario
                mutated.steps[place].expectation = turn.expectation
                let result = mutated.run()
                #expect(
                    result.failure?.number == place + 1,
                    "\(step.position): \(turn.what) goes unnoticed in \(scenario.name)")
                count += 1
            }
        }
        return count
    }

    /// Returns the expectations, each with one thing reversed.
    private static func turns(of expectation: Expectation) -> [Turn] {
        var turns: [Turn] = []
        func turn(_ what: String, _ change: (inout Expectation) -> Void) {
            var turned = expectation
            change(&turned)
            turns.append(Turn(what: what, expectation: turned))
        }
        func only(_ verdict: Expectation.Verdict) {
            turn("\(verdict)") { turned in
                turned.verdict = verdict
                turned.rule = nil
                turned.way = nil
                turned.refusal = nil
                turned.reusesUnlock = nil
                turned.status = nil
                turned.laError = nil
                turned.flips = []
            }
        }
        switch expectation.verdict {
        case .granted: only(.denied)
        case .denied: only(.granted)
        case .happens: only(.refused)
        case .refused: only(.happens)
        case .anything, nil: break
        }
        if let rule = expectation.rule {
            turn("rule") { $0.rule = rule == .itemUnbound ? .itemDuplicate : .itemUnbound }
        }
        if let refusal = expectation.refusal {
            turn("refusal") { $0.refusal = refusal == .noBackup ? .noSensor : .noBackup }
        }
        if let way = expectation.way {
            turn("way") { $0.way = way.contains(.companion) ? [.passcode] : way + [.companion] }
        }
        if let reuses = expectation.reusesUnlock { turn("reusesUnlock") { $0.reusesUnlock = !reuses } }
        if let status = expectation.status { turn("status") { $0.status = status == .decode ? .param : .decode } }
        if let error = expectation.laError {
            turn("laError") { $0.laError = error == .appCancel ? .userCancel : .appCancel }
        }
        if expectation.prompts != nil { turn("prompts") { $0.prompts = .count(77) } }
        if let alerts = expectation.permissionAlerts { turn("permissionAlerts") { $0.permissionAlerts = alerts + 1 } }
        if let secret = expectation.secret {
            turn("secret") { turned in
                if case .text = secret { turned.secret = Expectation.Secret.none } else { turned.secret = .text("?") }
            }
        }
        if let found = expectation.found {
            turn("found") { $0.found = Array(found.dropLast()) }
        }
        for (place, item) in expectation.items.enumerated() {
            turn("item") { $0.items[place].state = item.state == .present ? .gone : .present }
        }
        if let state = expectation.domainState {
            turn("domainState") { $0.domainState = state == .same ? .changed : .same }
        }
        if let device = expectation.device { turns += self.turns(of: device, in: expectation) }
        for place in expectation.flips.indices {
            turn("flips-with") { turned in
                guard case .step(var step) = turned.flips[place] else {
                    turned.flips[place] = .remedy(.nothing)
                    return
                }
                step.deed = .look  // Looking flips no denial.
                turned.flips[place] = .step(step)
            }
        }
        return turns
    }

    private static func turns(of device: Expectation.DeviceState, in expectation: Expectation) -> [Turn] {
        let keys: [WritableKeyPath<Expectation.DeviceState, Bool?>] = [
            \.isLocked, \.hasFirstUnlock, \.hasPasscode, \.isLockedOut, \.isPasscodeRequired, \.isDisabled,
        ]
        var turns: [Turn] = []
        for key in keys {
            guard let truth = device[keyPath: key] else { continue }
            var turned = expectation
            turned.device?[keyPath: key] = !truth
            turns.append(Turn(what: "device", expectation: turned))
        }
        if let enrolled = device.enrolled {
            var turned = expectation
            turned.device?.enrolled = enrolled + ["nobody's finger"]
            turns.append(Turn(what: "enrolled", expectation: turned))
        }
        return turns
    }
}
