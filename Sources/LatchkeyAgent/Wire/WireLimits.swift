internal import SecretVault

/// The limits of the protocol. `docs/agent.md` lists them for authors of clients.
package enum WireLimits: Sendable {
    /// The version of the protocol. Another number is another protocol.
    package static let version = 1
    /// The members of requests and the requests that were added to this version later. The greeting of an agent names
    /// those that it knows.
    package static let additions = [
        briefLists, folders, fprintd, keys, pinentry, reuse, history, transfer, amending, puttingBack, encryptedFolders,
        edwardsKeys, sshKeys, secretService, login, notices,
        cardKeys, prompt, fields, deleted, recoveryKeys,
    ]
    /// The member that leaves the comments out of a list.
    package static let briefLists = "brief"
    /// The requests about folders and copies.
    package static let folders = "folders"
    /// The setting `fprintd` for the sensor, and `say` in the answer to `enroll`.
    package static let fprintd = "fprintd"
    /// The requests about private keys.
    package static let keys = "keys"
    /// The setting that chooses a pinentry.
    package static let pinentry = "pinentry"
    /// The member of a policy that lets an authentication count for a while, policies that are left out, and the request
    /// for settings.
    package static let reuse = "reuse"
    /// The requests about fields and former versions of a secret, and their setting.
    package static let history = "history"
    /// The requests that move the whole vault to another machine.
    package static let transfer = "transfer"
    /// The change of a value that keeps nothing of the one before.
    package static let amending = "amend"
    /// Deletions that can be undone: the request for it, and the member that makes a deletion final.
    package static let puttingBack = "put-back"
    /// The requests about folders that the kernel encrypts.
    package static let encryptedFolders = "encrypted-folders"
    /// Keys of Ed25519, and signatures of messages.
    package static let edwardsKeys = "ed25519"
    /// The requests about keys that SSH clients see.
    package static let sshKeys = "ssh"
    /// The Secret Service of the desktop: its requests and its settings.
    package static let secretService = "secret-service"
    /// The requests of the module for PAM, and the setting `lock-at-logout`.
    package static let login = "login"
    /// The setting `notify`.
    package static let notices = "notify"
    /// The request that adds a key on a smart card, and such keys in lists.
    package static let cardKeys = "cards"
    /// The setting for the place of prompts.
    package static let prompt = "prompt"
    /// The member of `add` that names fields.
    package static let fields = "fields"
    /// The request for the deleted secrets.
    package static let deleted = "deleted"
    /// The requests that check and replace the recovery key.
    package static let recoveryKeys = "recovery-key"
    /// The largest number of former versions of a secret.
    package static let formerVersions = HistoryLimit.largestCount
    /// The longest head that an agent reads, in bytes.
    package static let headToAgent = 64 * 1024
    /// The longest head that an agent sends, in bytes.
    package static let headFromAgent = 1024 * 1024
    /// The longest secret part, in bytes: 16 MiB. A keychain can store longer secrets, which only a program that opens
    /// it directly can read.
    package static let secret = 16 * 1024 * 1024
    /// The longest secret part of an answer to a prompt. Parts up to this length have room that longer ones cannot
    /// take.
    package static let typed = 64 * 1024
    /// The time for one frame, from its first byte to its last, in milliseconds.
    package static let patience: Int32 = 10_000
    /// The time for the answer to a prompt, in milliseconds.
    package static let promptPatience: Int32 = 120_000
    /// The number of clients that are served at a time. If one more connects, a client of the process with the most has
    /// to go.
    package static let clients = 256
    /// The number of bytes for all secret parts and lists that are longer than `typed`, of all clients together.
    package static let secretsUnderWay = 4 * secret
}
