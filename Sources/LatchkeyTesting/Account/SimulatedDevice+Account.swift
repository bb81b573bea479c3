internal import AccessPolicy
internal import DeviceModel
internal import Latchkey

// The place of a device in its account. Each method returns whether the event happened; `description` says why one did not.

extension SimulatedDevice {
    /// The trust that a device has in its account.
    public enum Trust: Hashable, Sendable {
        /// The device is in the circle, so that items sync.
        case inCircle
        /// There is a circle, and the device is not in it.
        case notInCircle
        /// The account has no circle.
        case noCircle
        /// The device is signed in to no account.
        case noAccount
    }

    /// The trust that the device has in its account.
    ///
    ///     #expect(pad.trust == .inCircle)
    public var trust: Trust {
        switch account?.trust(of: self) {
        case .inCircle: .inCircle
        case .notInCircle: .notInCircle
        case .noCircle: .noCircle
        case .noAccount, nil: .noAccount
        }
    }

    /// Establishes a circle with this device as its only member. Refused if the account has one.
    ///
    ///     phone.establishCircle()
    @discardableResult
    public func establishCircle() -> Bool {
        inAccount("establish a circle") { $0.apply(to: self) { .circleEstablished($0) } }
    }

    /// Joins the circle by a member, which has to be unlocked. Both screens show a code.
    ///
    ///     pad.join(sponsoredBy: phone)
    @discardableResult
    public func join(sponsoredBy sponsor: SimulatedDevice) -> Bool {
        let isUnlocked = !sponsor.world.isLocked
        return inAccount("join by a member") {
            $0.apply(to: self, and: sponsor) { .joinedBySponsor($0, $1, isSponsorUnlocked: isUnlocked) }
        }
    }

    /// Joins the circle by the record that another device has left in the account's escrow, and that its passcode opens. After
    /// ten wrong passcodes, the record is gone. The other device need not exist any more.
    ///
    ///     pad.join(withPasscode: "1234", of: phone)
    @discardableResult
    public func join(withPasscode passcode: String, of other: SimulatedDevice) -> Bool {
        inAccount("join by a passcode") { core in
            let number = core.number(of: passcode)
            return core.apply(to: self, and: other) { .joinedByPasscode($0, $1, number) }
        }
    }

    /// Joins the circle by the recovery key, without another device.
    ///
    ///     pad.join(withRecoveryKey: "AAAA-BBBB")
    @discardableResult
    public func join(withRecoveryKey key: String) -> Bool {
        inAccount("join by the recovery key") { core in
            let number = core.number(of: key)
            return core.apply(to: self) { .joinedByRecoveryKey($0, number) }
        }
    }

    /// Leaves the circle. The device keeps its items, and neither sends nor gets any. The only member cannot leave.
    ///
    ///     pad.leaveCircle()
    @discardableResult
    public func leaveCircle() -> Bool { inAccount("leave the circle") { $0.apply(to: self) { .leftCircle($0) } } }

    /// Signs the device out of its account.
    ///
    /// The items of apps that are not Apple's stay in any case, and are sent to the next account that syncs here.
    ///
    /// - Parameter deletingData: True to delete the synced passwords and cards of Apple's own apps from the device. Other
    ///   devices keep them.
    @discardableResult
    public func signOut(deletingData: Bool = false) -> Bool {
        let isOut = inAccount("sign out") { $0.apply(to: self) { .signedOut($0) } }
        if isOut && deletingData { deleteSyncedItemsOfApple() }
        return isOut
    }

    private func deleteSyncedItemsOfApple() {
        do {
            try keychain.deleteSyncedItemsOfApple()
        } catch {
            logbook.note("delete the synced items of Apple's apps", trouble: "\(error)")
        }
    }

    /// True if the person lets passwords and the items of apps sync on this device.
    ///
    ///     pad.syncsPasswords = false
    public var syncsPasswords: Bool {
        get { account?.member(self)?.syncsPasswords ?? false }
        set { inAccount("sync passwords: \(newValue)") { $0.apply(to: self) { .syncSwitched($0, newValue) } } }
    }

    /// True if the device has no network, so that nothing leaves it and nothing arrives.
    ///
    ///     pad.isOffline = true
    public var isOffline: Bool {
        get { hasNoNetwork }
        set {
            hasNoNetwork = newValue
            logbook.note("offline: \(newValue)")
            _ = account?.apply(to: self) { .networkChanged($0, isOffline: newValue) }
        }
    }

    /// The number of passcodes that can still be tried on the record that this device has left in the account's escrow; nil
    /// if there is none, or if it is destroyed.
    ///
    ///     #expect(phone.escrowTriesLeft == 10)
    public var escrowTriesLeft: Int? { account?.triesLeft(of: self) }

    // MARK: -

    @discardableResult
    private func inAccount(_ what: String, _ body: (AccountCore) -> AccountRefusal?) -> Bool {
        noted(what, account.map(body) ?? .notSignedIn)
    }

    /// Records an event of the account, and returns true if it happened.
    func noted(_ what: String, _ refusal: AccountRefusal?) -> Bool {
        noted(what, trouble: refusal.map { "refused, \($0.text)" })
    }

    /// Tells the account that the device was erased.
    func leaveAccountErased() { _ = account?.apply(to: self) { .erased($0) } }

    /// Stores what has arrived and waited for a class key that may be available now.
    func storeWhatWaits() {
        do {
            try account?.storeWaiting(on: self)
        } catch {
            logbook.note("store what waited", trouble: "\(error)")
        }
    }
}
