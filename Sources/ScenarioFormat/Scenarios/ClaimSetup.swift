package import AccessPolicy
package import PolicyProver

/// Something that a file claims of one of its items, on its device as it declares them.
package struct ClaimSetup: Sendable {
    /// Where it stands.
    package var position: Position
    /// What is claimed.
    package var statement: Claim.Statement
    /// Of which item: its place among those of the file.
    package var item: Int
    /// How old an unlock by biometry may be to count as biometry for the app that asks.
    package var reuse: TimeSpan
    /// The assumptions.
    package var assumes: Assumptions.Stated
    /// True if it is expected to hold; a file can also record what falls.
    package var expectsHold: Bool

    package init(
        position: Position, statement: Claim.Statement, item: Int, reuse: TimeSpan, assumes: Assumptions.Stated,
        expectsHold: Bool
    ) {
        self.position = position
        self.statement = statement
        self.item = item
        self.reuse = reuse
        self.assumes = assumes
        self.expectsHold = expectsHold
    }
}

/// What can be claimed, by the words that files and options have for it.
package enum ClaimKind: String, CaseIterable, Sendable {
    case never
    case eventuallyCan = "eventually-can"
    case alwaysCan = "always-can"
    case goneAfterEnrollmentChange = "gone-after-enrollment-change"
    case atMostPrompts = "at-most-prompts"

    /// What it says.
    package var summary: String {
        switch self {
        case .never: "whatever somebody does, they never come to that"
        case .eventuallyCan: "somebody can come to that"
        case .alwaysCan: "whatever one does, the other can come to that in the end"
        case .goneAfterEnrollmentChange: "once the enrollments have changed, it is gone for all, the owner included"
        case .atMostPrompts: "wherever they bring the device, the workflow asks for no more than so many proofs"
        }
    }
}

extension Claim.Statement {
    /// What kind of claim it is.
    package var kind: ClaimKind {
        switch self {
        case .never: .never
        case .eventuallyCan: .eventuallyCan
        case .alwaysCan: .alwaysCan
        case .goneAfterEnrollmentChange: .goneAfterEnrollmentChange
        case .atMostPrompts: .atMostPrompts
        }
    }

    /// What somebody wants of the item, where it is about that.
    package var aim: Aim? {
        switch self {
        case .never(let aim, _), .eventuallyCan(let aim, _), .alwaysCan(let aim, _, _): aim
        case .goneAfterEnrollmentChange, .atMostPrompts: nil
        }
    }
}

extension Claim.Statement {
    /// Why these assumptions cannot be stated of it; nil if they can.
    package func fault(of stated: Assumptions.Stated) -> String? {
        guard Assumption.holds.isStated(in: stated), !Assumption.holds.applies(to: holder.holds) else { return nil }
        return "\"holds\" is about a device that comes locked, and \(holder.name) does not get it so"
    }
}

/// The words of claims.
package enum ClaimWords {
    /// Aims at an item. Steps use a key by `sign`, and claims take that word too.
    package static let aims: [(String, Aim)] = Aim.allCases.map { ($0.rawValue, $0) } + [(Action.sign.word, .use)]

    /// What can be asked again and again, by its words.
    package static let workflow: [(String, Action)] = [
        Action.readData, .readAttributes, .readReference, .probe, .inventory, .update, .sign, .agree, .decapsulate,
    ].map { ($0.word, $0) }
}
