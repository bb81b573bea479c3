/// What can be done with an item, as its access control tells operations apart.
///
/// Apple's short names stand in the raw values: they are what a printed access control shows.
public enum Operation: String, CaseIterable, Sendable {
    /// Open the secret.
    case readData = "od"
    /// Store a secret.
    case writeData = "oe"
    /// Delete the item.
    case delete = "odel"
    /// Sign with a private key.
    case sign = "osgn"
    /// Agree on a key with a private key.
    case agree = "ock"
    /// Decapsulate with a private key.
    case decapsulate = "okd"
    /// Attest a private key.
    case attest = "oa"
    /// Anything that has no entry of its own.
    case other = "dacl"

    /// True if it brings out, or brings to use, what the item keeps; these need the application password too.
    var usesSecret: Bool {
        switch self {
        case .readData, .sign, .agree, .decapsulate: true
        case .writeData, .delete, .attest, .other: false
        }
    }
}

extension Operation: CustomStringConvertible {
    /// The name that reports have for it.
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

    /// The name.
    public var description: String { name }
}
