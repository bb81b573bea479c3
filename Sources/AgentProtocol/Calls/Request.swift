/// A request that a client sends to the agent. Secrets go in the secret part of the frame, or are asked for by prompts.
package enum Request: Hashable, Sendable {
    /// Returns the state of the vault.
    case status
    /// Unlocks the vault by the passcode, or by the sensor.
    case unlock(bySensor: Bool)
    case lock
    /// Wipes the keys and ends the agent.
    case stop
    case read(String)
    case readPart(String, SecretSelection)
    /// Returns the versions of a secret, with the names of their fields.
    case history(String)
    /// Changes one part of a secret. A field takes the secret of the frame.
    case editPart(String, PartChange)
    /// Stores the secret of the frame. Replaces a secret of the same name only if `replaces` is true. Here and below, a
    /// policy that is nil is the default of the vault. With names of fields, the secret is the value and each field, each
    /// after its length in four bytes.
    case add(String, ItemPolicy?, comment: String?, replaces: Bool, fields: [String] = [])
    /// Deletes these secrets and stores the secret of the frame, in one step. It shows no prompt.
    case exchange([String], for: String, ItemPolicy?, comment: String?)
    /// Changes a secret. If the frame has a secret, it becomes the new one.
    case change(String, Changes)
    /// Deletes a secret. The deletion can be undone for a while, unless `isFinal` is true.
    case remove(String, isFinal: Bool)
    /// Brings back a secret that was deleted.
    case putBack(String)
    /// Lists the deleted secrets that can be brought back.
    case deleted
    /// Renames a secret, or every secret in a folder, in one step; leaves the original and makes a copy if `copies` is
    /// true.
    case move(String, to: String, isFolder: Bool, copies: Bool)
    /// Deletes every secret in a folder in one step, but only if there are `count` of them. The deletions can be undone for a
    /// while, unless `isFinal` is true.
    case removeFolder(String, count: Int?, isFinal: Bool)
    /// Lists the name and the access policy of every secret; without the comments if `isBrief` is true.
    case list(isBrief: Bool)
    /// Returns the name and the access policy of one secret, and what reading it would take now.
    case show(String)
    /// Sets a new passcode after asking for the present one.
    case changePasscode
    /// Sets a new passcode after asking for the recovery key.
    case recover
    /// Asks for the recovery key, and says if it is that of the vault. Changes nothing.
    case checkRecoveryKey
    /// Makes a new recovery key after asking for the passcode, and returns its letters as the secret. The former one ends.
    case replaceRecoveryKey
    /// Verifies everything that is stored.
    case verify
    /// Writes a backup to this file.
    case backUp(String)
    /// Imports the backup in this file.
    case importBackup(String)
    /// Writes the whole vault to this file, for another machine. The vault stays in use if `isKept` is true.
    case transfer(String, isKept: Bool)
    /// Destroys the keys of this vault, and ends the agent. Another machine showed this code when it had received the
    /// vault.
    case retire(String)
    /// Enrolls a finger or a face under this name.
    case enroll(String)
    case removeEnrolled(String)
    /// Lists the enrolled fingers or faces.
    case enrolled
    /// Tries the sensor: waits for one match.
    case match
    /// Removes everything that is enrolled, and takes the sensor into use anew.
    case resetSensor
    /// Returns the audit records after this number; only the latest ones if `latest` limits them.
    case log(after: Int, latest: Int?)
    /// Changes how the audit log is kept, and returns the settings.
    case logSettings(SettingChanges)
    /// Changes the settings of the vault, and returns all of them.
    case settings(SettingChanges)
    /// Generates a private key, in the enclave if `inEnclave` is true.
    case generateKey(String, GeneratedKeyType, inEnclave: Bool, ItemPolicy?)
    /// Stores the private key of the frame, in Apple's external representation.
    case importKey(String, KeyFamilyName, ItemPolicy?)
    /// Stores a key on a smart card with the PIN of the frame, after the card has signed with it. The key stays on the card.
    case addCardKey(String, CardKeyReference, ItemPolicy?)
    /// Lists the private keys.
    case keys
    /// Returns a private key's entry and its public key. It never prompts.
    case key(String)
    /// Deletes a private key, and its certificate unless another key needs it.
    case removeKey(String)
    /// Signs a digest, which is given in hexadecimal digits. `isRaw` is true for r and s instead of DER.
    case sign(String, digest: String, SignatureAlgorithm, isRaw: Bool)
    /// Decrypts the message of the frame.
    case decrypt(String, EncryptionAlgorithm)
    /// Returns the certificate of a private key.
    case certificate(String)
    /// Stores the certificate of the frame with a private key, and deletes its former one.
    case setCertificate(String)
    /// Lists the folders that the vault keeps encrypted, after the keys of all are where they should be.
    case encryptedFolders
    /// Makes a key for a folder that is to be encrypted, and returns its identifier.
    case addEncryptedFolder(EncryptedFolder)
    /// Opens an encrypted folder, which is at this path now.
    case openEncryptedFolder(String, at: String)
    /// Changes how an encrypted folder is kept.
    case changeEncryptedFolder(EncryptedFolder)
    /// Deletes the key of a folder that is no longer encrypted. If the client is sure, also that of another one, whose content
    /// is lost then.
    case removeEncryptedFolder(String, isSure: Bool)
    /// Seals a copy of the file at this path, and moves it into an encrypted folder once that is open.
    case dropFile(String, into: String)
    /// Shows the public half of a private key to SSH clients, also while the vault is locked. Replaces its former entry.
    case addSSHKey(SSHKeyEntry)
    /// Takes a key off the list that SSH clients see. The private key stays in the vault.
    case removeSSHKey(String)
    /// Lists the keys that SSH clients see, and says where they connect.
    case sshKeys
    /// Returns what the Secret Service of the desktop shows now, and the latest requests of programs.
    case secretService
    /// Shows a folder as a collection of the Secret Service; nothing of it while the vault is locked if `isHidden` is true.
    case shareFolder(String, isHidden: Bool)
    /// Ends showing a folder as a collection. Its secrets stay.
    case unshareFolder(String)
    /// Unlocks the vault with the secret of the frame, the password of a login. The agent answers before it checks it.
    case unlockAtLogin
    /// Follows a change of the login password. The secret of the frame has the old one and the new one.
    case followLoginPassword
    /// Says that this login session of the user ends; nil if it has no name.
    case endSession(String?)
    /// Lists the requests whose prompts wait for a terminal.
    case waiting
    /// Shows the prompts of a waiting request at the terminal of the client, until that request is over.
    case approve(Int)

    /// Changes of a stored secret. Nil leaves a member as it is.
    package struct Changes: Hashable, Sendable {
        package var name: String?
        package var policy: ItemPolicy?
        /// The new comment; an empty one removes it.
        package var comment: String?
        /// True if no former version is kept.
        package var forgets: Bool

        package init(
            name: String? = nil, policy: ItemPolicy? = nil, comment: String? = nil, forgets: Bool = false
        ) {
            self.name = name
            self.policy = policy
            self.comment = comment
            self.forgets = forgets
        }
    }
}

