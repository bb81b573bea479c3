internal import AgentProtocol
internal import PlainText

/// All that the Secret Service shows of one secret. It is kept in an item of its own, which can be read while the vault is locked.
struct SecretRecord: Hashable, Sendable {
    /// The name of the object on the bus, which is also that of the record.
    var object: String
    /// The identifier of the secret, in hexadecimal digits. It survives a rename.
    var secret: String
    /// The name of the secret when the record was written.
    var name: String
    /// The name that people see.
    var label: String
    /// The attributes by which programs find it.
    var attributes: [String: String]
    /// The kind of content, such as `text/plain`.
    var contentType: String
    /// The time when the item was stored, in seconds since 1970.
    var created: Int64
    /// The rule under which the user has opened this item, at a prompt that named it; nil if there is none. A rule that says
    /// once per session opens no other items: any program can choose attributes that the rule matches.
    ///
    /// It is no part of the text: any program of the user can write a record, because its class is always open. It is kept in
    /// an item of its own; see ``SecretApproval``.
    var approvedRule: String?
    /// The time of the last change that programs see, in seconds since 1970; nil if that is the time of the record.
    var modified: Int64?

    init(
        object: String, secret: String, name: String, label: String, attributes: [String: String],
        contentType: String, created: Int64
    ) {
        (self.object, self.secret, self.name, self.label) = (object, secret, name, label)
        (self.attributes, self.contentType, self.created) = (attributes, contentType, created)
    }

    /// Reads the text of a record. Returns nil if it is none.
    init?(object: String, text: String) {
        guard var head = try? WireObject(Array(text.utf8)), let secret = try? head.consumeText("secret"),
            let name = try? head.consumeText("name"), let label = try? head.consumeText("label"),
            let type = try? head.consumeText("type"), let created = try? head.consumeNumber("created"),
            let fields = try? head.consumeHeadIfPresent("attributes")
        else { return nil }
        var attributes: [String: String] = [:]
        for (name, value) in fields.fields {
            guard case .string(let text) = value else { return nil }
            attributes[name] = text
        }
        self.init(
            object: object, secret: secret, name: name, label: label, attributes: attributes, contentType: type,
            created: created)
        do throws(WireError) {
            modified = try head.consumeNumberIfPresent("modified")
        } catch { return nil }
    }

    /// The text that is stored.
    var text: String {
        var head = WireObject([
            "secret": .string(secret), "name": .string(name), "label": .string(label), "type": .string(contentType),
            "created": .number("\(created)"), "attributes": .object(attributes.mapValues { .string($0) }),
        ])
        head["modified"] = modified.map { .number("\($0)") }
        return head.text
    }
}

/// The approval of a rule that says once per session, for one secret. Its item is of the class *when unlocked*, so the keys
/// of the device file alone cannot make one.
struct SecretApproval: Hashable, Sendable {
    /// The name of the object on the bus, which is also that of the item.
    var object: String
    /// The identifier of the secret that the prompt has named.
    var secret: String
    /// The text of the rule; empty if the approval was taken back.
    var rule: String

    init(object: String, secret: String, rule: String) {
        (self.object, self.secret, self.rule) = (object, secret, rule)
    }

    /// Reads the text of an approval. Returns nil if it is none.
    init?(object: String, text: String) {
        guard var head = try? WireObject(Array(text.utf8)), let secret = try? head.consumeText("secret"),
            let rule = try? head.consumeText("rule")
        else { return nil }
        self.init(object: object, secret: secret, rule: rule)
    }

    /// The text that is stored.
    var text: String { WireObject(["secret": .string(secret), "rule": .string(rule)]).text }
}

/// A folder of the vault that the Secret Service shows as a collection.
struct CollectionRecord: Hashable, Sendable {
    /// The name of the object on the bus, which is also that of the record.
    var object: String
    /// The folder, such as `login`.
    var folder: String
    /// The name that people see.
    var label: String
    /// The other names of the collection on the bus, such as `default`.
    var aliases: [String] = []
    /// True if nothing in it is shown while the vault is locked.
    var isHidden = false
    /// The time when it was made, in seconds since 1970.
    var created: Int64

    init(object: String, folder: String, label: String, created: Int64) {
        (self.object, self.folder, self.label, self.created) = (object, folder, label, created)
    }

    /// Reads the text of a record. Returns nil if it is none.
    init?(object: String, text: String) {
        guard var head = try? WireObject(Array(text.utf8)), let folder = try? head.consumeText("folder"),
            let label = try? head.consumeText("label"), let aliases = try? head.consumeTexts("aliases"),
            let isHidden = try? head.consumeFlag("hidden"), let created = try? head.consumeNumber("created")
        else { return nil }
        self.init(object: object, folder: folder, label: label, created: created)
        (self.aliases, self.isHidden) = (aliases, isHidden)
    }

    /// The text that is stored.
    var text: String {
        WireObject([
            "folder": .string(folder), "label": .string(label), "aliases": .array(aliases.map { .string($0) }),
            "hidden": .bool(isHidden), "created": .number("\(created)"),
        ]).text
    }

    /// Returns true if a secret of this name lies in the folder.
    func contains(_ name: String) -> Bool { name.utf8.starts(with: (folder + "/").utf8) }
}
