internal import AgentProtocol
internal import SodiumKit

extension UnlockAtLoginCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer {
        try visit.unlockAtLogin(secret.take())
    }
}

extension FollowLoginPasswordCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer {
        try visit.followLoginPassword(secret.take())
    }
}

extension EndSessionCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer {
        try visit.endSession(session)
    }
}

extension WaitingCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer {
        Answer(visit.waitingRequests())
    }
}

extension ApproveCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer {
        try visit.approve(number, at: asked.visitor)
        return Answer()
    }
}
