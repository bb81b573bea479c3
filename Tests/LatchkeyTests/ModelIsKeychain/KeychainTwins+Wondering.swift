import AccessPolicy
import DeviceModel
import Latchkey

// An app may ask what would be decided, and changes nothing by it.

extension KeychainTwins {
    /// Asks both what would come of doing `action` with an item.
    mutating func wonder(_ action: Action, _ number: Int, _ app: AppID, _ context: Int?) throws -> String? {
        var model = context.map { contexts[$0].model } ?? Context()
        let call = Call(
            .item(slots[number].id, action, demanding: nil), app: app, by: Person.absent, interaction: .preflight)
        var world = world
        let expected = world.perform(call, in: &model).decision
        let real = try keychain.decision(
            action, reference(number), by: Self.requesters[Int(app.rawValue)], in: context.map { contexts[$0].real })
        return expected.words == real.words ? nil : "\(expected.words) in the world, \(real.words) in the keychain"
    }

    /// Asks both what would come of evaluating a policy.
    mutating func wonder(_ policy: AuthenticationPolicy, _ app: AppID, _ context: Int) throws -> String? {
        var model = contexts[context].model
        var world = world
        let call = Call(.policy(policy), app: app, by: Person.absent, interaction: .preflight)
        let expected = world.perform(call, in: &model).decision
        let real = try contexts[context].real.decision(on: policy, by: Self.requesters[Int(app.rawValue)])
        return expected.words == real.words ? nil : "\(expected.words) in the world, \(real.words) in the keychain"
    }
}

extension Decision {
    fileprivate var words: String {
        switch self {
        case .granted: "granted"
        case .challenge(let ways): "asks for \(ways.map { $0.map(\.name) })"
        case .denied(let denial): denial.words
        }
    }
}
