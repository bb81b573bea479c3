internal import AccessPolicy
package import AgentProtocol
internal import Latchkey
internal import PlainText
internal import SecretVault
package import SodiumKit
internal import UserPresence

extension ImportBackupCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        try visit.requireAbsolute(path)
        // Check the file before the user types anything for it. The prompt names the cost of checking its passphrase.
        let cost = try visit.onKeychain { (keychain) throws(KeychainError) in
            try keychain.requireBackup(at: path)
            return try keychain.cost(ofBackupAt: path)
        }
        let context = try visit.authenticationContext()
        try visit.askForPasscode(in: context, because: "restore a backup")
        let reason = Self.reason(toTakeIn: cost)
        let report = try visit.ask(.passphrase, because: reason) {
            (passphrase) throws(AgentError) -> Result<ImportReport, AgentError> in
            do throws(KeychainError) {
                return .success(
                    try visit.service.keychain.importBackup(
                        at: path, under: passphrase, by: visit.requester, in: context))
            } catch {
                guard case .vault(.wrongPassphrase) = error else { throw AgentError(error) }
                return .failure(AgentError(error))
            }
        }
        let leftBehind = report.leftBehind.filter { !Self.isHere($0, visit) }
        try send(
            leftBehind.map { LeftBehindNote(name: $0.name, $0.reason, isKey: $0.itemClass == .key) }, asked)
        return CallResult(
            Reply(
                added: report.added, duplicates: report.duplicates, ofAnotherDevice: report.ofAnotherDevice,
                refused: report.refused))
    }

    /// Returns true if the vault has this item, or another secret of its name.
    private static func isHere(_ left: LeftBehind, _ visit: Visit) -> Bool {
        let (keychain, requester) = (visit.service.keychain, visit.requester)
        if let id = left.id, (try? keychain.inventory(.id(id), by: requester)) != nil { return true }
        guard left.itemClass == .genericPassword, let name = left.name else { return false }
        return (try? keychain.inventory(visit.item(name), by: requester)) != nil
    }

    /// Returns the reason for the prompt. A backup of Latchkey costs *moderate*; the reason names a higher cost.
    private static func reason(toTakeIn cost: StretchCost?) -> String {
        guard let cost, cost.memory > StretchCost.moderate.memory else { return "restore a backup" }
        return "restore a backup; checking its passphrase takes \(cost.memory >> 20) MiB of memory"
    }
}
