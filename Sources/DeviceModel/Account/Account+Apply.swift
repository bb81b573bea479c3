internal import AccessPolicy

extension Account {
    /// Applies an event.
    ///
    /// A wrong passcode counts, although the event is refused.
    ///
    /// - Returns: The reason why it did not happen; nil if it happened.
    @discardableResult
    public mutating func apply(_ event: AccountEvent) -> AccountRefusal? {
        do throws(AccountRefusal) {
            try happen(event)
            return nil
        } catch {
            return error
        }
    }

    private mutating func happen(_ event: AccountEvent) throws(AccountRefusal) {
        switch event {
        case .signedIn(let kind):
            if members.count >= AccountDeviceID.capacity { throw .tooManyDevices }
            members.append(Member(kind, syncsPasswords: choices.syncsFromStart))
        case .signedInAgain(let id):
            if try member(id).isSignedIn && self[id]?.isOnList == true { throw .alreadySignedIn }
            if try member(id).isOffline { throw .offline }
            let syncs = choices.syncsFromStart
            change(id) { $0 = Member($0.kind, syncsPasswords: syncs) }
        case .signedOut(let id):
            try requireSignedIn(id)
            change(id) { member in
                member.isSignedIn = false
                member.isOnList = false
            }
        case .erased(let id):
            if try !member(id).isSignedIn { throw .notSignedIn }
            change(id) { member in
                member.isSignedIn = false
                member.identity = nil
            }
        case .removedFromList(let id):
            if try !member(id).isOnList { throw .nothingToChange }
            change(id) { $0.isOnList = false }
        case .passwordChanged(let id):
            try requireOnline(id)
            passwordChanges += 1
        case .circleEstablished(let id):
            try requireOnline(id)
            if isTrusted(id) { throw .alreadyInCircle }
            if hasCircle { throw .circleExists }
            try beginCircle(with: id)
        case .circleReset(let id):
            try requireOnline(id)
            try beginCircle(with: id)
        case .joinedBySponsor(let id, let sponsor, let isSponsorUnlocked):
            try requireOutside(id)
            try requireMember(sponsor)
            if !isSponsorUnlocked { throw .sponsorLocked }
            guard let voucher = self[sponsor]?.identity else { throw .notInCircle }
            try join(id, by: voucher, of: sponsor)
        case .joinedByPasscode(let id, let other, let passcode): try join(id, with: passcode, of: other)
        case .joinedByRecoveryKey(let id, let secret):
            try requireOutside(id)
            guard let key = recoveryKey else { throw .noRecoveryKey }
            if key.secret != secret { throw .wrongRecoveryKey }
            try join(id, by: key.peer, of: nil)
        case .recoveryKeySet(let id, let secret):
            try requireMember(id)
            guard let peer = newPeer(), let own = self[id]?.identity else { throw .tooManyIdentities }
            if let former = recoveryKey { lists[own]?.excluded.insert(former.peer) }
            lists[own]?.included.insert(peer)
            lists[peer] = lists[own]
            recoveryKey = RecoveryKey(secret: secret, peer: peer)
        case .leftCircle(let id):
            try requireMember(id)
            guard let own = self[id]?.identity else { throw .notInCircle }
            if !devices.contains(where: { $0 != id && trust(of: $0) == .inCircle }) { throw .onlyMember }
            lists[own]?.excluded.insert(own)
        case .networkChanged(let id, let isOffline):
            if try member(id).isOffline == isOffline { throw .nothingToChange }
            change(id) { $0.isOffline = isOffline }
        case .syncSwitched(let id, let isOn):
            if try member(id).syncsPasswords == isOn { throw .nothingToChange }
            change(id) { $0.syncsPasswords = isOn }
        case .checked(let id, let passcode):
            try requireOnline(id)
            check(id, passcode)
        }
    }

    // MARK: - Joining

