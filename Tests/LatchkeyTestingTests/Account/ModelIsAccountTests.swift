import AccessPolicy
import DeviceModel
import Foundation
import LatchkeyTesting
import Security
import TestSupport
import Testing

/// The law of one device, for several: worlds of an account and simulated devices that live through the same steps give the
/// same answers, have the same items, and move the same items by the same rules.
///
/// `LATCHKEY_SOAK_STEPS` sets the number of steps.
@Suite struct ModelIsAccountTests {
    private static let steps = Soak.steps.map { $0 / 10 } ?? 4_000
    private static let length = 80

    @Test func worldsAndDevicesOfAnAccountAnswerAlike() throws {
        var tally = AccountTwins.Tally()
        var done = 0
        for sequence in 0..<max(1, Self.steps / Self.length) {
            var random = SeededGenerator(seed: DaySample.seed &+ UInt64(sequence))
            var twins = try AccountTwins(&random)
            for _ in 0..<Self.length {
                if let difference = try twins.step(&random, &tally) {
                    let history = twins.history.suffix(15).joined(separator: "\n")
                    Issue.record("seed \(DaySample.seed), sequence \(sequence), after\n\(history)\n\(difference)")
                    return
                }
                done += 1
            }
        }
        print("worlds of an account = devices: \(done) steps, none differs; \(tally)")
        // The test proves nothing unless the steps achieve something.
        #expect(tally.movements.values.reduce(0, +) > done / 20)
        let frequent: Set<SyncRule> = [
            .sent, .arrived, .arrivedDeletion, .waitsForUnlock, .thisDeviceOnly, .switchedOff,
        ]
        let rare: Set<SyncRule> = [.cloudWins, .lowerRecordWins, .higherRecordDropped, .waitsToBeSent, .sentDeletion]
        let rules = done > 50_000 ? frequent.union(rare) : frequent
        #expect(rules.isSubset(of: Set(tally.movements.keys)))
        #expect(tally.happened > done / 4 && tally.read > done / 10)
    }
}

/// An account of worlds and an account of simulated devices.
private struct AccountTwins {
    struct Tally: CustomStringConvertible {
        var happened = 0
        var refused = 0
        /// The reads that found an item.
        var read = 0
        var movements: [SyncRule: Int] = [:]

        var description: String {
            let rules = movements.sorted { $0.key.rawValue < $1.key.rawValue }.map {
                "\($0.key.identifier) \($0.value)"
            }
            return "\(happened) events and \(refused) refusals; \(rules.joined(separator: ", "))"
        }
    }

    private typealias Model = SyncedAccount<SyncingWorld>

    private static let count = 3
    private static let passcodes = ["1111", "2222", "3333"]
    private static let stores = [
        SeedStore(account: "unlocked"),
        SeedStore(account: "first unlock", accessible: kSecAttrAccessibleAfterFirstUnlock as String),
        SeedStore(account: "here", accessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly as String),
        SeedStore(account: "unlocked", syncs: false),
    ]
    private static let items = [
        Item(AccessControl(.whenUnlocked), isSynchronizable: true),
        Item(AccessControl(.afterFirstUnlock), isSynchronizable: true),
        Item(AccessControl(.whenUnlockedThisDeviceOnly), isSynchronizable: true), Item(AccessControl(.whenUnlocked)),
    ]

    private var model: Model
    private var worlds: [Model.Device?] = []
    private let account: SimulatedAccount
    private let devices: [SimulatedDevice]
    /// The numbers of the devices in the account, once they have signed in.
    private var numbers: [AccountDeviceID?]
    /// The number of the present passcode of each device.
    private var passcodes: [Int?]
    private let slots: [SlotID]
    private var secrets: UInt32 = 0
    var history: [String] = []

