internal import AccessPolicy
internal import DeviceModel
internal import Latchkey
internal import PolicyWords
internal import ScenarioFormat
internal import SecretVault
internal import Synchronization

/// The devices of a scenario, and the account that they share. A scenario with one device has no account.
final class Fleet: Sendable {
    /// The devices, in the order of the file.
    let stages: [Stage]
    /// The name of each device; none in a scenario with one device.
    let names: [String]
    /// False in a scenario with one device, in which nothing moves.
    private let hasAccount: Bool
    private let account = Mutex(State())

    fileprivate struct State {
        var synced = SyncedAccount<SyncedKeychain>()
        var secrets = AccountSecrets()
        /// The device of each number of the account.
        var order: [Int] = []
    }

    /// Sets up the devices. All are in the circle of their account, and nothing has moved yet.
    ///
    /// - Throws: ``StageError`` if a device cannot exist, or cannot store one of the items.
    init(_ scenario: Scenario, isAudited: Bool = false) throws(StageError) {
        names = scenario.devices.map(\.name)
        hasAccount = !names.isEmpty
        if !hasAccount {
            stages = [try Stage(scenario, isAudited: isAudited)]
            return
        }
        var stages: [Stage] = []
        for (place, device) in scenario.devices.enumerated() {
            var own = scenario
            own.device = device.setup
            if place > 0 { for item in own.items.indices { own.items[item].isStored = false } }
            stages.append(try Stage(own, isAudited: isAudited))
        }
        self.stages = stages
        for place in stages.indices {
            _ = apply(.signIn, on: place)
            _ = apply(place == 0 ? .establishCircle : .joinBySponsor(0), on: place)
        }
    }

    /// The device of a step.
    func stage(of step: Step) -> Stage { stages[step.device ?? 0] }

    /// Performs a step once and returns its outcome.
    func perform(_ step: Step) -> StepOutcome {
        let place = step.device ?? 0
        if !hasAccount { return stages[place].perform(step) }
        var outcome = StepOutcome()
        if case .account(let event) = step.deed {
            if let refusal = apply(event, on: place) {
                outcome.verdict = .refusedByAccount(refusal)
            } else {
                exchange(event, on: place, &outcome)
            }
            return outcome
        }
        let former = stages[place].life
        outcome = stages[place].perform(step)
        // Its owner, a restore or wrong passcodes may have erased the device. Otherwise, an unlock stores what waited.
        if stages[place].hasBegunAnew(since: former) { account.withLock { _ = $0.apply(place) { .erased($0) } } }
        exchange(nil, on: place, &outcome)
        return outcome
    }

    // MARK: - The account

    /// The account as it is now, with the number that each device has in it; nil in a scenario with one device.
    var accountNow: (synced: SyncedAccount<SyncedKeychain>, numbers: [AccountDeviceID?])? {
        if !hasAccount { return nil }
        return account.withLock { state in (state.synced, stages.indices.map { state.number(of: $0) }) }
    }

    /// Applies an event of the account to the device at this index, and returns the reason if it is refused.
    private func apply(_ step: AccountStep, on place: Int) -> AccountRefusal? {
        account.withLock { state in
            let passcode = stages[place].passcode.map { state.secrets.number(of: $0) }
            func applied(_ event: (AccountDeviceID) -> AccountEvent) -> AccountRefusal? {
                state.apply(place, passcode: passcode, event)
            }
            switch step {
            case .settle, .deliver: return nil
            case .signIn:
                if state.number(of: place) != nil { return applied { .signedInAgain($0) } }
                if let refusal = state.synced.apply(.signedIn(.full)) { return refusal }
                state.order.append(place)
                return nil
            case .signOut: return applied { .signedOut($0) }
            case .establishCircle: return applied { .circleEstablished($0) }
            case .joinBySponsor(let sponsor):
                guard let other = state.number(of: sponsor) else { return .notSignedIn }
                let isLocked = (try? stages[sponsor].keychain.device.isLocked) ?? true
                return applied { .joinedBySponsor($0, other, isSponsorUnlocked: !isLocked) }
            case .joinByPasscode(let typed, let owner):
                guard let other = state.number(of: owner) else { return .notSignedIn }
                let number = state.secrets.number(of: typed)
                return applied { .joinedByPasscode($0, other, number) }
            case .joinByRecoveryKey(let key):
                let number = state.secrets.number(of: key)
                return applied { .joinedByRecoveryKey($0, number) }
            case .setRecoveryKey(let key):
                let number = state.secrets.number(of: key)
                return applied { .recoveryKeySet($0, number) }
            case .leaveCircle: return applied { .leftCircle($0) }
            case .removeFromAccount: return applied { .removedFromList($0) }
            case .changeAccountPassword: return applied { .passwordChanged($0) }
            case .resetCircle: return applied { .circleReset($0) }
            case .offline(let isOffline): return applied { .networkChanged($0, isOffline: isOffline) }
            case .syncPasswords(let isOn): return applied { .syncSwitched($0, isOn) }
            }
        }
    }

