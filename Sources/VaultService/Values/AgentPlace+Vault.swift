package import AgentProtocol
internal import LinuxSystem
internal import SecretVault

extension AgentPlace {
    /// Deletes the files of the vault, and its folder if nothing else is in it. Returns true if the folder is gone.
    @discardableResult
    package func removeVault() -> Bool {
        TemporaryPlace.remove(pamFolder)
        TemporaryPlace.remove(sshFolder)
        let sockets = ["agent.socket", "ssh.socket"].map { vault + "/" + $0 }
        for file in [lockFile, sshKeysFile] + sockets { TemporaryPlace.removeFile(file) }
        return Vault.removeFiles(at: vault)
    }
}