    init(_ random: inout SeededGenerator) throws {
        let seed = UInt64.random(in: 0 ... .max, using: &random)
        model = Model(seed: seed)
        account = SimulatedAccount(seed: seed)
        devices = Self.passcodes.map { SimulatedDevice(passcode: $0, lockGrace: .zero) }
        numbers = Array(repeating: nil, count: Self.count)
        passcodes = [0, 1, 2]
        slots = Self.items.indices.compactMap { SlotID(rawValue: UInt8($0)) }
        for place in 0..<Self.count {
            var world = World(Device(DeviceSettings(sensor: .touchID, lockGrace: .zero)))
            for item in Self.items { _ = try world.addSlot(for: item) }
            let finger = try #require(Finger(rawValue: 0))
            for event in [Event.passcodeSet(Self.passcode(place)), .enrolled(finger)] { world.apply(event) }
            worlds.append(.init(SyncingWorld(world), passcode: UInt32(place)))
        }
        // Most sequences begin with a circle.
        guard random.once(in: 5) == false else { return }
        for place in 0..<Self.count { _ = signIn(place) }
        _ = happens(0, { .circleEstablished($0) }, { $0.establishCircle() })
        let (sponsor, first) = (try #require(numbers[0]), devices[0])
        for place in 1..<Self.count {
            _ = happens(
                place, { .joinedBySponsor($0, sponsor, isSponsorUnlocked: true) }, { $0.join(sponsoredBy: first) })
        }
    }

    private static func passcode(_ place: Int) -> Passcode { Passcode(rawValue: UInt8(place))! }

    // MARK: - Steps

    /// Performs a random step on both. Returns the difference, if there is one.
    mutating func step(_ random: inout SeededGenerator, _ tally: inout Tally) throws -> String? {
        let place = Int.random(in: 0..<Self.count, using: &random)
        let other = Int.random(in: 0..<Self.count, using: &random)
        let slot = Int.random(in: 0..<Self.items.count, using: &random)
        let (account, devices) = (account, devices)
        account.clearRecords()
        var expected: [Model.Movement] = []
        let outcome: (model: Bool, real: Bool)
        switch Int.random(in: 0..<60, using: &random) {
        case 0..<13: outcome = write(.add, slot, on: place)
        case 13..<21: outcome = write(.update, slot, on: place)
        case 21..<25: outcome = write(.delete, slot, on: place)
        case 25..<33:
            history.append("settle")
            expected = moving { $0.settle(&$1) }
            account.settle()
            outcome = (true, true)
        case 33..<37:
            history.append("deliver to \(place)")
            if let number = numbers[place] { expected = moving { $0.deliver(to: number, &$1) } }
            account.deliver(to: devices[place])
            outcome = (true, true)
        case 37..<39:
            outcome = event(.lock, on: place, { $0.lock() }, &expected)
        case 39..<44:
            guard let code = passcodes[place] else { return nil }
            outcome = event(
                .passcodeEntered(Self.passcode(code)), on: place, { $0.unlock(passcode: Self.passcodes[code]) },
                &expected)
        case 44: outcome = event(.reboot, on: place, { $0.reboot() }, &expected)
        case 45:
            let isOffline = random.once(in: 3)
            if numbers[place] == nil { return nil }
            outcome = happens(place, { .networkChanged($0, isOffline: isOffline) }) {
                let wasOffline = $0.isOffline
                $0.isOffline = isOffline
                return $0.account(account) && wasOffline != isOffline
            }
        case 46:
            let isOn = !random.once(in: 3)
            outcome = happens(place, { .syncSwitched($0, isOn) }) {
                let wasOn = $0.syncsPasswords
                $0.syncsPasswords = isOn
                return $0.account(account) && wasOn != isOn
            }
        case 47..<50: outcome = signIn(place)
        case 50: outcome = happens(place, { .circleEstablished($0) }, { $0.establishCircle() })
        case 51..<55:
            guard let sponsor = numbers[other], let world = worlds[other]?.keychain.world, place != other else {
                return nil
            }
            outcome = happens(
                place, { .joinedBySponsor($0, sponsor, isSponsorUnlocked: !world.device.isLocked) },
                { $0.join(sponsoredBy: devices[other]) })
        case 55, 56:
            guard let owner = numbers[other], place != other else { return nil }
            let code = Int.random(in: 0..<Self.count, using: &random)
            outcome = happens(
                place, { .joinedByPasscode($0, owner, UInt32(code)) },
                { $0.join(withPasscode: Self.passcodes[code], of: devices[other]) })
        case 57 where random.once(in: 3): outcome = happens(place, { .leftCircle($0) }, { $0.leaveCircle() })
        case 57 where random.once(in: 2):
            outcome =
                Bool.random(using: &random)
                ? happens(place, { .removedFromList($0) }, { account.removeFromDeviceList($0) })
                : happens(place, { .signedOut($0) }, { $0.signOut() })
        case 57: outcome = erase(place)
        case 58 where random.once(in: 4):
            outcome = happens(place, { .circleReset($0) }, { account.resetCircle(by: $0) })
        default:
            let key = UInt32(100 + Int.random(in: 0..<2, using: &random))
            outcome =
                Bool.random(using: &random)
                ? happens(place, { .recoveryKeySet($0, key) }, { account.setRecoveryKey("key \(key)", by: $0) })
                : happens(place, { .joinedByRecoveryKey($0, key) }, { $0.join(withRecoveryKey: "key \(key)") })
        }
        if outcome.model { tally.happened += 1 } else { tally.refused += 1 }
        if outcome.model != outcome.real { return "world: \(outcome.model), device: \(outcome.real)" }
        for movement in expected { tally.movements[movement.rule, default: 0] += 1 }
        let moved = account.records.map { "\($0.device) \($0.rule.identifier)" }
        let wanted = expected.map { "device \($0.device.rawValue + 1) \($0.rule.identifier)" }
        if moved != wanted { return "worlds moved \(wanted), devices moved \(moved)" }
        return difference(&tally)
    }

    /// Lets the worlds exchange items. The account has them in the order in which they signed in.
    private mutating func moving(
        _ body: (inout Model, inout [Model.Device?]) -> [Model.Movement]
    ) -> [Model.Movement] {
        let places = worlds.indices.filter { numbers[$0] != nil }.sorted {
            (numbers[$0]?.rawValue ?? 0) < (numbers[$1]?.rawValue ?? 0)
        }
        var present = places.map { worlds[$0] }
        defer { for (place, world) in zip(places, present) { worlds[place] = world } }
        return body(&model, &present)
    }

    private mutating func signIn(_ place: Int) -> (model: Bool, real: Bool) {
        history.append("sign in \(place)")
        let isIn: Bool
        if let number = numbers[place] {
            isIn = model.apply(.signedInAgain(number)) == nil
        } else {
            isIn = model.apply(.signedIn(.full)) == nil
            numbers[place] = AccountDeviceID(rawValue: UInt8(model.account.members.count - 1))
        }
        return (isIn, account.signIn(devices[place]))
    }

    /// Applies an event of the account to both.
    private mutating func happens(
        _ place: Int, _ event: (AccountDeviceID) -> AccountEvent, _ body: (SimulatedDevice) -> Bool
    ) -> (model: Bool, real: Bool) {
        guard let number = numbers[place] else {
            history.append("nothing: \(place) is in no account")
            return (false, body(devices[place]))
        }
        let event = event(number)
        history.append("\(event) on \(place)")
        let isDone = model.apply(event, passcode: worlds[place]?.passcode) == nil
        return (isDone, body(devices[place]))
    }

    /// Applies an event of a device to both. An unlock stores what waited.
    private mutating func event(
        _ event: Event, on place: Int, _ body: (SimulatedDevice) -> Bool, _ expected: inout [Model.Movement]
    ) -> (model: Bool, real: Bool) {
        history.append("\(event) on \(place)")
        let effects = worlds[place]?.keychain.apply(event)
        if let number = numbers[place], var keychain = worlds[place]?.keychain {
            expected = model.storeWaiting(on: number, &keychain)
            worlds[place]?.keychain = keychain
        }
        return (effects?.refusal == nil, body(devices[place]))
    }

    private mutating func erase(_ place: Int) -> (model: Bool, real: Bool) {
        history.append("erase \(place)")
        worlds[place]?.keychain.apply(.erase)
        if let number = numbers[place] { model.apply(.erased(number)) }
        let isErased = devices[place].erase()
        // Its owner sets it up again.
        worlds[place]?.keychain.apply(.passcodeSet(Self.passcode(place)))
        worlds[place]?.passcode = UInt32(place)
        passcodes[place] = place
        return (isErased, devices[place].setPasscode(Self.passcodes[place]))
    }

    private mutating func write(_ action: Action, _ slot: Int, on place: Int) -> (model: Bool, real: Bool) {
        secrets += 1
        history.append("\(action) item \(slot) on \(place): secret \(secrets)")
        let call = Call(action, slots[slot], by: Person())
        let isGranted = worlds[place]?.keychain.perform(call, secret: secrets).decision.isGranted ?? false
        let store = Self.stores[slot]
        let status = devices[place].run {
            switch action {
            case .add: store.save("\(secrets)")
            case .update: store.update("\(secrets)")
            default: store.delete()
            }
        }
        return (isGranted, status == errSecSuccess)
    }

    // MARK: - Comparing

    private mutating func difference(_ tally: inout Tally) -> String? {
        for place in 0..<Self.count {
            let trust = numbers[place].map { model.account.trust(of: $0) } ?? .noAccount
            if "\(trust)" != "\(devices[place].trust)" { return "trust of \(place): \(trust), \(devices[place].trust)" }
            let tries = numbers[place].flatMap { model.account.escrow(of: $0) }.map { Int($0.triesLeft) }
            if tries != devices[place].escrowTriesLeft { return "tries of \(place): \(tries ?? -1)" }
            for (slot, store) in Self.stores.enumerated() {
                let call = Call(.readData, slots[slot], by: Person())
                let isGranted = worlds[place]?.keychain.perform(call).decision.isGranted ?? false
                let secret = isGranted ? worlds[place]?.keychain.secret(in: slots[slot]).map { "\($0)" } : nil
                let found = devices[place].run { store.load() }
                if secret != nil { tally.read += 1 }
                if secret != found {
                    return "item \(slot) on \(place): world \(secret ?? "none"), device \(found ?? "none")"
                }
            }
        }
        if model.cloud.count != account.itemCount { return "items: \(model.cloud.count), \(account.itemCount)" }
        return nil
    }
}

extension SimulatedDevice {
    /// Returns true if the device has been signed in to the account.
    fileprivate func account(_ account: SimulatedAccount) -> Bool { account.devices.contains { $0 === self } }
}
