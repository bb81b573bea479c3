internal import AccessPolicy
package import DeviceModel

extension Prompts {
    /// The actions of the person at these prompts, as a verb phrase.
    ///
    /// Every ending of a prompt has its own verb, so that a phrase never blurs which factors the person gave. If they
    /// gave both, the phrase is `authenticates with biometry and passcode`. If the first prompt failed, it is `fails
    /// biometry and uses the passcode`. If they left it without a try, it says `cancels`.
    package var inWords: String {
        var clauses: [(ending: Ending, factors: [Factor])] = []
        for place in indices {
            let ending = ending(at: place)
            if ending == .authenticated, clauses.last?.ending == ending {
                clauses[clauses.count - 1].factors.append(self[place])
            } else {
                clauses.append((ending, [self[place]]))
            }
        }
        let phrases = clauses.enumerated().map { number, clause in
            Self.words(for: clause.ending, clause.factors, isFirst: number == 0)
        }
        return Self.joined(phrases)
    }

    private static func words(for ending: Ending, _ factors: [Factor], isFirst: Bool) -> String {
        switch ending {
        case .canceled: "cancels \(joined(factors.map { $0.withArticle }))"
        case .failed: "fails \(joined(factors.map { $0.withArticle }))"
        case .authenticated where isFirst:
            "authenticates with \(factors.count == 1 ? factors[0].withArticle : joined(factors.map { $0.name }))"
        case .authenticated: "uses \(joined(factors.map { $0.withArticle }))"
        }
    }

    private static func joined(_ parts: [String]) -> String {
        parts.count < 2
            ? parts.joined() : parts.dropLast().joined(separator: ", ") + " and " + parts[parts.count - 1]
    }
}

extension Factor {
    fileprivate var withArticle: String {
        switch self {
        case .biometry: name
        case .companion, .passcode, .applicationPassword: "the \(name)"
        }
    }
}
