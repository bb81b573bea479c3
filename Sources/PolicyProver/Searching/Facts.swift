internal import AccessPolicy
internal import DeviceModel

/// A goal that a person may have with an item or a file.
public enum Aim: String, CaseIterable, Sendable {
    /// Read its secret.
    case read
    /// Use it, if it is a private key.
    case use
    /// Read the secret that its owner stores next under it, on another device of the account.
    case readNext = "read-next"
    /// Read its attributes.
    case list
    /// Change it, or replace it by another item.
    case overwrite
    /// Delete it, or make it unusable for every person.
    case destroy
    /// Read a file, on the device or in a backup.
    case readFile = "read-file"
    /// Create a file of this class, or replace one by a new file.
    case createFile = "create-file"
    /// Write to a file that exists.
    case appendFile = "append-file"

    /// True if the aim is about a file instead of an item.
    public var isAboutFile: Bool {
        switch self {
        case .read, .use, .readNext, .list, .overwrite, .destroy: false
        case .readFile, .createFile, .appendFile: true
        }
    }

    /// True if the aim needs an account with several devices.
    public var needsAccount: Bool {
        switch self {
        case .readNext: true
        case .read, .use, .list, .overwrite, .destroy, .readFile, .createFile, .appendFile: false
        }
    }

    /// The aims at an item on one device.
    public static let ofItems: [Aim] = allCases.filter { !$0.isAboutFile && !$0.needsAccount }

    /// Returns the aims at an item on a device that is in an account or in none.
    public static func ofItems(inAccount: Bool) -> [Aim] { inAccount ? allCases.filter { !$0.isAboutFile } : ofItems }

    /// The aims at a file.
    public static let ofFiles: [Aim] = allCases.filter { $0.isAboutFile }
}

/// A fact about an item or a file that can be checked in one situation. Those of files begin with eight.
enum Fact: UInt8, CaseIterable, Sendable {
    /// The device grants a request for the secret.
    case isRead = 0
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
    /// The secret that the owner stores next on another device arrives, and the device grants a request for it.
    case isNextRead
    /// The device lets the app read the file.
    case isFileRead = 8
    /// The person can open a backup that holds the file.
    case isFileInBackup = 9
    /// The device lets the app create a file of the class.
    case isFileCreated = 10
    /// The device lets the app write to the file.
    case isFileAppended = 11

    /// The number of steps that the fact takes, counted from the situation in which it holds.
    var steps: Int {
        switch self {
        case .isRead, .isUsed, .isListed, .isUpdated, .isDeleted, .isFileRead, .isFileInBackup, .isFileCreated,
            .isFileAppended:
            1
        case .isReplaced, .isNextRead: 2
        case .isGone: 0
        }
    }

    /// The requests for the item that establish the fact, in order.
    var requests: [Action] {
        switch self {
        case .isRead: [.readData]
        case .isUsed: [.sign]
        case .isListed: [.readAttributes]
        case .isUpdated: [.update]
        case .isReplaced: [.delete, .add]
        case .isDeleted: [.delete]
        case .isGone, .isNextRead, .isFileRead, .isFileInBackup, .isFileCreated, .isFileAppended: []
        }
    }

    /// The use of the file that establishes the fact; nil for a fact about an item.
    var fileUse: FileUse? {
        switch self {
        case .isRead, .isUsed, .isListed, .isUpdated, .isReplaced, .isDeleted, .isGone, .isNextRead: nil
        case .isFileRead: .read
        case .isFileInBackup: .readInBackup
        case .isFileCreated: .create
        case .isFileAppended: .append
        }
    }

    /// Returns the moves that establish the fact about the item or the file at this index, through this app.
    func deeds(on place: Int, in scene: Scene, through app: AppID) -> [Move.Deed] {
        if let fileUse { return [.file(fileUse, place)] }
        if self == .isNextRead {
            return [.arrivalOfNext(scene.items[place]), .request(.readData, scene.items[place], app)]
        }
        return requests.map { .request($0, scene.items[place], app) }
    }
}

