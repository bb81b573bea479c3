internal import AccessPolicy

/// An account with the records of its items: what happens to the circle, and what moves because of it.
public struct SyncedAccount<Keychain: SyncingKeychain>: Sendable {
    /// A device of the account, as it is now.
    public struct Device: Sendable {
        /// Its keychain.
        public var keychain: Keychain
        /// The number that stands for its passcode; nil for none.
        public var passcode: UInt32?

        /// Creates a device.
        public init(_ keychain: Keychain, passcode: UInt32?) {
            self.keychain = keychain
            self.passcode = passcode
        }
    }

    /// A movement or a drop of an item.
    public typealias Movement = Cloud<Keychain>.Movement

    /// The circle and its devices.
    public private(set) var account: Account
    /// The records of the items.
    public var cloud: Cloud<Keychain>

    /// Creates an account without devices. The identifiers of its records follow from `seed`.
    public init(_ choices: Account.Choices = Account.Choices(), seed: UInt64 = 0) {
        account = Account(choices)
        cloud = Cloud(seed: seed)
    }

    /// Applies an event, and what it means for the records. A device that joins leaves a record under its passcode.
    ///
    /// - Parameter passcode: The passcode of the device that the event is about.
    /// - Returns: The reason why the event did not happen; nil if it happened.
    @discardableResult
    public mutating func apply(_ event: AccountEvent, passcode: UInt32? = nil) -> AccountRefusal? {
        if let refusal = account.apply(event) { return refusal }
        switch event {
        case .circleReset(let id), .circleEstablished(let id):
            cloud.reset()
            account.apply(.checked(id, passcode: passcode))
        case .joinedBySponsor(let id, _, _), .joinedByPasscode(let id, _, _), .joinedByRecoveryKey(let id, _):
            account.apply(.checked(id, passcode: passcode))
        case .signedInAgain(let id), .signedOut(let id), .erased(let id), .leftCircle(let id): cloud.forget(id)
        case .syncSwitched(let id, true): cloud.fetchAnew(on: id)
        case .signedIn, .removedFromList, .passwordChanged, .recoveryKeySet, .networkChanged,
            .syncSwitched, .checked:
            break
        }
        return nil
    }

    /// Lets every device send and then every one fetch, until nothing moves any more. A device that is nil is out of reach.
    public mutating func settle(_ devices: inout [Device?]) throws(Keychain.Failure) -> [Movement] {
        var movements: [Movement] = []
        var quietRounds = 0
        // In its first round, a device that has joined only fetches.
        while quietRounds < 2 {
            let before = movements.count
            for id in account.devices { movements += try send(from: id, &devices) }
            for id in account.devices { movements += try fetch(to: id, &devices) }
            quietRounds = movements.count == before ? quietRounds + 1 : 0
        }
        return movements
    }

    /// Lets the other devices send, and one fetch. Its own changes are not sent.
    public mutating func deliver(
        to device: AccountDeviceID, _ devices: inout [Device?]
    ) throws(Keychain.Failure) -> [Movement] {
        var movements: [Movement] = []
        for id in account.devices where id != device { movements += try send(from: id, &devices) }
        return movements + (try fetch(to: device, &devices))
    }

    /// Stores on a device what has arrived and waited for a class key.
    public mutating func storeWaiting(
        on device: AccountDeviceID, _ keychain: inout Keychain
    ) throws(Keychain.Failure) -> [Movement] {
        try cloud.storeWaiting(on: device, &keychain)
    }

    private mutating func send(
        from id: AccountDeviceID, _ devices: inout [Device?]
    ) throws(Keychain.Failure) -> [Movement] {
        try exchange(id, &devices) { (cloud, keychain, standing) throws(Keychain.Failure) in
            try cloud.send(from: id, &keychain, standing)
        }
    }

    private mutating func fetch(
        to id: AccountDeviceID, _ devices: inout [Device?]
    ) throws(Keychain.Failure) -> [Movement] {
        try exchange(id, &devices) { (cloud, keychain, standing) throws(Keychain.Failure) in
            try cloud.fetch(to: id, &keychain, standing)
        }
    }

    /// Lets a device that is in reach take over the lists of the circle, and then send or fetch.
    private mutating func exchange(
        _ id: AccountDeviceID, _ devices: inout [Device?],
        _ body: (inout Cloud<Keychain>, inout Keychain, SyncStanding) throws(Keychain.Failure) -> [Movement]
    ) throws(Keychain.Failure) -> [Movement] {
        guard var device = devices[Int(id.rawValue)] else { return [] }
        account.apply(.checked(id, passcode: device.passcode))
        let movements = try body(&cloud, &device.keychain, account.standing(of: id))
        devices[Int(id.rawValue)] = device
        return movements
    }
}
