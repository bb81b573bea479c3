package import AccessPolicy
package import DeviceModel

/// A world, and what of the story so far matters beside it.
package struct Situation: Hashable, Sendable {
    /// The device and what is stored on it.
    package var world: World
    /// The time that the holder of the device has left; nil for no bound.
    package var timeLeft: TimeSpan?
    /// The context that the app keeps; nil if it keeps none, or none that proves anything any more.
    package var kept: KeptContext?
    /// True if another companion than the owner's is paired.
    package var isCompanionNew = false
    /// True if the enrollments have changed since the beginning.
    package var hasSeenEnrollmentChange = false
    /// True if the attacker made the backup, in a search about an owner who comes after them.
    package var isBackupAttackers = false
    /// True once a backup was restored onto another device, which is the one at hand since.
    package var isElsewhere = false

    /// The situation that stands for all that no future tells apart from this one.
    package var normal: Situation {
        var normal = self
        normal.world = world.normalized
        normal.kept = kept.flatMap { $0.normalized(on: world.device) }
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
    func normalized(on device: Device) -> KeptContext? {
        guard session == device.session else { return nil }
        var normal = self
        normal.session = 1
        normal.domainState = domainState.normalized(on: device)
        normal.at = .start
        switch device.settings.fidelity.contextLifetime {
        case .untilInvalidated: break
        case .tenMinutes:
            if device.now - at > Context.longestLifetime { return nil }
            normal.at = .start + (at - device.now)
        }
        return normal
    }

    /// Returns its evidence of `factor` for the item of this number.
    func evidence(_ factor: Factor, of item: ItemID, under conditions: Conditions) -> Evidence {
        var evidence = Evidence(factor, under: conditions, item: item)
        evidence.session = session
        evidence.at = at
        evidence.domainState = domainState
        return evidence
    }
}
