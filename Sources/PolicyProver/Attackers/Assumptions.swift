/// Assumptions of a search about the app and the device that no access policy settles. Every verdict names them.
public struct Assumptions: Hashable, Sendable {
    /// The kind of context that the app asks in.
    public enum Contexts: String, CaseIterable, Sendable {
        /// A new context for each request.
        case fresh
        /// A context that the owner authenticated before the attacker got the device.
        case kept
    }

    /// The time since the lock of a device that comes to the attacker locked.
    public enum Held: String, CaseIterable, Sendable {
        /// The device was locked longer ago than its lock grace.
        case longLocked = "long-locked"
        /// The device was locked a moment ago, and its lock grace still runs.
        case justLocked = "just-locked"
    }

    /// True if the app offers a way to delete the item. Deleting never asks for authentication.
    public var deletes: Bool
    /// The kind of context that the app asks in.
    public var contexts: Contexts
    /// The time since the lock, for a device that comes to the attacker locked.
    public var held: Held

    /// Creates assumptions; those that you leave out are the usual ones.
    public init(deletes: Bool = true, contexts: Contexts = .fresh, held: Held = .longLocked) {
        self.deletes = deletes
        self.contexts = contexts
        self.held = held
    }

    /// Combines stated assumptions: those that `first` leaves open come from `second`, and the rest are the usual ones.
    public init(_ first: Stated, else second: Stated = Stated()) {
        let usual = Self()
        deletes = first.deletes ?? second.deletes ?? usual.deletes
        contexts = first.contexts ?? second.contexts ?? usual.contexts
        held = first.held ?? second.held ?? usual.held
    }

    /// The assumptions that a claim, a profile or an option states. Each is nil if it is left open.
    public struct Stated: Hashable, Sendable {
        /// True if the app offers a way to delete the item.
        public var deletes: Bool?
        /// The kind of context that the app asks in.
        public var contexts: Contexts?
        /// The time since the lock, for a device that comes to the attacker locked.
        public var held: Held?

        /// Creates a statement of these assumptions.
        public init(deletes: Bool? = nil, contexts: Contexts? = nil, held: Held? = nil) {
            self.deletes = deletes
            self.contexts = contexts
            self.held = held
        }
    }
}

/// One assumption, with the words for it in files, options and reports.
public enum Assumption: String, CaseIterable, Sendable {
    /// True if the app offers a way to delete the item.
    case deletes
    /// The kind of context that the app asks in.
    case contexts
    /// The time since the lock, for a device that comes to the attacker locked.
    case holds

    /// The words that can state it, the usual one first.
    public var words: [String] {
        switch self {
        case .deletes: ["true", "false"]
        case .contexts: Assumptions.Contexts.allCases.map { $0.rawValue }
        case .holds: Assumptions.Held.allCases.map { $0.rawValue }
        }
    }

    /// The meaning of the assumption in a few words, for help and tables.
    public var about: String {
        switch self {
        case .deletes: "whether the app offers a way to delete the item, which asks for no authentication"
        case .contexts: "whether the app asks in a fresh context, or in one that it kept after the owner authenticated"
        case .holds: "whether a device that comes locked was locked long ago or just now, with its lock grace running"
        }
    }

    /// Returns the word that states the assumption as it is in `assumptions`.
    public func word(in assumptions: Assumptions) -> String {
        switch self {
        case .deletes: "\(assumptions.deletes)"
        case .contexts: assumptions.contexts.rawValue
        case .holds: assumptions.held.rawValue
        }
    }

    /// Records the assumption as `word` in `stated`. Returns false if `word` is not one of ``words``.
    public func state(_ word: String, in stated: inout Assumptions.Stated) -> Bool {
        guard words.contains(word) else { return false }
        switch self {
        case .deletes: stated.deletes = word == "true"
        case .contexts: stated.contexts = Assumptions.Contexts(rawValue: word)
        case .holds: stated.held = Assumptions.Held(rawValue: word)
        }
        return true
    }

    /// Returns true if the assumption makes a difference to an attacker who gets the device in this way.
    public func applies(to hold: Hold) -> Bool {
        switch self {
        case .deletes, .contexts: true
        case .holds: hold == .locked
        }
    }

    /// Returns true if `stated` settles this assumption.
    public func isStated(in stated: Assumptions.Stated) -> Bool {
        switch self {
        case .deletes: stated.deletes != nil
        case .contexts: stated.contexts != nil
        case .holds: stated.held != nil
        }
    }
}

extension Assumptions: CustomStringConvertible {
    /// All assumptions in the words of files, such as "deletes: true, contexts: fresh, holds: long-locked".
    public var description: String {
        Assumption.allCases.map { "\($0.rawValue): \($0.word(in: self))" }.joined(separator: ", ")
    }
}
