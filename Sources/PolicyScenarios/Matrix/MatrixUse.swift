internal import AccessPolicy

/// What somebody wants with an item.
package enum MatrixUse: String, CaseIterable, Sendable {
    /// Bring out its secret.
    case read
    /// Use the private key that it is.
    case use
    /// Learn that it exists, and bring out its attributes.
    case list
    /// Change what it holds.
    case overwrite
    /// Delete it.
    case destroy
    /// Store another one like it.
    case store

    /// Those that an item has: a private key is used and never read.
    package static func uses(ofKey isKey: Bool) -> [Self] { allCases.filter { $0 != (isKey ? .read : .use) } }

    /// What is asked of the keychain.
    var action: Action {
        switch self {
        case .read: .readData
        case .use: .sign
        case .list: .readAttributes
        case .overwrite: .update
        case .destroy: .delete
        case .store: .add
        }
    }

    /// What a table of it is called.
    package var title: String {
        switch self {
        case .read: "Who can read the secret"
        case .use: "Who can use the private key"
        case .list: "Who can list it: learn that it exists, and its attributes"
        case .overwrite: "Who can overwrite it"
        case .destroy: "Who can destroy it"
        case .store: "Who can store another one like it"
        }
    }
}
