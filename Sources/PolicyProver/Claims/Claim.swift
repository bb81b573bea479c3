public import AccessPolicy

/// A statement about one item or file on a device that is true or false for everything that people can do.
///
/// Create a claim from a ``Statement`` and give it to a ``Prover``. A claim covers attackers who go through the
/// keychain that holds the keys. It does not cover an attacker who has the files of a vault.
public struct Claim: Hashable, Sendable {
    /// The content of a claim: an aim, and the people who do or do not reach it.
    public enum Statement: Hashable, Sendable {
        /// The attacker never reaches the aim, whatever they do.
        case never(Aim, against: Profile)
        /// The person can reach the aim.
        case eventuallyCan(Aim, by: Profile)
        /// Whatever the attacker (`against`) does, the other person (`by`) can still reach the aim in the end.
        case alwaysCan(Aim, by: Profile, against: Profile)
        /// Once the enrollments have changed, no person can read the secret or use the key, the owner included.
        case goneAfterEnrollmentChange
        /// Once the owner has removed the device from the account and another device has taken note, the attacker never reads
        /// a secret that the owner stores from then on.
        case endsWithRemoval(against: Profile)
        /// However the person prepares the device, these requests, one after another, show them at most this many
        /// prompts.
        case atMostPrompts(Int, for: [Action], by: Profile)
    }

    /// The content of the claim.
    public var statement: Statement
    /// The index of the item among ``Scene/items``, or of the file among ``Scene/files`` if the aim is about a file.
    public var item: Int
    /// The assumptions that the claim states. The attacker's profile settles those that the claim leaves open.
    public var assumes: Assumptions.Stated

    /// Creates a claim about the item at this index of the scene, or about the file if the aim is about one.
    public init(_ statement: Statement, of item: Int = 0, assuming assumes: Assumptions.Stated = .init()) {
        self.statement = statement
        self.item = item
        self.assumes = assumes
    }

    /// The assumptions of its proof: those of the claim, of the attacker's profile, and the usual ones.
    public var assumptions: Assumptions { Assumptions(assumes, else: statement.holder.assumes) }
}

extension Claim.Statement {
    /// The person who gets the device.
    public var holder: Profile {
        switch self {
        case .never(_, let profile), .eventuallyCan(_, let profile), .alwaysCan(_, _, let profile),
            .endsWithRemoval(let profile), .atMostPrompts(_, _, let profile):
            profile
        case .goneAfterEnrollmentChange: .owner
        }
    }
}

extension Claim {
    /// True if the claim says something only about a device in an account: by its kind, its aim, or a person who has a
    /// device of their own to sign in.
    public var concernsAccount: Bool {
        switch statement {
        case .never(let aim, let profile), .eventuallyCan(let aim, let profile):
            aim.needsAccount || profile.concernsAccount
        case .alwaysCan(let aim, let owner, let profile):
            aim.needsAccount || owner.concernsAccount || profile.concernsAccount
        case .endsWithRemoval: true
        case .goneAfterEnrollmentChange: false
        case .atMostPrompts(_, _, let profile): profile.concernsAccount
        }
    }
}

extension Profile {
    /// True if the person has nothing of the owner's, or a device of their own to sign in to the account.
    fileprivate var concernsAccount: Bool { holds == .nothing || carries.contains(.ownDevice) }
}

extension Claim: CustomStringConvertible {
    /// The claim in the words of options and files, such as "never read against passcode-thief".
    public var description: String {
        switch statement {
        case .never(let aim, let profile): "never \(aim.rawValue) against \(profile.name)"
        case .eventuallyCan(let aim, let profile): "eventually-can \(aim.rawValue) by \(profile.name)"
        case .alwaysCan(let aim, let owner, let profile):
            "always-can \(aim.rawValue) by \(owner.name) against \(profile.name)"
        case .goneAfterEnrollmentChange: "gone-after-enrollment-change"
        case .endsWithRemoval(let profile): "ends-with-removal against \(profile.name)"
        case .atMostPrompts(let count, let workflow, let profile):
            "at-most-prompts \(count) for \(workflow.map { $0.word }.joined(separator: ", ")) by \(profile.name)"
        }
    }
}

extension Action {
    /// The word for the action in scenario files.
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
