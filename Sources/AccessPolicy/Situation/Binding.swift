/// Which enrolment set a sensor has: the pure form of the opaque hash that Apple hands out.
public struct DomainState: Hashable, Sendable {
    /// Which sensor, or which life of it: a sensor that was replaced or wholly reset is another one.
    public var sensor: UInt32
    /// Counts the changes of enrolment. Every change starts a new epoch, so a set never comes back, even where the former
    /// fingers do: our choice (`model`), since no source tells what Apple's system does then.
    public var epoch: UInt32

    /// This set of this sensor.
    public init(sensor: UInt32, epoch: UInt32) {
        self.sensor = sensor
        self.epoch = epoch
    }
}

/// What an item was tied to when it was stored.
public struct Binding: Hashable, Sendable {
    /// The enrolment set of that moment; items that ask for any biometry are tied to its sensor only.
    public var domainState: DomainState
    /// Which *when passcode set* class key it was stored under; a removed passcode destroys the key for good.
    public var passcodeClassKey: UInt32

    /// Tied to this enrolment set and this class key.
    public init(domainState: DomainState, passcodeClassKey: UInt32) {
        self.domainState = domainState
        self.passcodeClassKey = passcodeClassKey
    }
}

/// Which access group an item or an app belongs to. The shell numbers the groups.
public struct AccessGroup: RawRepresentable, Hashable, Sendable {
    /// The number; below 32.
    public let rawValue: UInt8

    /// The group with this number; nil where there is no room for it in a set of groups.
    public init?(rawValue: UInt8) {
        guard rawValue < 32 else { return nil }
        self.rawValue = rawValue
    }

    private init(number: UInt8) { rawValue = number }

    /// The first group.
    public static let first = Self(number: 0)
    /// The group of tokens: everybody may read it by name, nobody may write to it.
    public static let token = Self(number: 31)
}

/// A set of access groups.
public typealias AccessGroups = BitSet<AccessGroup, UInt32>

/// Tells items apart; what the number means is the shell's business.
public struct ItemID: RawRepresentable, Hashable, Sendable {
    /// The number.
    public let rawValue: UInt64

    /// The item with this number.
    public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// What deciding needs to know of an item.
public struct Item: Hashable, Sendable {
    /// What it demands.
    public var control: AccessControl
    /// What it was tied to when it was stored; nil for one that is not stored yet, which nothing releases.
    public var binding: Binding?
    /// Whose it is.
    public var group: AccessGroup
    /// Which one it is.
    public var id: ItemID
    /// Whether it is a private key of the enclave, used by operations and never read.
    public var isKey: Bool
    /// Whether it asks to travel through iCloud Keychain.
    public var isSynchronizable: Bool

    /// An item under this demand.
    public init(
        _ control: AccessControl, binding: Binding? = nil, group: AccessGroup = .first,
        id: ItemID = ItemID(rawValue: 0),
        isKey: Bool = false, isSynchronizable: Bool = false
    ) {
        self.control = control
        self.binding = binding
        self.group = group
        self.id = id
        self.isKey = isKey
        self.isSynchronizable = isSynchronizable
    }
}
