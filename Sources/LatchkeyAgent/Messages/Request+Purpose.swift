extension Request {
    /// The purpose of the request for a prompt at another terminal. It has no words of the client.
    var purpose: String {
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
        case .match: "try the sensor"
        case .addEncryptedFolder, .openEncryptedFolder, .changeEncryptedFolder: "open a protected folder"
        case .status, .lock, .stop, .putBack, .deleted, .list, .show, .changePasscode, .recover, .checkRecoveryKey,
            .replaceRecoveryKey, .verify, .backUp, .importBackup, .transfer, .retire, .enroll, .removeEnrolled,
            .enrolled,
            .resetSensor, .log, .logSettings, .settings, .keys, .key, .removeKey, .certificate, .encryptedFolders,
            .removeEncryptedFolder, .dropFile, .addSSHKey, .removeSSHKey, .sshKeys, .secretService, .shareFolder,
            .unshareFolder, .unlockAtLogin, .followLoginPassword, .endSession, .waiting, .approve:
            "use the vault"
        }
    }
}
