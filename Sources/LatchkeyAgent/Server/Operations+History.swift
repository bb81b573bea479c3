internal import AccessPolicy
internal import AgentProtocol
internal import Latchkey
internal import PlainText
internal import SecretVault
internal import SodiumKit

// Fields and former versions of a secret. They are sealed together with its value, so reading one takes what reading the
// secret takes, and changing one what changing the secret takes.

extension Visit {
    func readPart(
        _ selection: ReadPartCall.Selection, of name: String, _ asked: AskedRequest
    ) throws(AgentError) -> Answer<NoReply> {
        let version = selection.version ?? 0
        let (keychain, limit) = (agent.keychain, agent.settings.historyLimit)
        var fields: [String]?
        let secret: SecureBytes? = try perform(.readData, on: item(name), asked) {
            (item, requester, context, interaction) throws(KeychainError) in
            let part: SecretPart =
                if let field = selection.field { .field(field, version: version) } else { .value(version: version) }
            let found = try keychain.read(
                part, of: item, keeping: limit, by: requester, in: context, interaction: interaction)
            if let found { return found }
            // The names need what the read has just been granted with, and no further prompt.
            let outline = try? keychain.outline(item, keeping: limit, by: requester, in: context, interaction: .fail)
            guard let wanted = selection.field, let versions = outline?.versions, versions.indices.contains(version)
            else {
                return nil
            }
            fields = versions[version].fields
            let alike = versions[version].fields.filter { $0.lowercased() == wanted.lowercased() }
            guard alike.count == 1 else { return nil }
            return try keychain.read(
                .field(alike[0], version: version), of: item, keeping: limit, by: requester, in: context,
                interaction: .fail)
        }
        guard let secret else { throw Self.missing(selection, of: name, among: fields) }
        return try released(secret)
    }

    /// Returns the error for a part that a secret does not have. It names the fields if they are known.
    private static func missing(
        _ selection: ReadPartCall.Selection, of name: String, among fields: [String]?
    ) -> AgentError {
        let history = "see `latchkey history \(name)`"
        guard let field = selection.field else {
            return AgentError(.notFound, "the secret \(name) has no such former version: \(history)")
        }
        let hint: String
        if fields?.isEmpty == true {
            hint = "it has none"
        } else if let near = fields.flatMap({ nearest(to: field, among: $0) }) {
            hint = "did you mean \(near)?"
        } else if let fields {
            hint = "it has \(enumerated(fields, "and"))"
        } else {
            hint = history
        }
        return AgentError(.notFound, "the secret \(name) has no field \(field): \(hint)")
    }

    func history(of name: String, _ asked: AskedRequest) throws(AgentError) -> Answer<RawReply> {
        let (keychain, limit) = (agent.keychain, agent.settings.historyLimit)
        let outline = try perform(.readData, on: item(name), asked) {
            (item, requester, context, interaction) throws(KeychainError) in
            try keychain.outline(item, keeping: limit, by: requester, in: context, interaction: interaction)
        }
        let versions = outline?.versions ?? []
        return Answer(
            Head([
                "versions": .array(
                    versions.map {
                        let version = SecretVersion(saved: $0.saved.sinceUnixEpoch, count: $0.count, fields: $0.fields)
                        return .object(version.head.fields)
                    })
            ]))
    }

    func edit(
        _ name: String, _ part: EditPartCall.Change, _ secret: consuming SecureBytes?, _ asked: AskedRequest
    ) throws(AgentError) {
        let limit = agent.settings.historyLimit
        switch (part.field, part.removedField, part.restored, part.forgets, part.amends) {
        case (let field?, nil, nil, false, false):
            try Self.require(field: field)
            try change(name, ItemChanges(), .edit(.field(field, try Self.orEmpty(secret), keeping: limit)), asked)
        case (nil, let field?, nil, false, false):
            try change(name, ItemChanges(), .edit(.field(field, nil, keeping: limit)), asked)
        case (nil, nil, let version?, false, false):
            try change(name, ItemChanges(), .edit(.restoring(version: version, keeping: limit)), asked)
        case (nil, nil, nil, true, false):
            try change(name, ItemChanges(), .edit(.forgetting()), asked)
        case (nil, nil, nil, false, true):
            try change(name, ItemChanges(), .edit(.amending(try Self.orEmpty(secret), keeping: limit)), asked)
        default:
            throw AgentError(.request, "name one of \"field\", \"remove-field\", \"restore\", \"forget\" and \"amend\"")
        }
    }

    /// Stores a secret with a value and fields. Replaces a value, and adds fields to those that are there, if it may.
    func add(
        _ name: String, _ policy: ItemPolicy, _ comment: String?, replaces: Bool, _ fields: [String],
        _ secret: consuming SecureBytes?, _ asked: AskedRequest
    ) throws(AgentError) {
        for field in fields { try Self.require(field: field) }
        let new = try item(name, policy, comment)
        guard let parts = SecretParts(try Self.orEmpty(secret), fields: fields) else {
            throw AgentError(
                .request,
                "the secret part is no value with \(fields.count) fields, at most \(SecretFields.limit) of different names "
                    + "(docs/agent.md)")
        }
        let (context, interaction) = try context(asked)
        do throws(KeychainError) {
            try agent.keychain.add(new, parts: parts, by: requester, in: context, interaction: interaction)
        } catch {
            guard replaces, error.rule == .itemDuplicate else { throw AgentError(error) }
            let changes = try replacement(policy, comment)
            try change(name, changes, .edit(.parts(parts, keeping: agent.settings.historyLimit)), asked)
        }
    }

    /// Throws if a field cannot have this name.
    private static func require(field: String) throws(AgentError) {
        let isPlain = field.unicodeScalars.allSatisfy {
            !$0.properties.isWhitespace && $0.properties.generalCategory != .control
        }
        guard !field.isEmpty, isPlain, field.utf8.count <= SecretFields.longestName else {
            throw AgentError(
                .request,
                "the name of a field has 1 to \(SecretFields.longestName) bytes without blanks: choose another one")
        }
    }
}
