package import SodiumKit

/// A secret that was found elsewhere.
package final class ImportedSecret: Sendable {
    /// A name that fits ``SecretName``, unlike that of any other one of the same import.
    package let name: SecretName
    /// The secret.
    package let secret: SecureBytes
    /// Notes, which people write secrets into as well.
    package let comment: SecureBytes?
    /// Whose it is; empty where nobody said.
    package let user: String
    /// Where it is used; empty where nobody said.
    package let url: String
    /// What else was said about it, in order.
    package let attributes: [Attribute]

    /// Something that was said about a secret.
    package struct Attribute: Hashable, Sendable {
        /// What it is called there.
        package let name: String
        /// What it is.
        package let value: String

        /// What is said.
        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    init(
        name: SecretName, secret: consuming SecureBytes, comment: consuming SecureBytes? = nil, user: String = "",
        url: String = "",
        attributes: [Attribute] = []
    ) {
        self.name = name
        self.secret = secret
        self.comment = comment
        self.user = user
        self.url = url
        self.attributes = attributes
    }
}

/// What an import found.
package struct ImportedSecrets: Sendable {
    /// The secrets, in the order of their source.
    package internal(set) var secrets: [ImportedSecret] = []
    /// What was left out, and why.
    package internal(set) var skipped: [String] = []
    private var names = NameMaker()

    init() {}

    /// A name for what is called `title` there.
    mutating func name(folder: String = "", title: String) throws(ImportError) -> SecretName {
        let text = names.name(folder: folder, title: title)
        do { return try SecretName(text) } catch { throw .name(error) }
    }
}
