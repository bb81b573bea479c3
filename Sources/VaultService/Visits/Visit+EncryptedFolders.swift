internal import AgentProtocol
internal import Latchkey

// Finding the folders that the kernel encrypts. The client moves the content; the agent alone has the keys.

extension Visit {
    func encryptedFolder(_ identifier: String) throws(AgentError) -> EncryptedFolder {
        let folder = try onKeychain { (_) throws(KeychainError) in
            try service.folders.records.folder(identifier, by: requester)
        }
        guard let folder else {
            throw AgentError(.notFound, "the vault has no such folder: run `latchkey folder status` to see all")
        }
        return folder
    }
}
