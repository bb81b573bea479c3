internal import AgentProtocol
internal import SodiumKit

extension EnrollCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer {
        try visit.enroll(name)
        return Answer()
    }
}

extension RemoveEnrolledCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer {
        try visit.removeEnrolled(name)
        return Answer()
    }
}

extension EnrolledCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer {
        try visit.enrolled()
    }
}

extension MatchCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer {
        try visit.match(asked)
    }
}

extension ResetSensorCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer {
        try visit.resetSensor()
        return Answer()
    }
}
