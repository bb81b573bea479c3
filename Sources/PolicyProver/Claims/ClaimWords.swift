package import AccessPolicy

/// A kind of claim, by the word that files and options use for it.
package enum ClaimKind: String, CaseIterable, Sendable {
    /// An attacker never reaches an aim.
    case never
    /// A person can reach an aim.
    case eventuallyCan = "eventually-can"
    /// A person can still reach an aim after everything that an attacker can do.
    case alwaysCan = "always-can"
    /// A change of the enrolled set makes the item unusable for good.
    case goneAfterEnrollmentChange = "gone-after-enrollment-change"
    /// The removal of the device from its account ends what its holder gets to read.
    case endsWithRemoval = "ends-with-removal"
    /// A workflow never shows more than a number of prompts.
    case atMostPrompts = "at-most-prompts"

    /// True if the claim needs an account with several devices.
    package var needsAccount: Bool {
        switch self {
        case .endsWithRemoval: true
        case .never, .eventuallyCan, .alwaysCan, .goneAfterEnrollmentChange, .atMostPrompts: false
        }
    }

    /// The kinds of claims about one device.
    package static let ofOneDevice = allCases.filter { !$0.needsAccount }

    /// The meaning of the claim, as a phrase for reports.
    package var summary: String {
        switch self {
        case .never: "whatever the attacker does, they never reach the aim"
        case .eventuallyCan: "the person can reach the aim"
        case .alwaysCan: "whatever the attacker does, the other person can still reach the aim in the end"
        case .goneAfterEnrollmentChange:
            "once the enrolled set has changed, the item is gone for everyone, the owner included"
        case .endsWithRemoval:
            "once the device is removed from its account, the attacker reads no secret that the owner stores from then on"
        case .atMostPrompts: "however the person prepares the device, the workflow shows at most this many prompts"
        }
    }
}

extension Claim.Statement {
    package var kind: ClaimKind {
        switch self {
        case .never: .never
        case .eventuallyCan: .eventuallyCan
        case .alwaysCan: .alwaysCan
        case .goneAfterEnrollmentChange: .goneAfterEnrollmentChange
        case .endsWithRemoval: .endsWithRemoval
        case .atMostPrompts: .atMostPrompts
        }
    }

    /// The aim that the claim is about; nil for a kind without an aim.
    package var aim: Aim? {
        switch self {
        case .never(let aim, _), .eventuallyCan(let aim, _), .alwaysCan(let aim, _, _): aim
        case .endsWithRemoval: .readNext
        case .goneAfterEnrollmentChange, .atMostPrompts: nil
        }
    }
}

extension Claim.Statement {
    /// Returns the message if the claim cannot have these assumptions; nil if it can.
    package func fault(of stated: Assumptions.Stated) -> String? {
        guard Assumption.holds.isStated(in: stated), !Assumption.holds.applies(to: holder.holds) else { return nil }
        return "\"holds\" applies only to an attacker who gets the device locked, and \(holder.name) does not"
    }
}

/// The words for parts of claims.
package enum ClaimWords {
    /// The aims by their words. Steps use a private key with `sign`, so claims accept that word for `use` too.
    package static let aims: [(String, Aim)] = Aim.allCases.map { ($0.rawValue, $0) } + [(Action.sign.word, .use)]

    package static let aimsOfItems = aims.filter { !$0.1.isAboutFile && !$0.1.needsAccount }

    /// The word for decrypting with a key. It is decided as an agreement, because ECIES agrees on a secret with the
    /// sender's ephemeral key.
    package static let decrypting = "decrypt"

    /// The requests that a workflow can repeat, by their words.
    package static let workflow: [(String, Action)] =
        [
            Action.readData, .readAttributes, .readReference, .probe, .inventory, .update, .sign, .agree, .decapsulate,
        ].map { ($0.word, $0) } + [(decrypting, .agree)]
}
