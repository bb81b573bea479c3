/// The assumptions of a search about the app, and about a device that comes locked. Every verdict names them.
public struct Assumptions: Hashable, Sendable {
    /// Which contexts the app asks in.
    public enum Contexts: String, CaseIterable, Sendable {
        /// A new one for each request.
        case fresh
        /// The one that the owner authenticated before the attacker got the device.
        case kept
    }

    /// How long ago a device was locked that comes locked.
    public enum Held: String, CaseIterable, Sendable {
        /// Longer ago than its lock grace.
        case longLocked = "long-locked"
        /// A moment ago: its lock grace still runs.
        case justLocked = "just-locked"
    }

    /// True if the app offers a way to delete the item. Deleting never asks for authentication.
    public var deletes: Bool
    /// Which contexts the app asks in.
    public var contexts: Contexts
    /// How long ago a device was locked that comes locked.
    public var held: Held

    /// The usual assumptions, unless others are given.
    public init(deletes: Bool = true, contexts: Contexts = .fresh, held: Held = .longLocked) {
        self.deletes = deletes
        self.contexts = contexts
        self.held = held
    }

    /// The assumptions that were stated; what `first` leaves open `second` settles, and the rest is as usual.
    public init(_ first: Stated, else second: Stated = Stated()) {
        let usual = Self()
        deletes = first.deletes ?? second.deletes ?? usual.deletes
        contexts = first.contexts ?? second.contexts ?? usual.contexts
        held = first.held ?? second.held ?? usual.held
    }

    /// The assumptions that a claim, a profile or an option states; nil where it states none.
    public struct Stated: Hashable, Sendable {
        /// True if the app offers a way to delete the item.
        public var deletes: Bool?
        /// Which contexts the app asks in.
        public var contexts: Contexts?
        /// How long ago a device was locked that comes locked.
        public var held: Held?

        /// Creates a statement of these assumptions.
        public init(deletes: Bool? = nil, contexts: Contexts? = nil, held: Held? = nil) {
            self.deletes = deletes
            self.contexts = contexts
            self.held = held
        }
    }
}

/// One assumption, by the word that files, options and reports have for it. Everything that names assumptions reads this list.
public enum Assumption: String, CaseIterable, Sendable {
    /// True if the app offers a way to delete the item.
    case deletes
    /// Which contexts the app asks in.
    case contexts
    /// How long ago a device was locked that comes locked.
    case holds

    /// The words that it can be stated with, the usual one first.
    public var words: [String] {
        switch self {
        case .deletes: ["true", "false"]
        case .contexts: Assumptions.Contexts.allCases.map { $0.rawValue }
        case .holds: Assumptions.Held.allCases.map { $0.rawValue }
        }
    }

    /// The assumption in a few words, for help and tables.
    public var about: String {
        switch self {
        case .deletes: "whether the app offers a way to delete the item, which asks for no authentication"
        case .contexts: "whether the app asks in a fresh context, or in one that the owner authenticated and it kept"
        case .holds: "whether a device that comes locked was locked long ago, or just now, with its lock grace running"
        }
    }

    /// The word for what `assumptions` assume.
    public func word(in assumptions: Assumptions) -> String {
        switch self {
        case .deletes: "\(assumptions.deletes)"
        case .contexts: assumptions.contexts.rawValue
        case .holds: assumptions.held.rawValue
        }
    }

    /// States it with `word`. Returns false if it has no such word, and then states nothing.
    public func state(_ word: String, in stated: inout Assumptions.Stated) -> Bool {
        guard words.contains(word) else { return false }
        switch self {
        case .deletes: stated.deletes = word == "true"
        case .contexts: stated.contexts = Assumptions.Contexts(rawValue: word)
        case .holds: stated.held = Assumptions.Held(rawValue: word)
        }
        return true
    }

    /// Returns true if it makes a difference to a device that comes to this attacker.
    public func applies(to hold: Hold) -> Bool {
        switch self {
        case .deletes, .contexts: true
        case .holds: hold == .locked
        }
    }

    /// Returns true if `stated` states it.
    public func isStated(in stated: Assumptions.Stated) -> Bool {
        switch self {
        case .deletes: stated.deletes != nil
        case .contexts: stated.contexts != nil
        case .holds: stated.held != nil
        }
    }
}

extension Assumptions: CustomStringConvertible {
    /// All of them in the words of files, such as "deletes: true, contexts: fresh, holds: long-locked".
    public var description: String {
        Assumption.allCases.map { "\($0.rawValue): \($0.word(in: self))" }.joined(separator: ", ")
    }
}
