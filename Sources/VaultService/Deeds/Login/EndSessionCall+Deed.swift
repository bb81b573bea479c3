package import AgentProtocol
internal import Glibc
package import SodiumKit
internal import SystemServices

extension EndSessionCall: Deed {
    /// Locks the vault if its settings say so and no other session of the user is left.
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        guard visit.service.settings[.lockAtLogout].flag, !LoginSession.hasOthers(of: geteuid(), besides: session)
        else {
            return CallResult(Reply(isLocked: false))
        }
        _ = try LockCall().run(visit, asked, nil)
        return CallResult(Reply(isLocked: true))
    }
}