    /// Begins a circle with one member. The members of a former circle are in it no more, and its escrow is gone.
    private mutating func beginCircle(with id: AccountDeviceID) throws(AccountRefusal) {
        guard let peer = newPeer() else { throw .tooManyIdentities }
        for other in devices { change(other) { $0.identity = nil } }
        circle += 1
        (lists, escrow, owners, recoveryKey) = ([:], [:], [peer: id], nil)
        lists[peer] = TrustList(included: [peer])
        change(id) { $0.identity = peer }
    }

    private mutating func join(
        _ id: AccountDeviceID, with passcode: UInt32, of other: AccountDeviceID
    ) throws(AccountRefusal) {
        try requireOutside(id)
        _ = try member(other)
        guard let voucher = recordHolder(of: other), let record = escrow[voucher] else { throw .noRecord }
        guard record.passcode == passcode else {
            escrow[voucher]?.triesLeft -= 1
            if record.triesLeft <= 1 { escrow[voucher] = nil }
            throw .wrongPasscode
        }
        if choices.rightPasscodeRestoresTries { escrow[voucher]?.triesLeft = Escrow.tries }
        // The identity may be gone from the circle, although its record is still there.
        let members = devices.filter { $0 != other && isTrusted($0) }.compactMap { self[$0]?.identity }
        let isKnown = members.isEmpty || members.contains { lists[$0]?.trusted.contains(voucher) == true }
        if !isKnown || lists[voucher]?.excluded.contains(voucher) != false { throw .identityUnknown }
        try join(id, by: voucher, of: other)
    }

    private mutating func join(
        _ id: AccountDeviceID, by voucher: Peer, of sponsor: AccountDeviceID?
    ) throws(AccountRefusal) {
        if let sponsor, let kind = self[sponsor]?.kind, let other = self[id]?.kind, !kind.mayIntroduce(other) {
            throw .mayNotIntroduce
        }
        guard let peer = newPeer() else { throw .tooManyIdentities }
        lists[voucher]?.included.insert(peer)
        var list = lists[voucher] ?? TrustList()
        // The identities that the device has lost count no more.
        for (former, owner) in owners where owner == id {
            list.excluded.insert(former)
            escrow[former] = nil
        }
        lists[peer] = list
        owners[peer] = id
        change(id) { $0.identity = peer }
    }

    // MARK: - Checking

    /// Takes over what the trusted identities have published, excludes the devices that were removed, and renews the
    /// record in the escrow.
    private mutating func check(_ id: AccountDeviceID, _ passcode: UInt32?) {
        guard let own = self[id]?.identity, let kind = self[id]?.kind, isTrusted(id), var list = lists[own] else {
            return
        }
        while true {
            let before = list
            for peer in list.trusted {
                if let other = lists[peer] { list.merge(other) }
            }
            if list == before { break }
        }
        if kind.excludesRemoved {
            for peer in list.included {
                guard let owner = owners[peer], peer != own else { continue }
                if self[owner]?.isOnList == false { list.excluded.insert(peer) }
            }
        }
        lists[own] = list
        if list.excluded.contains(own) { return }
        guard kind.leavesEscrow else { return }
        guard let passcode else {
            escrow[own] = nil
            return
        }
        // A record that was destroyed is renewed as well.
        if escrow[own]?.passcode != passcode { escrow[own] = Escrow(passcode: passcode) }
    }

    // MARK: - Requirements

    private func member(_ id: AccountDeviceID) throws(AccountRefusal) -> Member {
        guard let member = self[id] else { throw .notSignedIn }
        return member
    }

    private func requireSignedIn(_ id: AccountDeviceID) throws(AccountRefusal) {
        if try !member(id).isSignedIn { throw .notSignedIn }
    }

    private func requireOnline(_ id: AccountDeviceID) throws(AccountRefusal) {
        try requireSignedIn(id)
        let member = try member(id)
        if !member.isOnList { throw .notOnList }
        if member.isOffline { throw .offline }
    }

    private func requireMember(_ id: AccountDeviceID) throws(AccountRefusal) {
        try requireOnline(id)
        if !isTrusted(id) { throw .notInCircle }
    }

    private func requireOutside(_ id: AccountDeviceID) throws(AccountRefusal) {
        try requireOnline(id)
        if isTrusted(id) { throw .alreadyInCircle }
    }
}
