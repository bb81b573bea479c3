internal import AgentProtocol
internal import SodiumKit

extension SecretServiceCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer<Reply> {
        Answer(try visit.secretService().head)
    }
}

extension ShareFolderCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer<Reply> {
        try visit.shareFolder(folder, isHidden: isHidden)
        return Answer()
    }
}

extension UnshareFolderCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer<Reply> {
        try visit.unshareFolder(folder)
        return Answer()
    }
}
