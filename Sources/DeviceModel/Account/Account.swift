public import AccessPolicy

/// An account with its devices, and the circle of those that trust each other (semantics 13.4).
///
/// ``apply(_:)`` applies an event. The account holds no secret: a passcode or a recovery key has a number, and equal
/// numbers stand for equal secrets. ``Cloud`` moves the items.
public struct Account: Hashable, Sendable {
    /// A device of the account.
    public struct Member: Hashable, Sendable {
        /// The kind of the device.
        public package(set) var kind: AccountDeviceKind
        /// True if the device is signed in.
        public package(set) var isSignedIn = true
        /// True if the account's list has the device.
        public package(set) var isOnList = true
        /// True if the device has no network.
        public package(set) var isOffline = false
        /// True if the person lets passwords sync on the device.
        public package(set) var syncsPasswords: Bool
        /// The identity of the device; nil if it has none in the present circle.
        public package(set) var identity: Peer?

        init(_ kind: AccountDeviceKind, syncsPasswords: Bool) {
            self.kind = kind
            self.syncsPasswords = syncsPasswords
        }
    }

    /// The identities that one identity includes in the circle, and those that it excludes. Excluded counts more.
    struct TrustList: Hashable, Sendable {
        var included: Peers = []
        var excluded: Peers = []

        var trusted: Peers { included.subtracting(excluded) }

        mutating func merge(_ other: TrustList) {
            included = included.union(other.included)
            excluded = excluded.union(other.excluded)
        }
    }

    /// A record of the account's escrow, which opens with the passcode that its device had.
    public struct Escrow: Hashable, Sendable {
        /// The tries of a new record.
        public static let tries: UInt8 = 10

        /// The passcode that opens the record.
        public package(set) var passcode: UInt32
        /// The tries that are left. A record without any is destroyed.
        public package(set) var triesLeft = Self.tries
    }

    /// The choices on points that Apple's sources leave open.
    public struct Choices: Hashable, Sendable {
        /// True if passwords sync on a device that joins. Apple's policy has the switch off for a new circle, and
        /// setting up a phone switches it on.
        public var syncsFromStart = true
        /// True if the right passcode gives a record of the escrow all its tries again.
        public var rightPasscodeRestoresTries = true

        /// Creates the default choices.
        public init() {}
    }

    /// The choices of the account.
    public let choices: Choices
    /// The devices, by their numbers.
    public package(set) var members: [Member] = []
    /// The number of circles that the account has had; zero if it never had one.
    public package(set) var circle: UInt32 = 0
    /// The number of times that the account's password was changed.
    public package(set) var passwordChanges: UInt32 = 0
    /// The escrow's records, by the identities that left them.
    package var escrow: [Peer: Escrow] = [:]
    /// The lists that the identities of the present circle have published.
    var lists: [Peer: TrustList] = [:]
    /// The device of each identity of the present circle; nil for the recovery key.
    var owners: [Peer: AccountDeviceID] = [:]
    /// The recovery key; nil if there is none.
    var recoveryKey: RecoveryKey?
    var identities: UInt8 = 0

    struct RecoveryKey: Hashable, Sendable {
        var secret: UInt32
        var peer: Peer
    }

    /// Creates an account without devices.
    public init(_ choices: Choices = Choices()) { self.choices = choices }

    /// The device with this number; nil if there is none.
    public subscript(id: AccountDeviceID) -> Member? {
        Int(id.rawValue) < members.count ? members[Int(id.rawValue)] : nil
    }

    /// The numbers of the devices, in order.
    public var devices: [AccountDeviceID] {
        members.indices.compactMap { AccountDeviceID(rawValue: UInt8(truncatingIfNeeded: $0)) }
    }

    /// The trust that a device has in its account.
    public enum Trust: UInt8, CaseIterable, Sendable {
        /// The device is in the circle.
        case inCircle = 0
        /// There is a circle, and the device is not in it.
        case notInCircle = 1
        /// The account has no circle.
        case noCircle = 3
        /// The device is signed in to no account.
        case noAccount = 4
    }

    /// Returns the trust that a device has in its account.
    public func trust(of id: AccountDeviceID) -> Trust {
        guard let member = self[id], member.isSignedIn else { return .noAccount }
        if member.isOnList && isTrusted(id) { return .inCircle }
        return hasCircle ? .notInCircle : .noCircle
    }

    /// True if the circle has an identity of a listed device that has not left it. A device that was erased has left its
    /// identity there.
    public var hasCircle: Bool {
        lists.contains { peer, list in
            guard let owner = owners[peer] else { return false }
            return self[owner]?.isOnList == true && !list.excluded.contains(peer)
        }
    }

    /// True if the account has a recovery key.
    package var hasRecoveryKey: Bool { recoveryKey != nil }

    /// Returns true if the device is in the circle, as far as it knows.
    public func isTrusted(_ id: AccountDeviceID) -> Bool {
        guard let identity = self[id]?.identity, let list = lists[identity] else { return false }
        return !list.excluded.contains(identity)
    }

    /// Returns the facts that decide whether a device takes part in the syncing.
    public func standing(of id: AccountDeviceID) -> SyncStanding {
        guard let member = self[id] else { return SyncStanding(isSignedIn: false) }
        return SyncStanding(
            isSignedIn: member.isSignedIn, isOnList: member.isOnList, isInCircle: isTrusted(id),
            isOffline: member.isOffline, syncsPasswords: member.syncsPasswords, kind: member.kind)
    }

    /// Returns the record of the escrow that a device has left; nil if there is none, or if it is destroyed.
    public func escrow(of id: AccountDeviceID) -> Escrow? { recordHolder(of: id).flatMap { escrow[$0] } }

    /// Returns the last identity of a device that has left a record. The device may have lost that identity since.
    func recordHolder(of id: AccountDeviceID) -> Peer? {
        escrow.keys.filter { owners[$0] == id }.max { $0.rawValue < $1.rawValue }
    }

    mutating func newPeer() -> Peer? {
        guard let peer = Peer(rawValue: identities) else { return nil }
        identities += 1
        return peer
    }

    mutating func change(_ id: AccountDeviceID, _ body: (inout Member) -> Void) { body(&members[Int(id.rawValue)]) }
}

extension Account.Trust: NamedChoice, CustomStringConvertible {
    /// The name of the trust.
    public var name: String {
        switch self {
        case .inCircle: "inCircle"
        case .notInCircle: "notInCircle"
        case .noCircle: "noCircle"
        case .noAccount: "noAccount"
        }
    }

    /// The name of the trust.
    public var description: String { name }
}
