internal import AgentProtocol
internal import SodiumKit

extension SecretServiceCall: Deed {
    /// Says what the service shows now. It never prompts.
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        let agent = visit.agent
        var report = try agent.desktop.store().report
        let settings = agent.settings
        (report.isEnabled, report.rules) = (settings[.secretService].flag, settings.secretRules.text)
        (report.state, report.owner, report.trouble) = agent.desktop.report
        return CallResult(report)
    }
}
