package import AccessPolicy

/// A use that a person makes of an item: a table of its own in a report.
package enum MatrixUse: String, CaseIterable, Sendable {
    /// Read its secret.
    case read
    /// Use it as a private key.
    case use
    /// Read its attributes, and so learn that it exists.
    case list
    /// Learn that it exists, and nothing more.
    case find
    /// Change its contents.
    case overwrite
    /// Delete it.
    case destroy
    /// Store another item like it.
    case store

    /// Returns the uses that an item has on such a device.
    ///
    /// A private key is used and never read. Whether an item exists is a separate use only if attributes are open to
    /// every app.
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

    /// The request to the keychain.
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

    /// The heading of its table.
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
