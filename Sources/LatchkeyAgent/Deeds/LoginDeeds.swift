internal import AgentProtocol
internal import SodiumKit

extension UnlockAtLoginCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer<Reply> {
        try visit.unlockAtLogin(secret.take())
    }
}

extension FollowLoginPasswordCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer<Reply> {
        try visit.followLoginPassword(secret.take())
    }
}

extension EndSessionCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer<Reply> {
        try visit.endSession(session)
    }
}

extension WaitingCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer<Reply> {
        Answer(visit.waitingRequests())
    }
}

extension ApproveCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer<Reply> {
        try visit.approve(number, at: asked.visitor)
        return Answer()
    }
}
