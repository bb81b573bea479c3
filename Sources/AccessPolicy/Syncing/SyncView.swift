/// A view of iCloud Keychain: items that sync with the same devices (semantics 13.2).
public enum SyncView: UInt8, CaseIterable, Sendable {
    /// The items of all apps that are not Apple's.
    case applications = 0
    /// The passwords of web sites and of Apple's own apps.
    case passwords = 1
    /// Cards for payments.
    case creditCards = 2
    /// The passwords of wireless networks.
    case wifi = 3
    /// The items of Apple's apps that no other view takes.
    case backstop = 4
    /// The accessories of a home, which never sync in this way.
    case homeKit = 5
    /// The pairings of a television, which never sync.
    case appleTV = 6
    /// The keys by which a watch unlocks a device, which never sync.
    case continuityUnlock = 7

    /// Returns the view of an item with this access group and this value of `kSecAttrSyncViewHint`.
    ///
    /// The hint decides first. Otherwise, all groups of apps that are not Apple's have one view: on Apple's devices they
    /// begin with ten characters of the team. Here a group is Apple's if it begins with `com.apple.` or `apple`.
    public init(group: String, hint: String? = nil) {
        self = Self.named(hint ?? "") ?? Self.ofGroup(group)
    }

    private static func named(_ hint: String) -> SyncView? {
        switch hint {
        case "Passwords": .passwords
        case "CreditCards": .creditCards
        case "WiFi": .wifi
        case "HomeKit": .homeKit
        case "AppleTV": .appleTV
        case "ContinuityUnlock": .continuityUnlock
        default: nil
        }
    }

    private static func ofGroup(_ group: String) -> SyncView {
        switch group {
        case "com.apple.cfnetwork", "com.apple.password-manager": .passwords
        case "com.apple.safari.credit-cards": .creditCards
        case "apple": .backstop
        default: group.utf8.starts(with: "com.apple.".utf8) ? .backstop : .applications
        }
    }

    /// The groups of Apple's own apps whose synchronizable items go from a device that signs out and deletes its data.
    public static let groupsOfPasswordsAndCards = [
        "com.apple.cfnetwork", "com.apple.password-manager", "com.apple.safari.credit-cards",
    ]

    /// True if items of the view sync at all.
    public var syncs: Bool {
        switch self {
        case .applications, .passwords, .creditCards, .wifi, .backstop: true
        case .homeKit, .appleTV, .continuityUnlock: false
        }
    }
}

/// A kind of device of an account, as far as its syncing differs (semantics 13.2).
public enum AccountDeviceKind: UInt8, CaseIterable, Sendable {
    /// A phone, a tablet, a Mac or a headset.
    case full = 0
    /// A watch.
    case watch = 1
    /// A television.
    case tv = 2
    /// A loudspeaker.
    case speaker = 3
    /// A computer with Windows.
    case windows = 4

    /// Returns true if devices of this kind get the items of a view.
    public func gets(_ view: SyncView) -> Bool {
        if !view.syncs { return false }
        return switch self {
        case .full, .watch: true
        case .tv, .speaker: view != .applications && view != .passwords
        case .windows: view == .passwords
        }
    }

    /// Returns true if a member of this kind may bring a device of kind `other` into the circle.
    public func mayIntroduce(_ other: AccountDeviceKind) -> Bool {
        switch self {
        case .full, .watch: true
        case .tv, .speaker: other == self
        case .windows: false
        }
    }

    /// True if a device of this kind leaves a record under its passcode, with which another device can join.
    public var leavesEscrow: Bool { self == .full }

    /// True if a member of this kind excludes devices that left the account's list.
    public var excludesRemoved: Bool { self == .full || self == .watch }
}

extension AccountDeviceKind: NamedChoice {
    /// The name of the kind.
    public var name: String {
        switch self {
        case .full: "full"
        case .watch: "watch"
        case .tv: "tv"
        case .speaker: "speaker"
        case .windows: "windows"
        }
    }
}
