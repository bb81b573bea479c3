/// What somebody wants, with what they bring.
public struct Request: Hashable, Sendable {
    /// What it is about.
    public enum Subject: Hashable, Sendable {
        /// Doing something with an item; `namesGroup` says whether the caller named the item's access group.
        case item(Item, Action, namesGroup: Bool)
        /// Doing something with an item that is not there, searched for in this group.
        case missing(Action, AccessGroup, namesGroup: Bool)
        /// Proving who is there, as `LAContext` does by itself.
        case policy(AuthenticationPolicy)
        /// Meeting an access control that belongs to no item yet; without an operation, only whether it could be stored.
        case accessControl(AccessControl, Operation?)
    }

    /// What it is about.
    public var subject: Subject
    /// What has been proved so far.
    public var context: Context
    /// The prompts that the request allows.
    public var interaction: Interaction

    /// Somebody wants to do `action` with `item`, which has its binding from when it was stored: `Conditions/binding` of
    /// that moment. One without is new, and can only be added.
    public init(
        _ action: Action, _ item: Item, namesGroup: Bool = false, in context: Context = Context(),
        interaction: Interaction = .allowed
    ) {
        subject = .item(item, action, namesGroup: namesGroup)
        self.context = context
        self.interaction = interaction
    }

    /// Somebody wants this.
    package init(_ subject: Subject, in context: Context, interaction: Interaction) {
        self.subject = subject
        self.context = context
        self.interaction = interaction
    }

    /// Somebody wants to do `action` with an item that is not there.
    public init(
        _ action: Action, missingFrom group: AccessGroup, namesGroup: Bool = false, in context: Context = Context(),
        interaction: Interaction = .allowed
    ) {
        subject = .missing(action, group, namesGroup: namesGroup)
        self.context = context
        self.interaction = interaction
    }

    /// Somebody wants to prove that `policy` is met.
    public init(
        proving policy: AuthenticationPolicy, in context: Context = Context(), interaction: Interaction = .allowed
    ) {
        subject = .policy(policy)
        self.context = context
        self.interaction = interaction
    }

    /// Somebody wants to meet `control` for `operation`, or without one to know that it could be stored.
    public init(
        meeting control: AccessControl, for operation: Operation?, in context: Context = Context(),
        interaction: Interaction = .allowed
    ) {
        subject = .accessControl(control, operation)
        self.context = context
        self.interaction = interaction
    }
}

/// What can be done with an item.
public enum Action: UInt8, CaseIterable, Sendable {
    /// Store a new item.
    case add
    /// Bring out the secret.
    case readData
    /// Bring out the attributes.
    case readAttributes
    /// Bring out a persistent reference.
    case readReference
    /// Learn that it exists.
    case probe
    /// Bring out its name and its demand, for the owner's own list. Apple's interfaces have no such thing.
    case inventory
    /// Change its secret or its attributes.
    case update
    /// Find out whether the item that is in the way of a new one is alive. Never granted: it is lost, or a duplicate.
    case checkDuplicate
    /// Remove it.
    case delete
    /// Sign with it.
    case sign
    /// Agree on a key with it.
    case agree
    /// Decapsulate with it.
    case decapsulate
    /// Attest it.
    case attest

    /// True if it brings out a secret, or brings one to use.
    package var usesSecret: Bool {
        switch self {
        case .readData, .sign, .agree, .decapsulate: true
        case .add, .readAttributes, .readReference, .probe, .inventory, .update, .checkDuplicate, .delete, .attest:
            false
        }
    }

    /// True if it uses a private key.
    var usesKey: Bool {
        switch self {
        case .sign, .agree, .decapsulate, .attest: true
        case .add, .readData, .readAttributes, .readReference, .probe, .inventory, .update, .checkDuplicate, .delete:
            false
        }
    }

    /// True if it has to satisfy the constraint of a private key: it uses the key, or may change the constraint.
    var meetsConstraintOfKey: Bool {
        switch self {
        case .sign, .agree, .decapsulate, .update: true
        case .add, .readData, .readAttributes, .readReference, .probe, .inventory, .checkDuplicate, .delete, .attest:
            false
        }
    }

    /// True if it changes what is kept.
    public var writes: Bool {
        switch self {
        case .add, .update, .delete: true
        case .readData, .readAttributes, .readReference, .probe, .inventory, .checkDuplicate, .sign, .agree,
            .decapsulate, .attest:
            false
        }
    }
}

/// What a context can be asked to prove by itself: `LAPolicy`, by Apple's numbers.
///
/// Wrist detection (5) exists on a watch only, and there is no watch here to wear.
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
    /// They may.
    case allowed
    /// They may not; a request that would have to ask fails.
    case fail
    /// They may not; an item that would have to ask is passed over.
    case skip
    /// Nobody is asked and nothing is done: the answer only says what would be, also where it says granted.
    case preflight
}

extension Action: NamedChoice, CustomStringConvertible {
    /// The word that the audit log keeps for it. It never changes.
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

    /// The name.
    public var description: String { name }
}

extension AuthenticationPolicy: CustomStringConvertible {
    /// The name that reports have for it.
    public var name: String {
        switch self {
        case .biometry: "biometry"
        case .presence: "presence"
        case .companion: "companion"
        case .biometryOrCompanion: "biometryOrCompanion"
        }
    }

    /// The name.
    public var description: String { name }
}
