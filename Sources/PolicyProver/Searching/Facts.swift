internal import AccessPolicy
internal import DeviceModel

/// What somebody may want of an item.
public enum Aim: String, CaseIterable, Sendable {
    /// To have its secret.
    case read
    /// To have a private key used.
    case use
    /// To see its attributes.
    case list
    /// To put something else in its place.
    case overwrite
    /// To see that nobody has it any more.
    case destroy
}

/// Something that can be found out about an item in one situation.
enum Fact: UInt8, CaseIterable, Sendable {
    /// A request of somebody for its secret is granted.
    case isRead
    /// A request to use the key is granted.
    case isUsed
    /// A request for its attributes is granted.
    case isListed
    /// A request to change it is granted.
    case isUpdated
    /// A request to delete it is granted, and then one to store another.
    case isReplaced
    /// A request to delete it is granted.
    case isDeleted
    /// No person can ever use it again, because it is lost for good, invalidated or not there.
    case isGone

    /// How many steps it takes from a situation of which it holds.
    var steps: Int {
        switch self {
        case .isRead, .isUsed, .isListed, .isUpdated, .isDeleted: 1
        case .isReplaced: 2
        case .isGone: 0
        }
    }

    /// What is asked for, step by step.
    var requests: [Action] {
        switch self {
        case .isRead: [.readData]
        case .isUsed: [.sign]
        case .isListed: [.readAttributes]
        case .isUpdated: [.update]
        case .isReplaced: [.delete, .add]
        case .isDeleted: [.delete]
        case .isGone: []
        }
    }
}

extension Fact {
    /// Returns true if it can be a fact of the owner's item at all, under the assumptions about `actor`.
    ///
    /// An item on another device is a copy: changing or deleting it there takes nothing from the owner.
    fileprivate func isPossible(to actor: Actor, in situation: Situation) -> Bool {
        switch self {
        case .isRead, .isUsed, .isListed: true
        case .isUpdated, .isGone: !situation.isElsewhere
        case .isReplaced, .isDeleted: actor.assumptions.deletes && !situation.isElsewhere
        }
    }
}

extension Aim {
    /// The facts each of which is what is aimed at, that which takes the fewest steps in front.
    var facts: [Fact] {
        switch self {
        case .read: [.isRead]
        case .use: [.isUsed]
        case .list: [.isListed]
        case .overwrite: [.isUpdated, .isReplaced]
        case .destroy: [.isGone, .isDeleted]
        }
    }

    /// Returns true if an item has such a use at all: a private key is used, and all else is read.
    public func isOpen(toKey isKey: Bool) -> Bool {
        switch self {
        case .read: !isKey
        case .use: isKey
        case .list, .overwrite, .destroy: true
        }
    }
}

/// Facts about the items of a scene.
struct Facts: Hashable, Sendable {
    private(set) var bits: UInt64 = 0

    init() {}

    /// Everything that is to be known of `aims` at the item in this place.
    init(_ aims: some Sequence<Aim>, of place: Int) {
        for aim in aims { for fact in aim.facts { insert(fact, of: place) } }
    }

    /// Everything that is to be known of the item in this place.
    init(all place: Int) { bits = 0xff << (UInt64(place) * 8) }

    private static func bit(_ fact: Fact, _ place: Int) -> UInt64 { 1 << (UInt64(place) * 8 + UInt64(fact.rawValue)) }

    func contains(_ fact: Fact, of place: Int) -> Bool { bits & Self.bit(fact, place) != 0 }
    mutating func insert(_ fact: Fact, of place: Int) { bits |= Self.bit(fact, place) }
    mutating func remove(_ fact: Fact, of place: Int) { bits &= ~Self.bit(fact, place) }
    mutating func formUnion(_ other: Facts) { bits |= other.bits }
    mutating func subtract(_ other: Facts) { bits &= ~other.bits }
    func intersection(_ other: Facts) -> Facts {
        var both = self
        both.bits &= other.bits
        return both
    }
    var isEmpty: Bool { bits == 0 }
}

extension Situation {
    /// Which of `wanted` hold, for `actor`.
    func facts(among wanted: Facts, at items: [SlotID], for actor: Actor, reuse: TimeSpan) -> Facts {
        var found = Facts()
        guard actor.canAsk(in: self) else { return found }
        var context = Context()
        context.reuse = reuse
        let conditions = world.device.conditions(for: actor.app)
        for place in items.indices where !wanted.intersection(Facts(all: place)).isEmpty {
            let slot = items[place]
            if wanted.contains(.isGone, of: place), isUseless(slot), Fact.isGone.isPossible(to: actor, in: self) {
                found.insert(.isGone, of: place)
            }
            // Once the item is gone, the row of an invalidated key holds no secret any more.
            guard !isGone(slot), let item = world[slot]?.item else { continue }
            if kept != nil { context = self.context(for: slot, by: actor, reuse: reuse) }
            for fact in Fact.allCases where wanted.contains(fact, of: place) {
                // `isGone` is no request, and was looked at above.
                guard let action = fact.requests.first, fact.isPossible(to: actor, in: self) else { continue }
                // Most that is denied is denied before anybody is asked, and needs no situation to try it out in.
                let decision = decide(Request(action, item, in: context), under: conditions)
                let isGranted = decision.isGranted && fact.requests.count == 1
                let isOpen = decision.denial.map { !$0.ways.isEmpty && brings(action, slot, actor) } ?? true
                if isGranted || isOpen && grants(fact.requests, of: slot, to: actor, reuse) {
                    found.insert(fact, of: place)
                }
            }
        }
        return found
    }

    private func grants(_ requests: [Action], of slot: SlotID, to actor: Actor, _ reuse: TimeSpan) -> Bool {
        var trial = self
        return requests.allSatisfy { trial.ask($0, of: slot, by: actor, reuse: reuse).decision.isGranted }
    }

    /// Returns true if the item is lost for good, or not there.
    func isGone(_ slot: SlotID) -> Bool {
        guard let place = world[slot], place.isPresent else { return true }
        return invalidation(of: place.item, under: world.device.conditions()) != nil
    }

    /// True if no person can ever use the item again, although the row of an invalidated key may still be there.
    func isUseless(_ slot: SlotID) -> Bool {
        guard let place = world[slot], place.isPresent else { return true }
        return lastingDenial(of: place.item, under: world.device.conditions()) != nil
    }

    /// Returns true if the item is gone, and no backup brings it back either.
    func isGoneForGood(_ slot: SlotID) -> Bool { isGone(slot) && world[slot]?.copy == nil }
}
