internal import AgentProtocol
internal import SodiumKit

extension LogCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer<Reply> {
        try visit.log(after: after, latest: latest)
    }
}

extension LogSettingsCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer<Reply> {
        try visit.logSettings(changes, asked)
    }
}