extension Fact {
    /// Returns true if the fact can be about the owner's item at all, under the assumptions of `actor`.
    ///
    /// An item on another device is a copy. Changing or deleting a copy takes nothing from the owner, unless the account
    /// carries the change to the owner's devices.
    fileprivate func isPossible(to actor: Actor, in situation: Situation, of slot: SlotID?) -> Bool {
        switch self {
        case .isRead, .isUsed, .isListed, .isNextRead, .isFileRead, .isFileInBackup: return true
        case .isGone, .isFileCreated, .isFileAppended: return !situation.isElsewhere
        case .isUpdated: return slot.map { situation.changesOwnersItem($0, for: actor) } ?? false
        case .isReplaced, .isDeleted:
            return (actor.assumptions.deletes || situation.account.isOnOwn)
                && slot.map { situation.changesOwnersItem($0, for: actor) } ?? false
        }
    }
}

extension Aim {
    /// The facts that mean that the aim is reached, the one with the fewest steps first.
    var facts: [Fact] {
        switch self {
        case .read: [.isRead]
        case .readNext: [.isNextRead]
        case .use: [.isUsed]
        case .list: [.isListed]
        case .overwrite: [.isUpdated, .isReplaced]
        case .destroy: [.isGone, .isDeleted]
        case .readFile: [.isFileRead, .isFileInBackup]
        case .createFile: [.isFileCreated]
        case .appendFile: [.isFileAppended]
        }
    }

    /// Returns true if the aim makes sense for the item: a private key is used, and every other item is read. An aim at a
    /// file makes sense for none.
    public func isOpen(toKey isKey: Bool) -> Bool {
        switch self {
        case .read, .readNext: !isKey
        case .use: isKey
        case .list, .overwrite, .destroy: true
        case .readFile, .createFile, .appendFile: false
        }
    }
}

/// A set of facts about the items and the files of a scene.
struct Facts: Hashable, Sendable {
    private var items: UInt64 = 0
    private var files: UInt64 = 0

    init() {}

    /// Creates the set of all facts that mean one of `aims` for the item or the file at this index.
    init(_ aims: some Sequence<Aim>, of place: Int) {
        for aim in aims { for fact in aim.facts { insert(fact, of: place) } }
    }

    /// Creates the set of all facts about the item at this index.
    init(all place: Int) { items = 0xff &<< (UInt64(place) * 8) }

    private static func bit(_ fact: Fact, _ place: Int) -> UInt64 {
        1 &<< (UInt64(place) * 8 + UInt64(fact.rawValue & 7))
    }

    func contains(_ fact: Fact, of place: Int) -> Bool {
        (fact.isAboutFile ? files : items) & Self.bit(fact, place) != 0
    }
    mutating func insert(_ fact: Fact, of place: Int) {
        if fact.isAboutFile { files |= Self.bit(fact, place) } else { items |= Self.bit(fact, place) }
    }
    mutating func formUnion(_ other: Facts) {
        items |= other.items
        files |= other.files
    }
    mutating func subtract(_ other: Facts) {
        items &= ~other.items
        files &= ~other.files
    }
    func intersection(_ other: Facts) -> Facts {
        var both = self
        both.items &= other.items
        both.files &= other.files
        return both
    }
    var isEmpty: Bool { items == 0 && files == 0 }
}

extension Fact {
    fileprivate var isAboutFile: Bool { rawValue >= 8 }
}

extension Situation {
    /// Returns the facts of `wanted` that hold for `actor`.
    func facts(among wanted: Facts, at items: [SlotID], for actor: Actor, reuse: TimeSpan) -> Facts {
        facts(among: wanted, at: items, for: actor, reuse: reuse, under: world.device.conditions())
    }

    /// Returns the facts of `wanted` that hold for `actor`. `own` are the conditions for the app that stored the items.
    func facts(
        among wanted: Facts, at items: [SlotID], for actor: Actor, reuse: TimeSpan, under own: Conditions
    ) -> Facts {
        var found = fileFacts(among: wanted, for: actor)
        guard actor.canAsk(in: self) else { return found }
        for app in actor.apps(in: self) {
            let asked = facts(among: wanted, at: items, for: actor, through: app, reuse: reuse, under: own)
            found.formUnion(asked)
        }
        return found
    }

