internal import AccessPolicy
internal import PlainText
internal import PolicyProver

extension Claim.Statement {
    /// Reads the claim of a request: one member named after its kind, and the people in it.
    ///
    /// - Throws: `RequestError` if there is no claim, or more than one, or a member that does not go with it.
    init(_ members: inout Members) throws(QuestionError) {
        let profiles = Profile.ofOneDevice.map { ($0.name, $0) }
        var stated: [(kind: ClaimKind, value: JSON)] = []
        for kind in ClaimKind.ofOneDevice {
            // False says that the claim is not made, as an option that is left out does.
            if let value = members.value(kind.rawValue), value != .bool(false) { stated.append((kind, value)) }
        }
        let against = try members.word("against", "profile", among: profiles)
        let by = try members.word("by", "profile", among: profiles)
        let workflow = try members.words("workflow")
        guard let (kind, value) = stated.first else {
            throw QuestionError("state a claim: \(ClaimKind.ofOneDevice.map { $0.rawValue }.joined(separator: ", "))")
        }
        if stated.count > 1 {
            throw QuestionError(
                "\(kind.rawValue) and \(stated[1].kind.rawValue) are two claims: prove one at a time")
        }
        for (name, isStated, kinds) in [
            ("against", against != nil, [.never, .alwaysCan]),
            ("by", by != nil, [.eventuallyCan, .alwaysCan, .atMostPrompts]),
            ("workflow", workflow != nil, [.atMostPrompts]),
        ] as [(String, Bool, [ClaimKind])] where isStated && !kinds.contains(kind) {
            throw QuestionError("\(name) does not go with \(kind.rawValue)")
        }
        switch kind {
        case .never: self = .never(try Self.aim(value), against: try Self.attacker(against, of: kind))
        case .eventuallyCan: self = .eventuallyCan(try Self.aim(value), by: by ?? .owner)
        case .alwaysCan:
            self = .alwaysCan(
                try Self.aim(value), by: by ?? .owner, against: try Self.attacker(against, of: kind))
        case .goneAfterEnrollmentChange: self = .goneAfterEnrollmentChange
        case .endsWithRemoval: self = .endsWithRemoval(against: try Self.attacker(against, of: kind))
        case .atMostPrompts:
            self = .atMostPrompts(
                try Self.count(value), for: try Self.actions(workflow), by: by ?? .owner)
        }
    }

    private static func aim(_ value: JSON) throws(QuestionError) -> Aim {
        let words = ClaimWords.aimsOfItems.map { $0.0 }
        guard case .string(let word) = value else { throw QuestionError("name an aim: \(enumerated(words))") }
        guard let aim = ClaimWords.aimsOfItems.first(where: { $0.0 == word })?.1 else {
            throw QuestionError(unknownWord("aim", word, among: words))
        }
        return aim
    }

    private static func attacker(_ profile: Profile?, of kind: ClaimKind) throws(QuestionError) -> Profile {
        if let profile { return profile }
        let known = Profile.ofOneDevice.map { $0.name }.joined(separator: ", ")
        throw QuestionError("\(kind.rawValue) needs against, a profile: \(known)")
    }

    private static func count(_ value: JSON) throws(QuestionError) -> Int {
        let text: String
        switch value {
        case .number(let digits): text = digits
        case .string(let word): text = word
        case .null, .bool, .array, .object: text = value.text
        }
        guard let count = Int(text), count >= 0 else {
            throw QuestionError(
                "\(ClaimKind.atMostPrompts.rawValue) needs a number of prompts, not \"\(Terminal.word(text))\"")
        }
        return count
    }

    private static func actions(_ words: [String]?) throws(QuestionError) -> [Action] {
        guard let words else {
            throw QuestionError("\(ClaimKind.atMostPrompts.rawValue) needs workflow with requests, such as read,read")
        }
        var actions: [Action] = []
        for word in words {
            guard let action = ClaimWords.workflow.first(where: { $0.0 == word })?.1 else {
                throw QuestionError(unknownWord("request", word, among: ClaimWords.workflow.map { $0.0 }))
            }
            actions.append(action)
        }
        return actions
    }
}
