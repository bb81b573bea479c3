extension Request {
    /// The purpose of the request for a prompt at another terminal. It has no words of the client.
    package var purpose: String {
        switch self {
        case .unlock: "unlock the vault"
        case .read, .readPart: "read a secret"
        case .history: "list the versions of a secret"
        case .add, .exchange: "save a secret"
        case .change, .editPart: "change a secret"
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
        case .transfer: "copy the whole vault to a file"
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
}
