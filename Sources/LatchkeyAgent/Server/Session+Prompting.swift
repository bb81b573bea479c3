internal import AccessPolicy
internal import AgentProtocol
internal import Latchkey
internal import Synchronization
internal import UserPresence

// What a prompt tells the user besides the words of the client.

extension Session {
    /// Returns the prompt with what the client cannot say itself: which program asks, for which secret, and what the answer
    /// counts for.
    func complete(_ content: PromptContent) -> PromptContent {
        var content = content
        content.caller = caller.map { .init(path: $0.path, process: $0.process, name: $0.name) }
        guard let request = presentRequest.withLock({ $0?.request }) else { return content }
        if let name = request.secretName ?? request.keyName, !Self.names(name, in: content.reason) {
            content.secret = name
        }
        content.reach = reach(of: request, content.kind)
        return content
    }

    /// Returns true if the reason has the name as words of its own.
    private static func names(_ name: String, in reason: String) -> Bool {
        [" ", ", ", ". "].contains { " \(reason) ".contains(" \(name)\($0)") }
    }

    private func reach(of request: Request, _ kind: PromptContent.Kind) -> PromptContent.Reach? {
        switch kind {
        case .biometry, .companion, .passcode, .formerPasscode: break
        case .applicationPassword: return .command
        case .newApplicationPassword, .permission, .newPasscode, .recoveryKey, .passphrase, .newPassphrase, .newSecret:
            return nil
        }
        let seconds = Int(agent.keptAuthentications.reuse.sinceUse.milliseconds / 1000)
        guard seconds > 0, let holder else { return .command }
        let isReused: Bool
        switch request {
        case .unlock(let bySensor):
            if bySensor { return .command }
            isReused = true
        // These compare what the user gives, and keep nothing of it.
        case .changePasscode, .recover, .checkRecoveryKey, .replaceRecoveryKey, .enroll, .removeEnrolled, .resetSensor:
            return .command
        case .read, .readPart, .history, .show, .key, .sign, .decrypt, .certificate:
            isReused = item(of: request) != nil
        // Changes ask each time: for them, the answer counts once.
        case .editPart, .add, .exchange, .change, .remove, .move, .removeFolder, .generateKey, .importKey, .addCardKey,
            .removeKey, .setCertificate,
            .status, .lock, .stop, .list, .verify, .putBack, .deleted, .backUp, .importBackup, .transfer, .retire,
            .enrolled,
            .match,
            .log, .logSettings, .settings, .keys, .encryptedFolders, .addEncryptedFolder, .openEncryptedFolder,
            .changeEncryptedFolder, .removeEncryptedFolder, .dropFile, .addSSHKey, .removeSSHKey, .sshKeys,
            .secretService, .shareFolder, .unshareFolder, .unlockAtLogin, .followLoginPassword, .endSession,
            .waiting, .approve:
            isReused = false
        }
        switch holder {
        case .session: return isReused ? .session(seconds: seconds) : .otherSecrets(seconds: seconds)
        // Without a terminal, an authentication counts for one secret.
        case .program: return isReused && item(of: request) != nil ? .program(seconds: seconds) : .command
        }
    }
}
