internal import AccessPolicy
internal import DeviceModel
internal import Latchkey
internal import Synchronization

/// An account and its devices. The account and each device that has been signed in to it share it.
final class AccountCore: Sendable {
    fileprivate struct Place {
        /// Keeps the device for as long as the test has the account.
        var held: SimulatedDevice?
        weak var device: SimulatedDevice?
    }

    fileprivate struct State {
        var account: SyncedAccount<SyncedKeychain>
        var places: [Place] = []
        var records: [SyncRecord] = []
        var secrets = AccountSecrets()
    }

    private let state: Mutex<State>

    init(_ choices: Account.Choices, seed: UInt64) {
        state = Mutex(State(account: SyncedAccount(choices, seed: seed)))
    }

    /// Lets go of the devices. Those that the test still has go on as before.
    func letGo() {
        // A device may end with this, which is none of the lock's business.
        let held = state.withLock { state in
            defer { for place in state.places.indices { state.places[place].held = nil } }
            return state.places.map(\.held)
        }
        withExtendedLifetime(held) {}
    }

    var devices: [SimulatedDevice] { state.withLock { $0.places.compactMap(\.device) } }
    var records: [SyncRecord] { state.withLock { $0.records } }
    func clearRecords() { state.withLock { $0.records = [] } }
    var count: Int { state.withLock { $0.account.cloud.count } }
    var nextRecord: Cloud<SyncedKeychain>.NextRecord {
        get { state.withLock { $0.account.cloud.nextRecord } }
        set { state.withLock { $0.account.cloud.nextRecord = newValue } }
    }

    func member(_ device: SimulatedDevice) -> Account.Member? {
        state.withLock { state in state.number(of: device).flatMap { state.account.account[$0] } }
    }
    func trust(of device: SimulatedDevice) -> Account.Trust {
        state.withLock { state in state.number(of: device).map { state.account.account.trust(of: $0) } ?? .noAccount }
    }
    func triesLeft(of device: SimulatedDevice) -> Int? {
        state.withLock { state in
            state.number(of: device).flatMap { state.account.account.escrow(of: $0) }.map { Int($0.triesLeft) }
        }
    }

    // MARK: - Events

    /// Signs a device in, and returns the reason if that is refused.
    func signIn(_ device: SimulatedDevice, as kind: AccountDeviceKind) -> AccountRefusal? {
        state.withLock { state in
            if let number = state.number(of: device) {
                if state.account.account[number]?.kind != kind { return .nothingToChange }
                return state.account.apply(.signedInAgain(number))
            }
            if let refusal = state.account.apply(.signedIn(kind)) { return refusal }
            state.places.append(Place(held: device, device: device))
            return nil
        }
    }

    /// Applies an event about one device, and returns the reason if it is refused.
    func apply(
        to device: SimulatedDevice, _ event: (AccountDeviceID) -> AccountEvent
    ) -> AccountRefusal? {
        state.withLock { state in
            guard let number = state.number(of: device) else { return .notSignedIn }
            let passcode = device.passcode.map { state.secrets.number(of: $0) }
            return state.account.apply(event(number), passcode: passcode)
        }
    }

    /// Applies an event about one device and another.
    func apply(
        to device: SimulatedDevice, and other: SimulatedDevice,
        _ event: (AccountDeviceID, AccountDeviceID) -> AccountEvent
    ) -> AccountRefusal? {
        let number = state.withLock { $0.number(of: other) }
        guard let number else { return .notSignedIn }
        return apply(to: device) { event($0, number) }
    }

    /// Returns the number that stands for a passcode or a recovery key.
    func number(of secret: String) -> UInt32 { state.withLock { $0.secrets.number(of: secret) } }

    // MARK: - Moving items

    /// Lets every device send and then fetch, until nothing moves any more.
    func settle() throws(KeychainError) {
        try exchange { (state, devices) throws(KeychainError) in try state.account.settle(&devices) }
    }

    /// Lets the other devices send, and this one fetch.
    func deliver(to device: SimulatedDevice) throws(KeychainError) {
        try exchange { (state, devices) throws(KeychainError) in
            guard let number = state.number(of: device) else { return [] }
            return try state.account.deliver(to: number, &devices)
        }
    }

    /// Stores on a device what waited for its class keys.
    func storeWaiting(on device: SimulatedDevice) throws(KeychainError) {
        try exchange { (state, _) throws(KeychainError) in
            guard let number = state.number(of: device) else { return [] }
            var keychain = SyncedKeychain(device.keychain)
            return try state.account.storeWaiting(on: number, &keychain)
        }
    }

    private typealias Synced = SyncedAccount<SyncedKeychain>

    private func exchange(
        _ body: (inout State, inout [Synced.Device?]) throws(KeychainError) -> [Synced.Movement]
    ) throws(KeychainError) {
        let outcome: Result<[(SimulatedDevice?, SyncRecord)], KeychainError> = state.withLock { state in
            do throws(KeychainError) {
                var devices = state.present
                return .success(state.note(try body(&state, &devices)))
            } catch {
                return .failure(error)
            }
        }
        // A reader of the log may ask the account.
        for (device, record) in try outcome.get() { device?.logbook.note("\(record)") }
    }
}

extension AccountCore.State {
    func number(of device: SimulatedDevice) -> AccountDeviceID? {
        places.firstIndex { $0.device === device }.flatMap { AccountDeviceID(rawValue: UInt8($0)) }
    }

    /// The devices as they are now; nil for one that is gone.
    fileprivate var present: [SyncedAccount<SyncedKeychain>.Device?] {
        mutating get {
            places.map(\.device).map { device in
                guard let device else { return nil }
                return .init(
                    SyncedKeychain(device.keychain), passcode: device.passcode.map { secrets.number(of: $0) })
            }
        }
    }

    /// Records movements, and returns the records with their devices.
    fileprivate mutating func note(
        _ movements: [SyncedAccount<SyncedKeychain>.Movement]
    ) -> [(SimulatedDevice?, SyncRecord)] {
        movements.map { movement in
            let record = SyncRecord(
                device: "device \(movement.device.rawValue + 1)", item: movement.label, rule: movement.rule)
            records.append(record)
            return (places[Int(movement.device.rawValue)].device, record)
        }
    }
}
