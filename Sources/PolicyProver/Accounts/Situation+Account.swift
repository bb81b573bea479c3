package import AccessPolicy
package import DeviceModel

/// The part of a situation that the owner's account adds.
package struct AccountPart: Hashable, Sendable {
    /// The number of the form that the account has.
    package var circle: UInt16 = 0
    /// The items that the circle keeps.
    package var kept = SharedItems()
    /// The items on the owner's other device.
    package var onOther = SharedItems()
    /// True if the device at hand is a device that a person brought, with the items that arrived there.
    package var isOnOwn = false

    /// Returns true if the item of this slot is anywhere besides the device at hand.
    func has(_ slot: SlotID) -> Bool { kept.contains(slot) || onOther.contains(slot) }
}

/// The slots of synchronizable items.
package typealias SharedItems = BitSet<SlotID, UInt8>

extension World {
    /// The items that may leave their device.
    var shared: SharedItems {
        places.reduce(into: []) { shared, id in
            if let slot = self[id], slot.isPresent, slot.item.isShared { shared.insert(id) }
        }
    }
}

extension Item {
    /// True if the item travels between the devices of an account.
    fileprivate var isShared: Bool { isSynchronizable && syncObstacle == nil }
}

extension Actor {
    /// The side of the account on which they act.
    var side: Circles.Side { profile.isOwner ? .owner : .attacker }

    /// True if they can sign in to the account with a device of their own. Everyone can get a device, and one that was erased is
    /// one.
    private var signsIn: Bool { profile.knows.contains(.appleAccount) }

    /// Returns true if the device of the scene is in their hands.
    private func hasHand(in situation: Situation) -> Bool {
        switch profile.holds {
        case .backup, .nothing: false
        case .unlocked, .locked, .poweredOff, .erased: !situation.isElsewhere
        }
    }

    /// Calls `body` with every move in the account that the person might make.
    func eachAccountMove(in situation: Situation, deleting deletable: [SlotID], _ body: (Move.Deed) -> Void) {
        guard let circles = circles.modeled else { return }
        if profile.isOwner { body(.account(.removal)) }
        guard signsIn else { return }
        body(.account(.signIn))
        if let record = circles.record(in: situation.account.circle), codes.contains(record) {
            body(.account(.joinByPasscode))
        }
        if profile.knows.contains(.otherPasscode) { body(.account(.joinByOtherPasscode)) }
        if profile.isOwner {
            body(.account(.joinByOther))
            body(.account(.resetByOther))
        } else {
            body(.account(.resetCircle))
        }
        if hasHand(in: situation), !situation.world.device.isLocked {
            body(.account(.joinBySponsor))
            body(.account(.bringIn))
        }
        if !situation.account.isOnOwn { body(.account(.arrive)) }
        // On a device of their own, no app keeps them from deleting what is there.
        if !situation.isElsewhere { for item in deletable { body(.deletionOnOwn(item)) } }
    }
}

extension Situation {
    /// Puts the device in its owner's account, in which everything has arrived.
    mutating func joinAccount(_ circles: Circles, keeping items: SharedItems) {
        account.circle = circles.start
        account.kept = items
        if circles.otherTakesPart(in: circles.start) { account.onOther = items }
    }

    /// Makes a move in the account, and returns true if it succeeded.
    mutating func perform(_ move: AccountMove, by actor: Actor) -> Bool {
        guard let circles = actor.circles.modeled,
            let next = circles.next(
                account.circle, after: move, by: actor.side, isUnlocked: !world.device.isLocked)
        else { return false }
        account.circle = next
        if move.beginsCircle { account.kept = [] }
        exchange(circles)
        guard move == .arrive else { return true }
        guard world.moveToAnotherDevice(receiving: Array(account.kept)) else { return false }
        isElsewhere = true
        isCompanionNew = false
        account.isOnOwn = true
        return true
    }

    /// Lets the owner's devices send and receive everything.
    private mutating func exchange(_ circles: Circles) {
        let isHandPart = !isElsewhere && circles.handTakesPart(in: account.circle)
        let isOtherPart = circles.otherTakesPart(in: account.circle)
        if isHandPart { account.kept = account.kept.union(world.shared) }
        if isOtherPart {
            account.kept = account.kept.union(account.onOther)
            account.onOther = account.kept
        }
        if isHandPart { for slot in account.kept.subtracting(world.shared) { _ = world.receive(slot) } }
    }

    /// Notes what an event on the device at hand means for the account.
    mutating func noteInAccount(_ event: Event, _ effects: Effects, by actor: Actor) {
        guard let circles = actor.circles.modeled else { return }
        let erasing = effects.erasesAll
        if erasing { account.isOnOwn = false }
        // An event on another device, and a restore onto one, leave the device of the scene as it is.
        if isElsewhere || event == .restoredOntoAnotherDevice { return }
        if erasing, let next = circles.next(account.circle, after: .handErased, by: actor.side, isUnlocked: true) {
            account.circle = next
        }
        account.circle = circles.next(account.circle, withPasscode: world.device.passcode)
    }

    /// Returns true if the device at hand sends and receives items.
    func takesPart(for actor: Actor) -> Bool {
        guard let circles = actor.circles.modeled else { return false }
        if isElsewhere { return account.isOnOwn && circles.ownTakesPart(actor.side, in: account.circle) }
        return circles.handTakesPart(in: account.circle)
    }

    /// Returns true if a change of the item on the device at hand changes every copy that the owner has.
    func changesOwnersItem(_ slot: SlotID, for actor: Actor) -> Bool {
        guard let circles = actor.circles.modeled else { return !isElsewhere }
        if isElsewhere && !takesPart(for: actor) { return false }
        if isElsewhere && world[slot]?.isPresent != true { return false }
        let isOtherReached = takesPart(for: actor) && circles.otherTakesPart(in: account.circle)
        if account.onOther.contains(slot) && !isOtherReached { return false }
        if account.kept.contains(slot) && !takesPart(for: actor) { return false }
        return !isElsewhere || circles.handTakesPart(in: account.circle) || isOtherReached
    }

    /// Notes that the item was deleted on the device at hand.
    mutating func noteDeletion(of slot: SlotID, by actor: Actor) {
        if let circles = actor.circles.modeled, takesPart(for: actor) { forget(slot, circles) }
    }

    /// Deletes the item on a device that the person brought, which deletes it on every device of the circle.
    mutating func deleteOnOwn(_ slot: SlotID, by actor: Actor) -> Bool {
        guard let circles = actor.circles.modeled, account.kept.contains(slot),
            circles.ownTakesPart(actor.side, in: account.circle)
        else { return false }
        forget(slot, circles)
        if circles.handTakesPart(in: account.circle) { world.remove(at: slot) }
        return true
    }

    private mutating func forget(_ slot: SlotID, _ circles: Circles) {
        account.kept.remove(slot)
        if circles.otherTakesPart(in: account.circle) { account.onOther.remove(slot) }
    }

    /// Stores the secret that the owner stores next under the item, on the other device, as soon as it arrives here. Returns
    /// false if it does not.
    mutating func receiveNext(_ slot: SlotID, for actor: Actor) -> Bool {
        guard let circles = actor.circles.modeled, circles.otherTakesPart(in: account.circle), takesPart(for: actor),
            world[slot]?.item.isShared == true
        else { return false }
        return world.receive(slot)
    }
}