extension Request {
    /// True if the request uses or changes something, which restarts the time until the vault locks itself. Requests
    /// that only look do not keep it unlocked.
    package var usesVault: Bool {
        switch self {
        case .status, .lock, .stop, .list, .deleted, .show, .checkRecoveryKey, .verify, .enrolled, .log, .keys, .key,
            .certificate,
            .encryptedFolders, .dropFile, .sshKeys, .removeSSHKey, .secretService, .endSession, .waiting, .approve:
            false
        case .logSettings(let changes), .settings(let changes): !changes.isEmpty
        case .unlock, .read, .readPart, .history, .editPart, .add, .exchange, .change, .remove, .putBack, .move,
            .removeFolder,
            .changePasscode, .recover, .replaceRecoveryKey, .backUp, .importBackup, .transfer, .retire,
            .enroll, .removeEnrolled, .match, .resetSensor, .generateKey, .importKey, .addCardKey, .removeKey,
            .sign, .decrypt, .setCertificate, .addEncryptedFolder, .openEncryptedFolder, .changeEncryptedFolder,
            .removeEncryptedFolder,
            .addSSHKey, .shareFolder, .unshareFolder, .unlockAtLogin, .followLoginPassword:
            true
        }
    }

    /// True if the agent ends once it has answered the request.
    package var endsAgent: Bool {
        switch self {
        case .stop, .retire: true
        case .status, .unlock, .lock, .read, .readPart, .history, .editPart, .add, .exchange, .change, .remove,
            .putBack, .deleted,
            .move, .removeFolder, .list, .show, .changePasscode, .recover, .checkRecoveryKey, .replaceRecoveryKey,
            .verify, .backUp, .importBackup, .transfer,
            .enroll,
            .removeEnrolled, .enrolled, .match, .resetSensor, .log, .logSettings, .settings, .generateKey, .importKey,
            .addCardKey, .keys, .key, .removeKey, .sign, .decrypt, .certificate, .setCertificate, .encryptedFolders,
            .addEncryptedFolder, .openEncryptedFolder, .changeEncryptedFolder, .removeEncryptedFolder, .dropFile,
            .addSSHKey, .removeSSHKey, .sshKeys, .secretService, .shareFolder, .unshareFolder, .unlockAtLogin,
            .followLoginPassword, .endSession, .waiting, .approve:
            false
        }
    }
}
