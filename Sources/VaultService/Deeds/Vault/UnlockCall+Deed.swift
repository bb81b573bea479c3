internal import AccessPolicy
package import AgentProtocol
internal import DeviceModel
internal import Latchkey
package import SodiumKit
internal import UserPresence

extension UnlockCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        if !asked.mayAsk {
            throw AgentError(.noTerminal, "the passcode is needed and there is no terminal: run the command in one")
        }
        let context = try visit.authenticationContext()
        if bySensor {
            let effects = try Self.unlockBySensor(visit, asked)
            try visit.require(effects)
            if !effects.authenticated(.biometry) {
                throw AgentError(.wrong, "the sensor found no match")
            }
        } else {
            try visit.onKeychain { (keychain) throws(KeychainError) in
                try keychain.unlock(reason: asked.reason ?? "unlock the vault", by: visit.requester, in: context)
            }
        }
        visit.service.endSilences()
        return CallResult()
    }

    private static func unlockBySensor(_ visit: Visit, _ asked: AskedRequest) throws(AgentError) -> Effects {
        let sensor = try visit.onKeychain { (keychain) throws(KeychainError) in try keychain.device.settings.sensor }
        if sensor == .none { throw AgentError(.request, "the vault has no sensor: unlock it with the passcode") }
        if visit.service.keychain.isOutOfReach(of: visit.requester) {
            throw AgentError(
                .unavailable,
                "you are logged in over a network, and the sensor is at the machine: run `latchkey unlock`")
        }
        let (prompt, shown) = try visit.showSensor(because: "unlock the vault", asked)
        return try visit.onKeychain { (keychain) throws(KeychainError) in
            try keychain.unlockBySensor(showing: shown, until: prompt)
        }
    }
}
