internal import AccessPolicy
internal import AgentProtocol
internal import DeviceModel
internal import Glibc
internal import Latchkey
internal import PlainText
internal import SecretTools
internal import SecretVault
internal import SodiumKit
internal import UserPresence

// Care of the vault: verification and backups.

extension Agent {
    static var process: Int32 { getpid() }
}

extension Visit {
    func verify() throws(AgentError) -> Answer<RawReply> {
        let report = try onKeychain { (keychain) throws(KeychainError) in try keychain.verify() }
        try send(report.findings.map { JSON.quoted($0.description) }, as: "findings")
        return Answer(
            Head([
                "items": .number("\(report.items)"), "opened": .number("\(report.opened)"),
                "findings": .number("\(report.findings.count)"),
            ]))
    }

    func backUp(to path: String, _ asked: AskedRequest) throws(AgentError) -> Answer<RawReply> {
        try requireAbsolute(path)
        // Check the file before the user types anything for it.
        do { try Vault.requireBackupCanBeWritten(to: path) } catch { throw AgentError(.vault(error)) }
        let context = try authenticationContext()
        try askForPasscode(in: context, because: "make a backup")
        let passphrase = try ask(.newPassphrase, because: "make a backup")
        let strength = PasscodeStrength(passphrase)
        let report: ExportReport
        do throws(KeychainError) {
            report = try agent.keychain.backUp(
                to: path, under: passphrase, keeping: agent.settings.historyLimit, by: requester, in: context)
        } catch { throw AgentError(error) }
        var leftOut: [String] = []
        for (id, reason) in report.leftOut {
            let name = (try? agent.keychain.inventory(.id(id), by: requester)).map { Entry($0).name }
            leftOut.append(Head(["name": name.map { .string($0) } ?? .null, "why": .string(reason.description)]).text)
        }
        try send(leftOut, as: "left-out")
        var head = Head([
            "written": .number("\(report.written)"), "left-out": .number("\(leftOut.count)"),
            "damaged": .number("\(report.damaged.count)"),
        ])
        head["warning"] = strength.warning(.ofBackups, of: .backup).map { .string($0) }
        return Answer(head)
    }

    func importBackup(_ path: String, _ asked: AskedRequest) throws(AgentError) -> Answer<RawReply> {
        try requireAbsolute(path)
        // Check the file before the user types anything for it. The prompt names the cost of checking its passphrase.
        let cost = try onKeychain { (keychain) throws(KeychainError) in
            try keychain.requireBackup(at: path)
            return try keychain.cost(ofBackupAt: path)
        }
        let context = try authenticationContext()
        try askForPasscode(in: context, because: "restore a backup")
        let reason = Self.reason(toTakeIn: cost)
        let report = try ask(.passphrase, because: reason) {
            (passphrase) throws(AgentError) -> Result<ImportReport, AgentError> in
            do throws(KeychainError) {
                return .success(
                    try agent.keychain.importBackup(at: path, under: passphrase, by: requester, in: context))
            } catch {
                guard case .vault(.wrongPassphrase) = error else { throw AgentError(error) }
                return .failure(AgentError(error))
            }
        }
        try send(report.leftBehind.filter { !isHere($0) }.map { Self.words(on: $0) }, as: "left-behind")
        return Answer(
            Head([
                "added": .number("\(report.added)"), "duplicates": .number("\(report.duplicates)"),
                "of-another-device": .number("\(report.ofAnotherDevice)"), "refused": .number("\(report.refused)"),
            ]))
    }

    /// Writes the whole vault to a file for another machine.
    func transfer(to path: String, isKept: Bool) throws(AgentError) -> Answer<RawReply> {
        try requireAbsolute(path)
        if !isKept { try requireNoDrops() }
        do { try Vault.requireBackupCanBeWritten(to: path) } catch { throw AgentError(.vault(error)) }
        let context = try authenticationContext()
        let reason = "copy the whole vault to a file"
        try onKeychain { (keychain) throws(KeychainError) in
            try keychain.requireProofToTransfer(in: context, by: requester, because: reason)
        }
        let passphrase = try ask(.newPassphrase, because: reason)
        let strength = PasscodeStrength(passphrase)
        do throws(KeychainError) {
            try agent.keychain.transfer(to: path, under: passphrase, isKept: isKept, by: requester, in: context)
        } catch { throw AgentError(error) }
        var head = Head()
        head["warning"] = strength.warning(.ofBackups, of: .transfer).map { .string($0) }
        return Answer(head)
    }

    /// Throws if dropped files wait for their folders. They are sealed by this vault, and no transfer carries them.
    private func requireNoDrops() throws(AgentError) {
        let waiting = agent.folders.reports.filter { $0.drops > 0 }
        guard let first = waiting.first else { return }
        throw AgentError(
            .request,
            "\(counted(waiting.reduce(0) { $0 + $1.drops }, "dropped file")) would be lost: open \(first.folder.path) first, "
                + "and `latchkey folder status` shows when none is left")
    }

    /// Destroys the keys of the vault. The agent ends once the answer is sent.
    func retire(_ code: String) throws(AgentError) -> Answer<RawReply> {
        try requireNoDrops()
        try onKeychain { (keychain) throws(KeychainError) in try keychain.retire(code, by: requester) }
        return Answer()
    }

    /// Returns true if the vault has this item, or another secret of its name.
    private func isHere(_ left: LeftBehind) -> Bool {
        if let id = left.id, (try? agent.keychain.inventory(.id(id), by: requester)) != nil { return true }
        guard left.itemClass == .genericPassword, let name = left.name else { return false }
        return (try? agent.keychain.inventory(item(name), by: requester)) != nil
    }

    private static func words(on left: LeftBehind) -> String {
        Head([
            "name": left.name.map { .string($0) } ?? .null, "reason": .number("\(left.reason.rawValue)"),
            "why": .string(left.reason.description), "key": .bool(left.itemClass == .key),
        ]).text
    }

    /// Returns the reason for the prompt. A backup of Latchkey costs *moderate*; the reason names a higher cost.
    private static func reason(toTakeIn cost: StretchCost?) -> String {
        guard let cost, cost.memory > StretchCost.moderate.memory else { return "restore a backup" }
        return "restore a backup; checking its passphrase takes \(cost.memory >> 20) MiB of memory"
    }

    /// Asks for the passcode before anything else is asked for.
    private func askForPasscode(in context: KeychainContext, because reason: String) throws(AgentError) {
        try onKeychain { (keychain) throws(KeychainError) in
            try keychain.requirePasscode(in: context, by: requester, because: reason)
        }
    }

    func requireAbsolute(_ path: String) throws(AgentError) {
        if path.utf8.first != UInt8(ascii: "/") {
            throw AgentError(.request, "the path of the file has to be absolute")
        }
    }
}
