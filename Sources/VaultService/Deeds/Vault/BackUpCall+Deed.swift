internal import AccessPolicy
package import AgentProtocol
internal import Latchkey
internal import PlainText
internal import SecretTools
internal import SecretVault
package import SodiumKit
internal import UserPresence

extension BackUpCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        try visit.requireAbsolute(path)
        // Check the file before the user types anything for it.
        do { try Vault.requireBackupCanBeWritten(to: path) } catch { throw AgentError(.vault(error)) }
        let context = try visit.authenticationContext()
        try visit.askForPasscode(in: context, because: "make a backup")
        let passphrase = try visit.ask(.newPassphrase, because: "make a backup")
        let strength = PasscodeStrength(passphrase)
        let (keychain, limit) = (visit.service.keychain, visit.service.settings.historyLimit)
        let report: ExportReport
        do throws(KeychainError) {
            report = try keychain.backUp(
                to: path, under: passphrase, keeping: limit, by: visit.requester, in: context)
        } catch { throw AgentError(error) }
        var leftOut: [LeftOutNote] = []
        for (id, reason) in report.leftOut {
            let name = (try? keychain.inventory(.id(id), by: visit.requester)).map { Entry($0).name }
            leftOut.append(LeftOutNote(name: name, why: reason.description))
        }
        try send(leftOut, asked)
        return CallResult(
            Reply(
                written: report.written, leftOut: leftOut.count, damaged: report.damaged.count,
                warning: strength.warning(.ofBackups, of: .backup)))
    }
}
