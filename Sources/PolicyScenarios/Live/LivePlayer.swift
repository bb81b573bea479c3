internal import Latchkey
package import LivePage
package import ScenarioFormat
internal import Synchronization

/// A scenario that is played step by step, as requests ask for it.
package final class LivePlayer: LiveDriver {
    private struct Playing {
        var scenario: OpenScenario
        var fleet: Fleet
        /// The number of steps so far.
        var count = 0
    }

    /// The name of a text in a request, in the places of its mistakes.
    private static let request = "request"

    /// The history, which grows with each step.
    package let hub: LiveHub
    private let drives: Bool
    private let playing: Mutex<Playing>

    /// Creates the devices of a scenario, and plays the steps of its text.
    ///
    /// - Parameters:
    ///   - scenario: The scenario.
    ///   - drives: True if requests may change the device.
    /// - Throws: ``LiveMistakes`` if the device cannot exist or cannot store an item.
    package init(_ scenario: OpenScenario, drives: Bool) throws(LiveMistakes) {
        let fleet = try Self.fleet(scenario)
        self.drives = drives
        hub = LiveHub(try Self.history(scenario, fleet, drives: drives))
        playing = Mutex(Playing(scenario: scenario, fleet: fleet))
        playing.withLock { playing in
            for step in scenario.scenario.steps { _ = Self.play(step, in: &playing, hub) }
        }
    }

    /// Begins anew with another device.
    package func begin(_ head: [UInt8]) throws(LiveMistakes) {
        let scenario: OpenScenario
        do {
            scenario = try OpenScenario(bytes: head, of: Self.request, isOfRequest: true)
        } catch {
            throw LiveMistakes(error)
        }
        let fleet = try Self.fleet(scenario)
        let history = try Self.history(scenario, fleet, drives: drives)
        playing.withLock { playing in
            playing = Playing(scenario: scenario, fleet: fleet)
            hub.begin(history)
        }
    }

    /// Plays one step or a list of steps. If a text has a mistake, none of its steps is played.
    package func play(_ steps: [UInt8]) throws(LiveMistakes) -> [LiveStep] {
        try playing.withLock { playing throws(LiveMistakes) in
            let read: [Step]
            do throws(ScenarioMistakes) {
                read = try playing.scenario.steps(in: steps, of: Self.request)
            } catch {
                throw LiveMistakes(error)
            }
            return read.flatMap { Self.play($0, in: &playing, hub) }
        }
    }

    private static func fleet(_ scenario: OpenScenario) throws(LiveMistakes) -> Fleet {
        do { return try Fleet(scenario.scenario, isAudited: true) } catch {
            throw LiveMistakes(["\(error.position): \(error.what)"])
        }
    }

    private static func history(
        _ scenario: OpenScenario, _ fleet: Fleet, drives: Bool
    ) throws(LiveMistakes) -> LiveHistory {
        let name = scenario.scenario.name
        do {
            return LiveHistory(
                title: name.isEmpty ? "a simulated device" : name, drives: drives, beginning: try fleet.liveState())
        } catch {
            throw LiveMistakes(["the vault of the device cannot be read: \(error)"])
        }
    }

    private static func play(_ step: Step, in playing: inout Playing, _ hub: LiveHub) -> [LiveStep] {
        (1...step.times).map { _ in
            let outcome = playing.fleet.perform(step)
            let stage = playing.fleet.stage(of: step)
            // A step that states no expectation may come out in any way: its reply says how.
            let findings =
                step.expectation == nil
                ? stage.consumeTrouble() : stage.findings(of: step, outcome) + stage.consumeTrouble()
            playing.count += 1
            var played = LiveStep(step, outcome, findings, on: playing.fleet)
            played.number = playing.count
            played.state = try? playing.fleet.liveState()
            hub.add(played)
            return played
        }
    }
}

extension LiveMistakes {
    /// Creates the mistakes of a text, each with its place.
    package init(_ mistakes: ScenarioMistakes) { self.init(mistakes.all.map { "\($0)" }) }
}