    /// Moves the items that a step lets move. Without a step of the account, those that waited on the device are stored.
    private func exchange(_ step: AccountStep?, on place: Int, _ outcome: inout StepOutcome) {
        do {
            outcome.movements += try account.withLock { state throws(KeychainError) in
                try state.exchange(step, on: place, stages)
            }
            if case .signOut(deletesData: true) = step { try stages[place].keychain.deleteSyncedItemsOfApple() }
            noteArrivals()
        } catch {
            outcome.verdict = .broken("\(error)")
        }
    }

    /// Lets each device know the items that it has from another. A secret that no device has stored stays unknown.
    private func noteArrivals() {
        let secrets = stages[0].scenario.items.indices.map { place in
            stages.map { stage in stage.state.withLock { $0.items.secrets[place] } }
        }
        for stage in stages { stage.noteArrivals(secrets) }
    }
}

extension Stage {
    /// The keychain, and the number of the sensor, which an erasure changes.
    fileprivate var life: (keychain: Keychain, sensor: UInt32?) {
        (keychain, try? keychain.device.domainState.sensor)
    }

    /// Returns true if the device was erased, or is another one after a restore. A reset of the sensor alone leaves the passcode.
    fileprivate func hasBegunAnew(since former: (keychain: Keychain, sensor: UInt32?)) -> Bool {
        let now = life
        return now.keychain !== former.keychain || now.sensor != former.sensor && passcode == nil
    }

    /// Records each synchronizable item that is readable now, if its secret is one of those that some device has stored.
    fileprivate func noteArrivals(_ secrets: [[[UInt8]?]]) {
        watcher.aside {
            for (place, item) in scenario.items.enumerated() where item.isSynchronizable {
                let app = onlooker(item.app)
                guard let stored = try? keychain.inventory(reference(place), by: app) else { continue }
                let bytes: [UInt8]?
                do {
                    bytes = Self.bytes(of: try keychain.read(.id(stored.id), by: app, interaction: .fail))
                } catch {
                    continue  // A locked item is noted after the unlock.
                }
                if secrets[place].contains(bytes) {
                    state.withLock { $0.items.store(place, as: stored.id, bytes) }
                }
            }
        }
    }
}

extension Fleet.State {
    fileprivate func number(of place: Int) -> AccountDeviceID? {
        order.firstIndex(of: place).flatMap { AccountDeviceID(rawValue: UInt8($0)) }
    }

    fileprivate mutating func apply(
        _ place: Int, passcode: UInt32? = nil, _ event: (AccountDeviceID) -> AccountEvent
    ) -> AccountRefusal? {
        guard let number = number(of: place) else { return .notSignedIn }
        return synced.apply(event(number), passcode: passcode)
    }

    fileprivate mutating func exchange(
        _ step: AccountStep?, on place: Int, _ stages: [Stage]
    ) throws(KeychainError) -> [ItemMovement] {
        var devices: [SyncedAccount<SyncedKeychain>.Device?] = []
        for place in order {
            let passcode = stages[place].passcode.map { secrets.number(of: $0) }
            devices.append(.init(SyncedKeychain(stages[place].keychain), passcode: passcode))
        }
        guard let number = number(of: place) else { return [] }
        let movements: [SyncedAccount<SyncedKeychain>.Movement]
        switch step {
        case .settle: movements = try synced.settle(&devices)
        case .deliver: movements = try synced.deliver(to: number, &devices)
        case nil:
            var keychain = SyncedKeychain(stages[place].keychain)
            movements = try synced.storeWaiting(on: number, &keychain)
        default: movements = []
        }
        return movements.map {
            ItemMovement(device: order[Int($0.device.rawValue)], rule: $0.rule, label: $0.label)
        }
    }
}
