internal import AccessPolicy
internal import PlainText

extension Request {
    /// The purpose of the request for a prompt at another terminal. It has no words of the client.
    package var purpose: String {
        switch self {
        case .unlock: "unlock the vault"
        case .read, .readPart: "read a secret"
        case .history: "list the versions of a secret"
        case .add(_, _, _, let replaces, _): replaces ? "save or replace a secret" : "save a secret"
        case .exchange: "save a secret and delete others"
        case .change(_, let changes):
            changes.policy != nil
                ? "change the access policy of a secret" : changes.name != nil ? "rename a secret" : "change a secret"
        case .editPart: "change a secret"
        case .remove: "delete a secret"
        case .removeFolder: "delete a folder of secrets"
        case .move(_, to: _, let isFolder, let copies):
            "\(copies ? "copy" : "rename") a \(isFolder ? "folder of secrets" : "secret")"
        case .generateKey, .importKey, .addCardKey: "save a private key"
        case .sign: "sign with a private key"
        case .decrypt: "decrypt with a private key"
        case .setCertificate: "change the certificate of a private key"
        case .removeKey: "delete a private key"
        case .match: "try the sensor"
        case .addEncryptedFolder: "protect a folder"
        case .openEncryptedFolder: "open a protected folder"
        case .changeEncryptedFolder: "change how a folder is protected"
        case .removeEncryptedFolder: "delete the key of a protected folder"
        case .changePasscode: "change the passcode of the vault"
        case .recover: "set a new passcode with the recovery key"
        case .checkRecoveryKey: "check the recovery key of the vault"
        case .replaceRecoveryKey: "replace the recovery key of the vault"
        case .backUp: "write a backup of the vault to a file"
        case .importBackup: "restore a backup into the vault"
        case .transfer(_, let isKept): isKept ? "copy the whole vault to a file" : "move the whole vault to a file"
        case .retire: "destroy the keys of the vault"
        case .enroll: "enroll a finger or a face"
        case .removeEnrolled: "remove an enrolled finger or face"
        case .resetSensor: "remove all enrolled fingers and faces"
        case .logSettings: "change the settings of the audit log"
        case .settings: "change the settings of the vault"
        case .addSSHKey: "show a private key to SSH clients"
        case .removeSSHKey: "hide a private key from SSH clients"
        case .shareFolder: "show a folder of secrets to desktop programs"
        case .unshareFolder: "hide a folder of secrets from desktop programs"
        case .unlockAtLogin: "unlock the vault at the login"
        case .followLoginPassword: "follow a change of the login password"
        case .putBack: "bring back a deleted secret"
        case .dropFile: "move a file into a protected folder"
        case .status, .lock, .stop, .deleted, .list, .show, .verify, .enrolled, .log, .keys, .key, .certificate,
            .encryptedFolders, .sshKeys, .secretService, .endSession, .waiting, .approve:
            "look at the vault"
        }
    }

    /// True if prompts of the request show the reason that the client gives.
    package var usesReason: Bool {
        switch self {
        case .unlock(let bySensor): !bySensor
        case .read, .readPart, .history, .editPart, .add, .exchange, .change, .remove, .move, .removeFolder,
            .generateKey, .importKey, .addCardKey, .removeKey, .sign, .decrypt, .setCertificate, .match,
            .addEncryptedFolder, .openEncryptedFolder, .changeEncryptedFolder:
            true
        case .status, .lock, .stop, .putBack, .deleted, .list, .show, .changePasscode, .recover, .checkRecoveryKey,
            .replaceRecoveryKey, .verify, .backUp, .importBackup, .transfer, .retire, .enroll, .removeEnrolled,
            .enrolled, .resetSensor, .log, .logSettings, .settings, .keys, .key, .certificate, .encryptedFolders,
            .removeEncryptedFolder, .dropFile, .addSSHKey, .removeSSHKey, .sshKeys, .secretService, .shareFolder,
            .unshareFolder, .unlockAtLogin, .followLoginPassword, .endSession, .waiting, .approve:
            false
        }
    }

    /// Returns notes for a prompt at another terminal about what the request changes. `usual` is the policy of a new secret for
    /// which the client names none.
    package func notes(usual: ItemPolicy) -> [String] {
        func words(_ label: String, _ text: String) -> String {
            "\(label): \(Terminal.name(text, also: "/", longest: 240))"
        }
        return switch self {
        case .add(_, let policy, _, replaces: true, _): ["Its new access policy: \((policy ?? usual).summary)."]
        case .change(_, let changes):
            (changes.policy.map { ["Its new access policy: \($0.summary)."] } ?? [])
                + (changes.name.map { [words("New name", $0)] } ?? [])
        case .move(let name, to: let other, let isFolder, copies: _):
            (isFolder ? [words("Folder", name)] : []) + [words("New name", other)]
        case .removeFolder(let name, count: _, isFinal: _): [words("Folder", name)]
        case .exchange(let former, for: _, _, comment: _): [words("It deletes", former.joined(separator: ", "))]
        case .backUp(let path), .importBackup(let path), .transfer(let path, isKept: _): [words("File", path)]
        case .openEncryptedFolder(_, at: let path): [words("Folder", path)]
        case .addEncryptedFolder(let folder), .changeEncryptedFolder(let folder): [words("Folder", folder.path)]
        default: []
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
