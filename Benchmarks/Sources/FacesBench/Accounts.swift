import AccessPolicy
import DeviceModel
import LatchkeyTesting
import Measuring

/// Measures one step of an account with three model devices.
///
/// The devices are in the circle, and each has room for four synchronizable items. A step is one thing that happens on a
/// device (a call of an app, a lock, an unlock with what it stores, a loss of the network, leaving the circle or joining it),
/// and then `settle`, in which each device sends and fetches until nothing moves any more. A round has sixteen steps, and
/// begins with a copy of the same account.
func accountSteps(_: String) throws -> [Figure] {
    let model = try ModelAccount()
    let steps = ModelAccount.round
    var first = model
    for step in steps { try require(first.perform(step)) }
    // Five secrets are sent, and each reaches both of the others; the device that joins again fetches two items. One deletion is
    // sent, and reaches the other two.
    let wanted: [SyncRule: Int] = [.sent: 5, .arrived: 12, .sentDeletion: 1, .arrivedDeletion: 2]
    try require(wanted.allSatisfy { first.movements[$0.key] == $0.value })
    let rounds = 64
    let time = nanoseconds(per: rounds * steps.count) {
        for _ in 0..<rounds {
            var account = model
            for step in steps { keep(account.perform(step)) }
            keep(account)
        }
    }
    return [Figure(name: "account.step.ns", value: time, unit: "ns", runs: 31)]
}

/// Measures creating five simulated devices and an account that they are in, per device.
func devicesOfAccounts(_: String) throws -> [Figure] {
    let count = 5
    func create() -> SimulatedAccount {
        let account = SimulatedAccount()
        let first = SimulatedDevice()
        account.signIn(first)
        first.establishCircle()
        for _ in 1..<count {
            let device = SimulatedDevice()
            account.signIn(device)
            device.join(sponsoredBy: first)
        }
        return account
    }
    for _ in 0..<4 {
        let account = create()
        try require(account.devices.count == count && account.devices.allSatisfy { $0.trust == .inCircle })
    }
    let times = (0..<101).map { _ in nanoseconds { keep(create()) } / 1e3 / Double(count) }
    return [Figure(name: "device.create.account.us", value: median(times), unit: "µs", runs: times.count)]
}

/// Three worlds in the circle of an account.
private struct ModelAccount {
    enum Step {
        case call(Action, Int)
        case event(Event)
        case offline(Bool)
        case leave
        case join
    }

    private typealias Synced = SyncedAccount<SyncingWorld>

    private static let passcode = Passcode(rawValue: 0)!
    private static let ids = (0..<3).map { AccountDeviceID(rawValue: $0)! }
    private static let slots = (0..<4).map { SlotID(rawValue: $0)! }

    /// The steps of a round, each with its device.
    static let round: [(device: Int, step: Step)] = [
        (0, .call(.add, 0)), (1, .call(.add, 1)), (2, .call(.update, 0)), (1, .call(.readData, 0)),
        (1, .event(.lock)), (0, .call(.update, 1)), (1, .event(.passcodeEntered(passcode))), (1, .call(.readData, 1)),
        (2, .offline(true)), (0, .call(.update, 0)), (2, .offline(false)), (2, .call(.readData, 0)),
        (2, .leave), (2, .join), (2, .call(.delete, 1)), (1, .call(.readData, 0)),
    ]

    private var account = Synced(seed: 1)
    private var devices: [Synced.Device?] = []
    /// The movements so far, by their rules.
    private(set) var movements: [SyncRule: Int] = [:]

    init() throws {
        for place in 0..<3 {
            var world = World(Device(DeviceSettings(sensor: .touchID, lockGrace: .zero)))
            for _ in Self.slots {
                _ = try world.addSlot(for: Item(AccessControl(.whenUnlocked), isSynchronizable: true))
            }
            world.apply(.passcodeSet(Self.passcode))
            devices.append(.init(SyncingWorld(world), passcode: 0))
            try require(account.apply(.signedIn(.full)) == nil)
            let id = Self.ids[place]
            let event =
                place == 0
                ? .circleEstablished(id) : AccountEvent.joinedBySponsor(id, Self.ids[0], isSponsorUnlocked: true)
            try require(account.apply(event, passcode: 0) == nil)
        }
        count(account.settle(&devices))
        try require(movements.isEmpty)
    }

    /// Performs a step and settles. Returns false if the step is refused.
    mutating func perform(_ step: (device: Int, step: Step)) -> Bool {
        let id = Self.ids[step.device]
        let isDone: Bool
        switch step.step {
        case .call(let action, let slot):
            let call = Call(action, Self.slots[slot], by: Person())
            isDone = devices[step.device]?.keychain.perform(call, secret: 1).decision.isGranted ?? false
        case .event(let event):
            isDone = devices[step.device]?.keychain.apply(event).refusal == nil
            if var keychain = devices[step.device]?.keychain {
                count(account.storeWaiting(on: id, &keychain))
                devices[step.device]?.keychain = keychain
            }
        case .offline(let isOffline): isDone = account.apply(.networkChanged(id, isOffline: isOffline)) == nil
        case .leave: isDone = account.apply(.leftCircle(id)) == nil
        case .join:
            isDone = account.apply(.joinedBySponsor(id, Self.ids[0], isSponsorUnlocked: true), passcode: 0) == nil
        }
        count(account.settle(&devices))
        return isDone
    }

    private mutating func count(_ moved: [Synced.Movement]) {
        for movement in moved { movements[movement.rule, default: 0] += 1 }
    }
}
