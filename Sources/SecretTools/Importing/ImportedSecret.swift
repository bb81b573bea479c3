package import SodiumKit

/// A secret from another password manager.
package final class ImportedSecret: Sendable {
    /// The name of the secret. No other secret of the same import has it.
    package let name: SecretName
    package let secret: SecureBytes
    /// The fields, which may be secret too.
    package let fields: [SecretField]
    /// The notes that become a secret of their own, because that is what they were in the vault that wrote the file.
    package let comment: SecureBytes?
    /// The user name; empty if there is none.
    package let user: String
    /// The URL; empty if there is none.
    package let url: String
    /// The comment that is not secret, from a file of our export; empty if there is none.
    package let ownComment: String
    /// The other attributes, in order.
    package let attributes: [Attribute]

    package struct Attribute: Hashable, Sendable {
        /// The name of the attribute in its source.
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    init(
        name: SecretName, secret: consuming SecureBytes, fields: [SecretField] = [],
        comment: consuming SecureBytes? = nil, user: String = "",
        url: String = "", ownComment: String = "",
        attributes: [Attribute] = []
    ) {
        self.name = name
        self.secret = secret
        self.fields = fields
        self.comment = comment
        self.user = user
        self.url = url
        self.ownComment = ownComment
        self.attributes = attributes
    }
}

/// The results of an import.
package struct ImportedSecrets: Sendable {
    /// The secrets, in the order of their source.
    package internal(set) var secrets: [ImportedSecret] = []
    /// The entries that were skipped, each with the reason.
    package internal(set) var skipped: [String] = []
    /// The names of the columns that have something in them and that no secret takes.
    package internal(set) var columnsLeft: [String] = []
    private var names = NameMaker()

    init() {}

    /// Returns a name for an entry with this title, which no other entry gets.
    ///
    /// - Throws: `ImportError` if no valid name can be made.
    mutating func name(folder: String = "", title: String) throws(ImportError) -> SecretName {
        let text = names.name(folder: folder, title: title)
        do { return try SecretName(text) } catch { throw .name(error) }
    }
}
