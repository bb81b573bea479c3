package import AccessPolicy
package import DeviceModel

/// A world, with the part of its past that the search needs.
package struct Situation: Hashable, Sendable {
    /// The device and the items stored on it.
    package var world: World
    /// The time that the holder of the device has left, or nil if it is unlimited.
    package var timeLeft: TimeSpan?
    /// The context that the app keeps, or nil if it keeps none that counts.
    package var kept: KeptContext?
    /// True if a companion other than the owner's is paired.
    package var isCompanionNew = false
    /// True if the enrollments have changed since the beginning.
    package var hasSeenEnrollmentChange = false
    /// True if the attacker made the backup, in a search in which the owner moves after the attacker.
    package var isBackupAttackers = false
    /// True once a backup was restored onto another device, or the items of the account arrived there. It is the device at
    /// hand from then on.
    package var isElsewhere = false
    /// The state of the owner's account.
    package var account = AccountPart()

    /// The situation that represents every situation with the same future as this one.
    package var normal: Situation {
        var normal = self
        normal.world = world.normalized
        normal.kept = kept.flatMap { $0.normalized(on: world.device) }
        return normal
    }
}

/// A context in which the owner authenticated, as far as it can change during a search. The factors in it follow from
/// the item.
package struct KeptContext: Hashable, Sendable {
    /// The session of the device in which the owner authenticated.
    package var session: UInt64
    /// The time at which the owner authenticated.
    package var at: Instant
    /// The enrolled set that the biometry matched.
    package var domainState: DomainState

    init(session: UInt64, at: Instant, domainState: DomainState) {
        self.session = session
        self.at = at
        self.domainState = domainState
    }

    /// Creates the context of an owner who authenticates on `device` now.
    init(authenticatedOn device: Device) {
        self.init(session: device.session, at: device.now, domainState: device.domainState)
    }

    /// Returns the context on the clock of the normal form of `device`, or nil if nothing in it counts any more.
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

    func evidence(_ factor: Factor, of item: ItemID, under conditions: Conditions) -> Evidence {
        var evidence = Evidence(factor, under: conditions, item: item)
        evidence.session = session
        evidence.at = at
        evidence.domainState = domainState
        return evidence
    }
}
