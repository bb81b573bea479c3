/// An operation on an item that an access control has an entry for.
///
/// The raw values are Apple's short names, as a printed `SecAccessControl` shows them.
public enum Operation: String, CaseIterable, Sendable {
    /// Reads the secret.
    case readData = "od"
    /// Stores a secret.
    case writeData = "oe"
    /// Deletes the item.
    case delete = "odel"
    /// Signs with a private key.
    case sign = "osgn"
    /// Agrees on a shared secret with a private key.
    case agree = "ock"
    /// Decapsulates a shared secret with a private key.
    case decapsulate = "okd"
    /// Attests a private key.
    case attest = "oa"
    /// Any operation without an entry of its own.
    case other = "dacl"

    /// True if the operation reads or uses the secret. Such an operation also needs the application password.
    var usesSecret: Bool {
        switch self {
        case .readData, .sign, .agree, .decapsulate: true
        case .writeData, .delete, .attest, .other: false
        }
    }
}

extension Operation: CustomStringConvertible {
    /// The name of the operation in reports.
    public var name: String {
        switch self {
        case .readData: "readData"
        case .writeData: "writeData"
        case .delete: "delete"
        case .sign: "sign"
        case .agree: "agree"
        case .decapsulate: "decapsulate"
        case .attest: "attest"
        case .other: "other"
        }
    }

    /// The name of the operation.
    public var description: String { name }
}
