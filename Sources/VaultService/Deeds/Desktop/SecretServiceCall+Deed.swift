package import AgentProtocol
package import SodiumKit

extension SecretServiceCall: Deed {
    /// Says what the service shows now. It never prompts.
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        let service = visit.service
        var report = try service.desktopStore().report
        let settings = service.settings
        (report.isEnabled, report.rules) = (settings[.secretService].flag, settings.secretRules.text)
        if let state = service.host?.busState {
            (report.state, report.owner, report.trouble) = (state.word, state.owner, state.trouble)
        }
        return CallResult(report)
    }
}
