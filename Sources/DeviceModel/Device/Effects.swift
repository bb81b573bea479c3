public import AccessPolicy

/// What the shell must do because of an event.
public enum Effect: Hashable, Sendable {
    /// Nothing happened, for this reason.
    case refused(Refusal)
    /// The authenticator found the answer right: release what this factor releases.
    case authenticated(Factor)
    /// The authenticator found the answer wrong.
    case rejected(Factor)
    /// Close every sheet that is open; it ends as canceled by the system.
    case endSheets
    /// Wipe what every context holds.
    case wipeContexts
    /// Close these class keys, and keep the *when unlocked* ones for a biometric match where `keptForMatch` says so.
    case close(KeyClasses, keptForMatch: Bool)
    /// Open these class keys.
    case open(KeyClasses)
    /// Destroy what a biometric match would open the class keys with.
    case forgetUnlockKey
    /// Wrap the root under the passcode that there is now, or under none.
    case rewrapRoot
    /// Make the *when passcode set* class key with this number.
    case createPasscodeClass(UInt32)
    /// Destroy the *when passcode set* class key with this number, for good.
    case destroyPasscodeClass(UInt32)
    /// Destroy what was bound to this enrollment set, for good.
    case destroyDomainState(DomainState)
    /// Destroy what was bound to this sensor, for good.
    case destroySensor(UInt32)
    /// Begin this enrollment set.
    case beginDomainState(DomainState)
    /// Destroy everything.
    case eraseAll
    /// Write what may travel into a backup.
    case exportBackup(encrypted: Bool)
    /// Bring in what the backup carries to the same device or to another.
    case importBackup(sameDevice: Bool)
}

/// The effects of one event, in the order in which they are to be carried out. No event has more than eight.
public struct Effects: Sendable, RandomAccessCollection {
    private var list = InlineArray<8, Effect>(repeating: .endSheets)
    /// How many there are.
    public private(set) var count = 0

    init() {}

    /// This effect alone.
    package init(_ effect: Effect) { add(effect) }

    init(_ refusal: Refusal) { add(.refused(refusal)) }

    mutating func add(_ effect: Effect) {
        list[count] = effect
        count += 1
    }

    /// Always zero.
    public var startIndex: Int { 0 }
    /// How many there are.
    public var endIndex: Int { count }
    /// The effect at this place.
    public subscript(position: Int) -> Effect {
        precondition(position < count, "no such effect")
        return list[position]
    }

    /// Why the event could not happen; nil when it did.
    public var refusal: Refusal? {
        if count == 1, case .refused(let reason) = list[0] { reason } else { nil }
    }

    /// Returns true if the event proved `factor`.
    public func authenticated(_ factor: Factor) -> Bool { contains(.authenticated(factor)) }
}
