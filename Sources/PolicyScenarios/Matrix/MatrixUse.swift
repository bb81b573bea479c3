package import AccessPolicy

/// What somebody wants with an item.
package enum MatrixUse: String, CaseIterable, Sendable {
    /// Bring out its secret.
    case read
    /// Use the private key that it is.
    case use
    /// Bring out its attributes, and so learn that it exists.
    case list
    /// Learn that it exists, and nothing more.
    case find
    /// Change what it holds.
    case overwrite
    /// Delete it.
    case destroy
    /// Store another one like it.
    case store

    /// Those that an item has on such a device: a private key is used and never read, and whether an item exists is a
    /// question of its own only where its attributes are open.
    package static func uses(ofKey isKey: Bool, _ fidelity: Fidelity) -> [Self] {
        allCases.filter { use in
            switch use {
            case .read: !isKey
            case .use: isKey
            case .find: fidelity.attributes == .open
            case .list, .overwrite, .destroy, .store: true
            }
        }
    }

    /// What is asked of the keychain.
    var action: Action {
        switch self {
        case .read: .readData
        case .use: .sign
        case .list: .readAttributes
        case .find: .probe
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
        case .find: "Who can find out that it exists"
        case .overwrite: "Who can overwrite it"
        case .destroy: "Who can destroy it"
        case .store: "Who can store another one like it"
        }
    }
}