    /// Returns the facts about items among `wanted` that hold for `actor`, who asks through `app`.
    private func facts(
        among wanted: Facts, at items: [SlotID], for actor: Actor, through app: AppID, reuse: TimeSpan,
        under own: Conditions
    ) -> Facts {
        var found = Facts()
        var context = Context()
        context.reuse = reuse
        let conditions = app == .first ? own : world.device.conditions(for: app)
        for place in items.indices where !wanted.intersection(Facts(all: place)).isEmpty {
            let slot = items[place]
            if wanted.contains(.isGone, of: place), isUseless(slot),
                Fact.isGone.isPossible(to: actor, in: self, of: slot)
            {
                found.insert(.isGone, of: place)
            }
            if wanted.contains(.isNextRead, of: place), grantsNext(slot, to: actor, through: app, reuse) {
                found.insert(.isNextRead, of: place)
            }
            // An invalidated key keeps its row, but that row holds no secret any more.
            guard !isGone(slot, under: own), let item = world[slot]?.item else { continue }
            if kept != nil { context = self.context(for: slot, by: actor, through: app, reuse: reuse) }
            for fact in Fact.allCases where !fact.isAboutFile && wanted.contains(fact, of: place) {
                // `isGone` needs no request, and the code above has checked it.
                guard let action = fact.requests.first, fact.isPossible(to: actor, in: self, of: slot) else { continue }
                // The engine denies most requests before any prompt. Only the others need a trial with prompts.
                let decision = decide(Request(action, item, in: context), under: conditions)
                let isGranted = decision.isGranted && fact.requests.count == 1
                let isOpen = decision.denial.map { !$0.ways.isEmpty && brings(action, slot, actor) } ?? true
                if isGranted || isOpen && grants(fact.requests, of: slot, to: actor, through: app, reuse) {
                    found.insert(fact, of: place)
                }
            }
        }
        return found
    }

    /// Returns the facts of `wanted` about files that hold for `actor`.
    private func fileFacts(among wanted: Facts, for actor: Actor) -> Facts {
        var found = Facts()
        for place in world.files.indices {
            for fact in Fact.allCases where wanted.contains(fact, of: place) {
                guard let use = fact.fileUse, fact.isPossible(to: actor, in: self, of: nil) else { continue }
                if answer(to: use, of: place, by: actor).isGranted { found.insert(fact, of: place) }
            }
        }
        return found
    }

    /// Returns true if the device grants `requests`, one after another, to `actor`, who asks through `app`.
    func grants(
        _ requests: [Action], of slot: SlotID, to actor: Actor, through app: AppID, _ reuse: TimeSpan
    ) -> Bool {
        var trial = self
        return requests.allSatisfy { request in
            trial.ask(request, of: slot, by: actor, through: app, reuse: reuse).decision.isGranted
        }
    }

    /// Returns true if the owner's next secret arrives and the device grants a request for it.
    private func grantsNext(
        _ slot: SlotID, to actor: Actor, through app: AppID, _ reuse: TimeSpan
    ) -> Bool {
        var trial = self
        return trial.receiveNext(slot, for: actor)
            && trial.grants([.readData], of: slot, to: actor, through: app, reuse)
    }

    /// Returns true if the item is invalidated or absent.
    func isGone(_ slot: SlotID) -> Bool { isGone(slot, under: world.device.conditions()) }

    private func isGone(_ slot: SlotID, under conditions: Conditions) -> Bool {
        world.slots.with(slot) { !$0.isPresent || invalidation(of: $0.item, under: conditions) != nil }
    }

    /// Returns true if no person can ever use the item again. The row of an invalidated key may still be there.
    func isUseless(_ slot: SlotID) -> Bool {
        if account.has(slot) { return false }
        guard let place = world[slot], place.isPresent else { return true }
        return lastingDenial(of: place.item, under: world.device.conditions()) != nil
    }

    /// Returns true if the item is gone and no backup can bring it back, under the conditions for its app.
    func isGoneForGood(_ slot: SlotID, under conditions: Conditions) -> Bool {
        world.slots.with(slot) { $0.copy == nil } && isGone(slot, under: conditions)
    }
}
