/// A request to use an item or to authenticate, with the authentications that the caller already has.
public struct Request: Hashable, Sendable {
    /// The subject of the request.
    public enum Subject: Hashable, Sendable {
        /// An action on an item. `namesGroup` is true if the caller named the item's access group.
        case item(Item, Action, namesGroup: Bool)
        /// An action on an item that does not exist, searched for in this access group.
        case missing(Action, AccessGroup, namesGroup: Bool)
        /// The evaluation of a policy, as by `LAContext.evaluatePolicy`.
        case policy(AuthenticationPolicy)
        /// The evaluation of an access control without an item. Without an operation, it only checks that an item under
        /// the access control could be stored.
        case accessControl(AccessControl, Operation?)
    }

    /// The subject of the request.
    public var subject: Subject
    /// The authentications so far.
    public var context: Context
    /// The prompts that the request allows.
    public var interaction: Interaction

    /// Creates a request for an action on an item.
    ///
    /// A stored item has the ``Conditions/binding`` of the moment when it was stored. An item without a binding is new:
    /// it can be added, and a request to read or use it is denied.
    ///
    /// - Parameters:
    ///   - action: The action, such as ``Action/readData``.
    ///   - item: The item.
    ///   - namesGroup: Pass true if the caller names the item's access group.
    ///   - context: The authentications so far.
    ///   - interaction: The prompts that the caller allows.
    public init(
        _ action: Action, _ item: Item, namesGroup: Bool = false, in context: Context = Context(),
        interaction: Interaction = .allowed
    ) {
        subject = .item(item, action, namesGroup: namesGroup)
        self.context = context
        self.interaction = interaction
    }

    package init(_ subject: Subject, in context: Context, interaction: Interaction) {
        self.subject = subject
        self.context = context
        self.interaction = interaction
    }

    /// Creates a request for an action on an item that does not exist.
    public init(
        _ action: Action, missingFrom group: AccessGroup, namesGroup: Bool = false, in context: Context = Context(),
        interaction: Interaction = .allowed
    ) {
        subject = .missing(action, group, namesGroup: namesGroup)
        self.context = context
        self.interaction = interaction
    }

    /// Creates a request to evaluate a policy, as `LAContext.evaluatePolicy` does.
    public init(
        proving policy: AuthenticationPolicy, in context: Context = Context(), interaction: Interaction = .allowed
    ) {
        subject = .policy(policy)
        self.context = context
        self.interaction = interaction
    }

    /// Creates a request to satisfy an access control for an operation, or without one to check that it could be
    /// stored.
    public init(
        meeting control: AccessControl, for operation: Operation?, in context: Context = Context(),
        interaction: Interaction = .allowed
    ) {
        subject = .accessControl(control, operation)
        self.context = context
        self.interaction = interaction
    }
}

/// An action on an item.
public enum Action: UInt8, CaseIterable, Sendable {
    /// Stores a new item.
    case add
    /// Reads the secret.
    case readData
    /// Reads the attributes.
    case readAttributes
    /// Reads a persistent reference.
    case readReference
    /// Checks that the item exists.
    case probe
    /// Reads the name and the access policy, for the owner's own list. Apple's interfaces have no such action.
    case inventory
    /// Changes the secret or the attributes.
    case update
    /// Checks whether the existing item with the primary key of a new one is usable, for an add.
    ///
    /// It is never granted. If the caller can open the existing item, the answer is a denial by ``Rule/itemDuplicate``.
    case checkDuplicate
    /// Deletes the item.
    case delete
    /// Signs with a private key.
    case sign
    /// Agrees on a shared secret with a private key.
    case agree
    /// Decapsulates a shared secret with a private key.
    case decapsulate
    /// Attests a private key.
    case attest

    /// True if the action reads a secret or uses one.
    package var usesSecret: Bool {
        switch self {
        case .readData, .sign, .agree, .decapsulate: true
        case .add, .readAttributes, .readReference, .probe, .inventory, .update, .checkDuplicate, .delete, .attest:
            false
        }
    }

    /// True if the action uses a private key.
    package var usesKey: Bool {
        switch self {
        case .sign, .agree, .decapsulate, .attest: true
        case .add, .readData, .readAttributes, .readReference, .probe, .inventory, .update, .checkDuplicate, .delete:
            false
        }
    }

    /// True if the action must satisfy the constraint of a private key: it uses the key, or can change the constraint.
    var meetsConstraintOfKey: Bool {
        switch self {
        case .sign, .agree, .decapsulate, .update: true
        case .add, .readData, .readAttributes, .readReference, .probe, .inventory, .checkDuplicate, .delete, .attest:
            false
        }
    }

    /// True if the action changes what is stored.
    public var writes: Bool {
        switch self {
        case .add, .update, .delete: true
        case .readData, .readAttributes, .readReference, .probe, .inventory, .checkDuplicate, .sign, .agree,
            .decapsulate, .attest:
            false
        }
    }
}

/// A policy that a context can evaluate without an item: Apple's `LAPolicy`, with the same numbers.
///
/// Wrist detection (5) is left out: it exists only on a watch, and the model has no device of that kind.
public enum AuthenticationPolicy: Int, CaseIterable, Sendable {
    /// `deviceOwnerAuthenticationWithBiometrics`.
    case biometry = 1
    /// `deviceOwnerAuthentication`.
    case presence = 2
    /// `deviceOwnerAuthenticationWithCompanion`.
    case companion = 3
    /// `deviceOwnerAuthenticationWithBiometricsOrCompanion`.
    case biometryOrCompanion = 4

    var constraint: Constraint {
        switch self {
        case .biometry: .one(.biometryAny)
        case .presence: .one(.presence)
        case .companion: .one(.companion)
        case .biometryOrCompanion: .any(of: [.biometryAny, .companion])
        }
    }
}

/// The prompts that a request allows.
public enum Interaction: UInt8, CaseIterable, Sendable {
    /// Prompts are allowed.
    case allowed
    /// Prompts are not allowed. A request that needs one is denied.
    case fail
    /// Prompts are not allowed. An item that needs one is skipped, as if it did not exist.
    case skip
    /// The request only asks for the answer. It shows no prompt and has no effect, even if the answer is a grant.
    case preflight
}

extension Action: NamedChoice, CustomStringConvertible {
    /// The word for the action in the audit log. It never changes.
    public var name: String {
        switch self {
        case .add: "add"
        case .readData: "readData"
        case .readAttributes: "readAttributes"
        case .readReference: "readReference"
        case .probe: "probe"
        case .inventory: "inventory"
        case .update: "update"
        case .checkDuplicate: "judgeDuplicate"
        case .delete: "delete"
        case .sign: "sign"
        case .agree: "agree"
        case .decapsulate: "decapsulate"
        case .attest: "attest"
        }
    }

    /// The word for the action in the audit log.
    public var description: String { name }
}

extension AuthenticationPolicy: CustomStringConvertible {
    /// The name of the policy in reports.
    public var name: String {
        switch self {
        case .biometry: "biometry"
        case .presence: "presence"
        case .companion: "companion"
        case .biometryOrCompanion: "biometryOrCompanion"
        }
    }

    /// The name of the policy.
    public var description: String { name }
}
