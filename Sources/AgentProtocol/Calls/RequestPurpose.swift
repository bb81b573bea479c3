internal import AccessPolicy
internal import PlainText

/// The words of a request in a prompt at another terminal, none of them the client's.
package struct RequestPurpose: Hashable, Sendable {
    /// The purpose, for the title of the prompt.
    package var words: String
    /// True if prompts of the request show the reason that the client gives.
    package var hasReasonOfClient: Bool
    /// The changes that the request makes, and where.
    package var notes: [String]

    fileprivate init(_ words: String, reasonOfClient: Bool = false, _ notes: [String] = []) {
        (self.words, hasReasonOfClient, self.notes) = (words, reasonOfClient, notes)
    }
}

extension Request {
    /// Returns the purpose of the request for a prompt at another terminal. `usual` is the policy of a new secret for which the
    /// client names none.
    package func purpose(usual: ItemPolicy) -> RequestPurpose {
        func note(_ label: String, _ text: String) -> String {
            "\(label): \(Terminal.name(text, also: "/", longest: 240))"
        }
        func note(_ policy: ItemPolicy) -> String { "Its new access policy: \(policy.summary)." }
        /// A purpose beside which prompts show the reason that the client gives.
        func asked(_ words: String, _ notes: [String] = []) -> RequestPurpose {
            RequestPurpose(words, reasonOfClient: true, notes)
        }
        return switch self {
        case .unlock(let bySensor): RequestPurpose("unlock the vault", reasonOfClient: !bySensor)
        case .read, .readPart: asked("read a secret")
        case .history: asked("list the versions of a secret")
        case .add(_, let policy, _, replaces: true, _): asked("save or replace a secret", [note(policy ?? usual)])
        case .add: asked("save a secret")
        case .exchange(let former, for: _, _, comment: _):
            asked("save a secret and delete others", [note("It deletes", former.joined(separator: ", "))])
        case .change(_, let changes):
            asked(
                changes.policy != nil
                    ? "change the access policy of a secret"
                    : changes.name != nil ? "rename a secret" : "change a secret",
                (changes.policy.map { [note($0)] } ?? []) + (changes.name.map { [note("New name", $0)] } ?? []))
        case .editPart: asked("change a secret")
        case .remove: asked("delete a secret")
        case .removeFolder(let name, count: _, isFinal: _): asked("delete a folder of secrets", [note("Folder", name)])
        case .move(let name, to: let other, let isFolder, let copies):
            asked(
                "\(copies ? "copy" : "rename") a \(isFolder ? "folder of secrets" : "secret")",
                (isFolder ? [note("Folder", name)] : []) + [note("New name", other)])
        case .generateKey, .importKey, .addCardKey: asked("save a private key")
        case .sign: asked("sign with a private key")
        case .decrypt: asked("decrypt with a private key")
        case .setCertificate: asked("change the certificate of a private key")
        case .removeKey: asked("delete a private key")
        case .match: asked("try the sensor")
        case .addEncryptedFolder(let folder): asked("protect a folder", [note("Folder", folder.path)])
        case .openEncryptedFolder(_, at: let path): asked("open a protected folder", [note("Folder", path)])
        case .changeEncryptedFolder(let folder):
            asked("change how a folder is protected", [note("Folder", folder.path)])
        case .removeEncryptedFolder: RequestPurpose("delete the key of a protected folder")
        case .changePasscode: RequestPurpose("change the passcode of the vault")
        case .recover: RequestPurpose("set a new passcode with the recovery key")
        case .checkRecoveryKey: RequestPurpose("check the recovery key of the vault")
        case .replaceRecoveryKey: RequestPurpose("replace the recovery key of the vault")
        case .backUp(let path): RequestPurpose("write a backup of the vault to a file", [note("File", path)])
        case .importBackup(let path): RequestPurpose("restore a backup into the vault", [note("File", path)])
        case .transfer(let path, let isKept):
            RequestPurpose("\(isKept ? "copy" : "move") the whole vault to a file", [note("File", path)])
        case .retire: RequestPurpose("destroy the keys of the vault")
        case .enroll: RequestPurpose("enroll a finger or a face")
        case .removeEnrolled: RequestPurpose("remove an enrolled finger or face")
        case .resetSensor: RequestPurpose("remove all enrolled fingers and faces")
        case .logSettings: RequestPurpose("change the settings of the audit log")
        case .settings: RequestPurpose("change the settings of the vault")
        case .addSSHKey: RequestPurpose("show a private key to SSH clients")
        case .removeSSHKey: RequestPurpose("hide a private key from SSH clients")
        case .shareFolder: RequestPurpose("show a folder of secrets to desktop programs")
        case .unshareFolder: RequestPurpose("hide a folder of secrets from desktop programs")
        case .unlockAtLogin: RequestPurpose("unlock the vault at the login")
        case .followLoginPassword: RequestPurpose("follow a change of the login password")
        case .putBack: RequestPurpose("bring back a deleted secret")
        case .dropFile: RequestPurpose("move a file into a protected folder")
        case .status, .lock, .stop, .deleted, .list, .show, .verify, .enrolled, .log, .keys, .key, .certificate,
            .encryptedFolders, .sshKeys, .secretService, .endSession, .waiting, .approve:
            RequestPurpose("look at the vault")
        }
    }
}

extension ItemPolicy {
    /// The names of the accessibility class and the flags, and how often the policy asks.
    fileprivate var summary: String {
        guard isProtected else { return "\(protection.name), without authentication" }
        return "\(([protection.name] + names).joined(separator: ", ")), \(isReused ? "once per session" : "each time")"
    }
}
