import AccessPolicy
import Foundation
import LivePage
import PlainText
import PolicyScenarios
import ScenarioFormat
import TestSupport
import Testing

/// The live page plays a scenario as the runner does.
@Suite struct LivePlayerTests {
    /// The parts of a step that both tell.
    private struct Told: Equatable, CustomStringConvertible {
        var words: String
        var outcome: String
        var succeeded: Bool
        var prompts: [String]
        var device: String?
        var movements: [String]

        var description: String {
            "\(device ?? "the device"): \(words): \(outcome), prompts \(prompts), moved \(movements)"
        }
    }

    private static let accounts = Result { try ScenarioFixtures.all().filter { $0.name.hasPrefix("account/") } }

    private func told(_ scenario: Scenario) -> [Told] {
        let names = scenario.devices.map(\.name)
        var told: [Told] = []
        let result = scenario.run { _, step, outcome in
            let movements = outcome.movements.map { "\(names[$0.device]) \($0.label ?? "-") \($0.rule.identifier)" }
            told.append(
                Told(
                    words: step.words, outcome: outcome.inWords, succeeded: outcome.succeeded,
                    prompts: outcome.prompts.map(\.name), device: names.isEmpty ? nil : names[step.device ?? 0],
                    movements: movements))
        }
        #expect(result.passed, "\(scenario.name)")
        return told
    }

    private func told(_ steps: [LiveStep]) -> [Told] {
        steps.map { step in
            Told(
                words: step.words, outcome: step.outcome, succeeded: step.succeeded, prompts: step.prompts,
                device: step.device,
                movements: step.movements.map { "\($0.device) \($0.item ?? "-") \($0.rule.id)" })
        }
    }

    @Test func everyStepOfEveryAccountComesOutAsInARun() throws {
        let fixtures = try Self.accounts.get()
        #expect(fixtures.count >= 6)
        var movements = 0
        for fixture in fixtures {
            let scenario = try OpenScenario(fixture.path)
            let history = try LivePlayer(scenario, drives: false).hub.history
            #expect(told(history.steps) == told(scenario.scenario), "\(fixture.name)")
            #expect(history.steps.flatMap(\.findings).isEmpty, "\(fixture.name)")
            movements += history.steps.reduce(0) { $0 + $1.movements.count }
            let names = scenario.scenario.devices.map(\.name)
            for state in [history.beginning] + history.steps.compactMap(\.state) {
                #expect(([state] + state.others).map(\.title) == names)
                #expect(state.account?.members.map(\.title) == names)
                #expect(state.others.allSatisfy { $0.account == nil && $0.others.isEmpty })
            }
            #expect(history.steps.allSatisfy { $0.state != nil })
            #expect(!history.json.contains("the runner of the scenario"), "no record shows how the runner looks")
        }
        #expect(movements > 20)
    }

    /// Each expectation about the account is met or among the findings, and never both.
    @Test func everyExpectationAboutTheAccountIsMet() throws {
        var met = 0
        for fixture in try Self.accounts.get() {
            let scenario = try OpenScenario(fixture.path)
            let steps = try LivePlayer(scenario, drives: false).hub.history.steps
            let expected = scenario.scenario.steps.flatMap { step -> [Int] in
                let count = (step.expectation?.moved == nil ? 0 : 1) + (step.expectation?.accountRefusal == nil ? 0 : 1)
                return Array(repeating: count, count: step.times)
            }
            #expect(steps.map(\.met.count) == expected, "\(fixture.name)")
            met += expected.reduce(0, +)
        }
        #expect(met > 10)
    }

    private static let text = """
        devices: { phone: iPhoneWithFaceID, pad: { passcode: "9999" } }
        items: { seed: { synchronizable: true } }
        """

    @Test func anUnmetExpectationIsAFindingAtItsStep() throws {
        let scenario = try OpenScenario(bytes: Array(Self.text.utf8), of: "a.yaml", isOfRequest: false)
        let player = try LivePlayer(scenario, drives: true)
        let steps = try player.play(
            Array(
                """
                [{"settle": null, "on": "pad", "expect": {"happens": null, "moved": "sync.sent"}},
                 {"leaveCircle": null, "on": "pad", "expect": {"refused": "onlyMember"}},
                 {"offline": true, "on": "pad"}, {"lock": null, "on": "pad"}]
                """.utf8))
        #expect(steps.map(\.device) == ["pad", "pad", "pad", "pad"])
        #expect(steps.map(\.met) == [[], [], [], []])
        #expect(steps.map { $0.findings.map(\.expected) } == [["moved: sync.sent"], ["refused: onlyMember"], [], []])
        #expect(steps[0].findings.map(\.actual) == ["sync.sent, sync.arrived"])
        let last = try #require(steps[3].state?.account)
        #expect(last.members.map(\.isOffline) == [false, true])
    }

    @Test func aRequestBeginsWithSeveralDevices() throws {
        let one = try OpenScenario(bytes: Array("items: { token: }".utf8), of: "a.yaml", isOfRequest: false)
        let player = try LivePlayer(one, drives: true)
        #expect(player.hub.state.account == nil && player.hub.state.others.isEmpty && player.hub.state.title == nil)
        try player.begin(Array(Self.text.utf8))
        #expect(player.hub.state.title == "phone" && player.hub.state.others.map(\.title) == ["pad"])
        #expect(player.hub.state.account?.hasCircle == true)
    }

    /// A scenario with one device has nothing of an account in any step.
    @Test func oneDeviceHasNoAccount() throws {
        let scenario = try OpenScenario(
            bytes: Array("items: { token: }\nsteps: [{ read: token }, lock, { read: token, expect: anything }]".utf8),
            of: "a.yaml", isOfRequest: false)
        let history = try LivePlayer(scenario, drives: false).hub.history
        #expect(told(history.steps) == told(scenario.scenario))
        for step in history.steps {
            #expect(step.device == nil && step.movements.isEmpty && step.met.isEmpty && step.state?.account == nil)
        }
    }
}
