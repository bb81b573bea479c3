internal import AgentProtocol
internal import CommandLineKit
internal import SecretTools
internal import SodiumKit

/// A secret that the command line asks to save.
struct NewSecret {
    let name: String
    let policy: ItemPolicy?
    let comment: String?
    let file: RawText?
    let isTrimmed: Bool
    let replaces: Bool
    var forgets = false
    var fields: [SecretField] = []

    /// Reads the secret and saves it.
    func save(_ connect: () throws -> VaultAccess) throws {
        do { _ = try SecretName(name) } catch { throw AgentError(.request, "\(error)") }
        let access = try connect()
        // Look before the prompt, so that you never type a secret that cannot be saved.
        try access.requireRoom()
        let isThere = try (!replaces || forgets) && access.has(name, because: "save \(name)")
        if isThere && !replaces { throw SecretSaving.isThere(name) }
        if let policy { try access.requireEnrolled(for: policy) }
        try access.requireSavable(name, policy, isNew: !replaces)
        let secret = try GivenSecret.read(from: file, trimmed: isTrimmed, access.user, for: "a secret as \(name)")
        if isThere && forgets {
            // Without a policy, a change would leave the present one. A replaced secret gets the default of the vault.
            let policy = try policy ?? access.settings().policy
            let changes = ChangeCall.Changes(policy: policy, comment: comment, forgets: true)
            _ = try access.ask(ChangeCall(name, changes), because: "save \(name)", sending: secret)
            SecretSaving.confirm(name, policy, access)
            return
        }
        let request = AddCall(
            name, policy, comment: comment, replaces: replaces, fields: fields.map { $0.name })
        try SecretSaving.keep(secret, fields, as: name, by: request, access)
    }
}
