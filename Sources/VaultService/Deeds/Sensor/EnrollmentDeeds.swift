package import AgentProtocol
internal import Latchkey
internal import PlainText
package import SodiumKit
internal import UserPresence

extension EnrollCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        // Every prompt and every status report lists all names.
        try Visit.require(name)
        if visit.service.settings.usesFprintd, FprintdFinger(called: name) == nil {
            throw AgentError(
                .request, "fprintd has fixed names for fingers: use one of \(FprintdFinger.names)")
        }
        let prompt = Prompt(PromptContent(.biometry)) { saying in
            try? send([saying], asked)
        }
        try visit.require(
            try visit.onKeychain { (keychain) throws(KeychainError) in
                try keychain.enroll(name, until: prompt, by: visit.requester)
            })
        return CallResult()
    }
}

extension RemoveEnrolledCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        try visit.require(
            try visit.onKeychain { (keychain) throws(KeychainError) in
                try keychain.removeEnrolled(name, by: visit.requester)
            })
        return CallResult()
    }
}

extension EnrolledCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        let names = try visit.onKeychain { (keychain) throws(KeychainError) in
            _ = try keychain.enrollmentHash  // This asks the sensor first.
            return try keychain.enrolledNames
        }
        return CallResult(Reply(names))
    }
}

extension ResetSensorCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        try visit.require(
            try visit.onKeychain { (keychain) throws(KeychainError) in
                try keychain.resetSensor(by: visit.requester)
            })
        return CallResult()
    }
}
