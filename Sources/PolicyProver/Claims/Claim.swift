public import AccessPolicy

/// Something that is said of an item on a device, whatever anybody does.
///
/// It is about those who go through whatever holds the keys: somebody who has the files of a vault is outside of it.
public struct Claim: Hashable, Sendable {
    /// What is said.
    public enum Statement: Hashable, Sendable {
        /// Nobody like this ever comes to that.
        case never(Aim, against: Profile)
        /// Somebody like this can come to that.
        case eventuallyCan(Aim, by: Profile)
        /// Whatever the one does, the other can come to that in the end.
        case alwaysCan(Aim, by: Profile, against: Profile)
        /// Once the enrollments have changed, the secret can never be read and the key never used, not even by the owner.
        case goneAfterEnrollmentChange
        /// Wherever they bring the device, these requests one after another ask their person for no more than so many proofs.
        case atMostPrompts(Int, for: [Action], by: Profile)
    }

    /// What is said.
    public var statement: Statement
    /// Of which item: its place among those of the scene.
    public var item: Int
    /// The assumptions. The attacker's profile settles those that it leaves open.
    public var assumes: Assumptions.Stated

    /// A claim about the item in this place.
    public init(_ statement: Statement, of item: Int = 0, assuming assumes: Assumptions.Stated = .init()) {
        self.statement = statement
        self.item = item
        self.assumes = assumes
    }

    /// The assumptions of its proof.
    public var assumptions: Assumptions { Assumptions(assumes, else: statement.holder.assumes) }
}

extension Claim.Statement {
    /// The person who gets the device.
    public var holder: Profile {
        switch self {
        case .never(_, let profile), .eventuallyCan(_, let profile), .alwaysCan(_, _, let profile),
            .atMostPrompts(_, _, let profile):
            profile
        case .goneAfterEnrollmentChange: .owner
        }
    }
}

extension Claim: CustomStringConvertible {
    /// The claim in the words that options and files use.
    public var description: String {
        switch statement {
        case .never(let aim, let profile): "never \(aim.rawValue) against \(profile.name)"
        case .eventuallyCan(let aim, let profile): "eventually-can \(aim.rawValue) by \(profile.name)"
        case .alwaysCan(let aim, let owner, let profile):
            "always-can \(aim.rawValue) by \(owner.name) against \(profile.name)"
        case .goneAfterEnrollmentChange: "gone-after-enrollment-change"
        case .atMostPrompts(let count, let workflow, let profile):
            "at-most-prompts \(count) for \(workflow.map { $0.word }.joined(separator: ", ")) by \(profile.name)"
        }
    }
}

extension Action {
    /// The word that scenario files have for it.
    package var word: String {
        switch self {
        case .add: "add"
        case .readData: "read"
        case .readAttributes: "attributes"
        case .readReference: "reference"
        case .probe: "exists"
        case .inventory: "inventory"
        case .update: "update"
        case .checkDuplicate: "judge"
        case .delete: "delete"
        case .sign: "sign"
        case .agree: "agree"
        case .decapsulate: "decapsulate"
        case .attest: "attest"
        }
    }
}
