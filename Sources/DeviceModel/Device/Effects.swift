public import AccessPolicy

/// An effect of an event, which the owner of the keys and prompts must carry out.
public enum Effect: Hashable, Sendable {
    /// The event did not happen, for this reason.
    case refused(Refusal)
    /// The answer was right. Release the keys that this factor opens.
    case authenticated(Factor)
    /// The answer was wrong.
    case rejected(Factor)
    /// End every open prompt, as canceled by the system.
    case endSheets
    /// Wipe the key memory of every context.
    case wipeContexts
    /// Close these class keys. If `keptForMatch` is true, keep the *when unlocked* ones for a biometric match.
    case close(KeyClasses, keptForMatch: Bool)
    /// Open these class keys.
    case open(KeyClasses)
    /// Destroy the key with which a biometric match would open the class keys.
    case forgetUnlockKey
    /// Wrap the root key under the present passcode, or under none.
    case rewrapRoot
    /// Create the *when passcode set* class key with this number.
    case createPasscodeClass(UInt32)
    /// Destroy the *when passcode set* class key with this number, for good.
    case destroyPasscodeClass(UInt32)
    /// Destroy everything that is bound to this enrolled set, for good.
    case destroyDomainState(DomainState)
    /// Destroy everything that is bound to this sensor, for good.
    case destroySensor(UInt32)
    /// Begin this enrolled set.
    case beginDomainState(DomainState)
    /// Destroy everything that is stored.
    case eraseAll
    /// Write the items that a backup may contain.
    case exportBackup(encrypted: Bool)
    /// Restore the items of the backup, to the same device or to another one.
    case importBackup(sameDevice: Bool)
}

/// The effects of one event, in the order in which to carry them out. An event has at most eight.
public struct Effects: Sendable, RandomAccessCollection {
    private var list = InlineArray<8, Effect>(repeating: .endSheets)
    /// The number of effects.
    public private(set) var count = 0

    package init() {}

    package init(_ effect: Effect) { add(effect) }

    init(_ refusal: Refusal) { add(.refused(refusal)) }

    mutating func add(_ effect: Effect) {
        list[count] = effect
        count += 1
    }

    /// The position of the first effect, which is always zero.
    public var startIndex: Int { 0 }
    /// The position after the last effect.
    public var endIndex: Int { count }
    /// The effect at this position.
    public subscript(position: Int) -> Effect {
        precondition(position < count, "no such effect")
        return list[position]
    }

    /// The reason why the event did not happen; nil if it happened.
    public var refusal: Refusal? {
        if count == 1, case .refused(let reason) = list[0] { reason } else { nil }
    }

    /// True if everything that is stored was destroyed.
    package var erasesAll: Bool { contains(.eraseAll) }

    /// Returns true if the event authenticated `factor`.
    public func authenticated(_ factor: Factor) -> Bool { contains(.authenticated(factor)) }
}
