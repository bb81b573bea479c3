import AccessPolicy
import DeviceModel
import Latchkey

// An app may ask for a decision, which changes nothing.

extension KeychainTwins {
    /// Asks both for a decision. Both know whether the password that the app has set opens the item.
    mutating func wonder(_ subject: Ask.Subject, _ app: AppID, _ number: Int?) throws -> String? {
        let kept = try number.map { contexts[$0] } ?? makeContext(Wishes())
        var model = kept.model
        var call = Call(subject.inWorld(slots), app: app, by: Person.absent, interaction: .preflight)
        call.applicationPassword = kept.wishes.password
        let before = world
        let expected = world.perform(call, in: &model).decision
        if let number { contexts[number].model = model }
        if world != before { return "the world has changed" }
        let requester = Self.requesters[Int(app.rawValue)]
        let real =
            switch subject {
            case .item(let slot, let action, _):
                try keychain.decision(action, reference(slot), by: requester, in: number.map { _ in kept.real })
            case .policy(let policy): try kept.real.decision(on: policy, by: requester)
            case .accessControl(let control, let operation):
                try kept.real.decision(on: control, for: operation, by: requester)
            }
        if let number { try restorePassword(of: .kept(number)) }
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
