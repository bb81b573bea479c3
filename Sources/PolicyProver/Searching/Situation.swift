package import AccessPolicy
package import DeviceModel

/// A world, and what of the story so far matters beside it.
package struct Situation: Hashable, Sendable {
    /// The device and what is stored on it.
    package var world: World
    /// How much time is left to whoever holds the device; nil for as long as they like.
    package var timeLeft: TimeSpan?
    /// The context that the app keeps; nil if it keeps none, or none that proves anything any more.
    package var kept: KeptContext?
    /// Whether the companion that is paired is another than the owner's.
    package var isCompanionNew = false
    /// Whether the enrollments have changed since the beginning.
    package var hasSeenEnrolmentChange = false
    /// Whether the backup is one that the attacker made, in a search about an owner who comes after them.
    package var isBackupAttackers = false
    /// Whether a backup was put onto another device, which is the one at hand since.
    package var isElsewhere = false

    /// The situation that stands for all that no future tells apart from this one.
    package var normal: Situation {
        var normal = self
        normal.world = world.normalised
        normal.kept = kept.flatMap { $0.normalised(on: world.device) }
        return normal
    }
}

/// A context in which the owner authenticated, as far as it is not the same throughout a search: what they proved there is known from
/// the item.
package struct KeptContext: Hashable, Sendable {
    /// In which session of the device.
    package var session: UInt64
    /// When.
    package var at: Instant
    /// Against which enrollment set.
    package var domainState: DomainState

    init(session: UInt64, at: Instant, domainState: DomainState) {
        self.session = session
        self.at = at
        self.domainState = domainState
    }

    /// The context of an owner who authenticates on `device` now.
    init(authenticatedOn device: Device) {
        self.init(session: device.session, at: device.now, domainState: device.domainState)
    }

    /// The context on the clock of the normal form of `device`; nil if nothing that it proves counts any more.
    func normalised(on device: Device) -> KeptContext? {
        guard session == device.session else { return nil }
        var normal = self
        normal.session = 1
        normal.domainState = domainState.normalised(on: device)
        normal.at = .start
        switch device.settings.fidelity.contextLifetime {
        case .untilInvalidated: break
        case .tenMinutes:
            if device.now - at > Context.longestLifetime { return nil }
            normal.at = .start + (at - device.now)
        }
        return normal
    }

    /// What it proves of `factor` for the item of this number.
    func evidence(_ factor: Factor, of item: ItemID, under conditions: Conditions) -> Evidence {
        var evidence = Evidence(factor, under: conditions, item: item)
        evidence.session = session
        evidence.at = at
        evidence.domainState = domainState
        return evidence
    }
}
