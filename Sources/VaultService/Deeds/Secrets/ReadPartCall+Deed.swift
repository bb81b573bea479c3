internal import AccessPolicy
package import AgentProtocol
internal import Latchkey
internal import PlainText
internal import SecretVault
package import SodiumKit

extension ReadPartCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        let version = selection.version ?? 0
        let (keychain, limit) = (visit.service.keychain, visit.service.settings.historyLimit)
        var fields: [String]?
        let found: SecureBytes? = try visit.perform(.readData, on: visit.item(name), asked) {
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
        guard let found else { throw missing(among: fields) }
        return try visit.released(found)
    }

    /// Returns the error for a part that the secret does not have. It names the fields if they are known.
    private func missing(among fields: [String]?) -> AgentError {
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
}
