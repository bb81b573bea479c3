internal import AgentProtocol
internal import SodiumKit

extension EncryptedFoldersCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer<Reply> {
        try visit.encryptedFolders()
    }
}

extension AddEncryptedFolderCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer<Reply> {
        try visit.addEncryptedFolder(folder, asked)
    }
}

extension OpenEncryptedFolderCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer<Reply> {
        try visit.openEncryptedFolder(identifier, at: path, asked)
        return Answer()
    }
}

extension ChangeEncryptedFolderCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer<Reply> {
        try visit.changeEncryptedFolder(folder, asked)
        return Answer()
    }
}

extension RemoveEncryptedFolderCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer<Reply> {
        try visit.removeEncryptedFolder(identifier, isSure: isSure)
        return Answer()
    }
}

extension DropFileCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer<Reply> {
        try visit.drop(path, into: identifier)
    }
}
