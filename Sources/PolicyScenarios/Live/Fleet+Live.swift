internal import DeviceModel
internal import Latchkey
internal import LivePage
internal import ScenarioFormat

extension Fleet {
    /// Returns the state of every device, as its vault has it, and of the account that they share.
    ///
    /// - Throws: ``KeychainError`` if a vault cannot be read.
    func liveState() throws(KeychainError) -> LiveState {
        var states: [LiveState] = []
        for stage in stages { states.append(try stage.liveState()) }
        guard let (synced, numbers) = accountNow else { return states[0] }
        for place in states.indices { states[place].title = names[place] }
        var first = states.removeFirst()
        first.others = states
        first.account = LiveAccount(
            synced.account, Array(zip(names, numbers)), itemCount: synced.cloud.count,
            waits: { synced.cloud.waits(on: $0) })
        return first
    }

    /// The name of the device on which a step happens; nil in a scenario with one device.
    func deviceName(of step: Step) -> String? { names.isEmpty ? nil : names[step.device ?? 0] }

    /// Returns the movements of a step, each with the name of its device.
    func liveMovements(of outcome: StepOutcome) -> [LiveMovement] {
        outcome.movements.map { LiveMovement(of: $0.label, at: names[$0.device], by: $0.rule) }
    }
}
