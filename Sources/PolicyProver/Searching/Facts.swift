internal import AccessPolicy
internal import DeviceModel

/// A goal that a person may have with an item.
public enum Aim: String, CaseIterable, Sendable {
    /// Read its secret.
    case read
    /// Use it, if it is a private key.
    case use
    /// Read its attributes.
    case list
    /// Change it, or replace it by another item.
    case overwrite
    /// Delete it, or make it unusable for every person.
    case destroy
}

/// A fact about an item that can be checked in one situation.
enum Fact: UInt8, CaseIterable, Sendable {
    /// The device grants a request for the secret.
    case isRead
    /// The device grants a request to use the key.
    case isUsed
    /// The device grants a request for the attributes.
    case isListed
    /// The device grants a request to change the item.
    case isUpdated
    /// The device grants a request to delete the item, and then one to store another.
    case isReplaced
    /// The device grants a request to delete the item.
    case isDeleted
    /// No person can ever use the item again, because it is invalidated or absent.
    case isGone

    /// The number of steps that the fact takes, counted from the situation in which it holds.
    var steps: Int {
        switch self {
        case .isRead, .isUsed, .isListed, .isUpdated, .isDeleted: 1
        case .isReplaced: 2
        case .isGone: 0
        }
    }

    /// The requests that establish the fact, in order.
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
    /// Returns true if the fact can be about the owner's item at all, under the assumptions of `actor`.
    ///
    /// An item on another device is a copy. Changing or deleting a copy takes nothing from the owner.
    fileprivate func isPossible(to actor: Actor, in situation: Situation) -> Bool {
        switch self {
        case .isRead, .isUsed, .isListed: true
        case .isUpdated, .isGone: !situation.isElsewhere
        case .isReplaced, .isDeleted: actor.assumptions.deletes && !situation.isElsewhere
        }
    }
}

extension Aim {
    /// The facts that mean that the aim is reached, the one with the fewest steps first.
    var facts: [Fact] {
        switch self {
        case .read: [.isRead]
        case .use: [.isUsed]
        case .list: [.isListed]
        case .overwrite: [.isUpdated, .isReplaced]
        case .destroy: [.isGone, .isDeleted]
        }
    }

    /// Returns true if the aim makes sense for the item: a private key is used, and every other item is read.
    public func isOpen(toKey isKey: Bool) -> Bool {
        switch self {
        case .read: !isKey
        case .use: isKey
        case .list, .overwrite, .destroy: true
        }
    }
}

/// A set of facts about the items of a scene.
struct Facts: Hashable, Sendable {
    private(set) var bits: UInt64 = 0

    init() {}

    /// Creates the set of all facts that mean one of `aims` for the item at this index.
    init(_ aims: some Sequence<Aim>, of place: Int) {
        for aim in aims { for fact in aim.facts { insert(fact, of: place) } }
    }

    /// Creates the set of all facts about the item at this index.
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
    /// Returns the facts of `wanted` that hold for `actor`.
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
            // An invalidated key keeps its row, but that row holds no secret any more.
            guard !isGone(slot), let item = world[slot]?.item else { continue }
            if kept != nil { context = self.context(for: slot, by: actor, reuse: reuse) }
            for fact in Fact.allCases where wanted.contains(fact, of: place) {
                // `isGone` needs no request, and the code above has checked it.
                guard let action = fact.requests.first, fact.isPossible(to: actor, in: self) else { continue }
                // The engine denies most requests before any prompt. Only the others need a trial with prompts.
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

    /// Returns true if the item is invalidated or absent.
    func isGone(_ slot: SlotID) -> Bool {
        guard let place = world[slot], place.isPresent else { return true }
        return invalidation(of: place.item, under: world.device.conditions()) != nil
    }

    /// Returns true if no person can ever use the item again. The row of an invalidated key may still be there.
    func isUseless(_ slot: SlotID) -> Bool {
        guard let place = world[slot], place.isPresent else { return true }
        return lastingDenial(of: place.item, under: world.device.conditions()) != nil
    }

    /// Returns true if the item is gone and no backup can bring it back.
    func isGoneForGood(_ slot: SlotID) -> Bool { isGone(slot) && world[slot]?.copy == nil }
}
