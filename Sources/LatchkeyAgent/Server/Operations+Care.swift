internal import AccessPolicy
internal import DeviceModel
internal import Glibc
internal import Latchkey
internal import PlainText
internal import SecretTools
internal import SecretVault
internal import SodiumKit
internal import UserPresence

// The vault looked after: checked, backed up, its sensor taught.

extension Agent {
    static var process: Int32 { getpid() }
}

extension Session {
    func verify() throws(Fault) -> Answer {
        let report = try onKeychain { (keychain) throws(KeychainError) in try keychain.verify() }
        try send(report.findings.map { JSON.quoted($0.description) }, as: "findings")
        return Answer(
            Head([
                "items": .number("\(report.items)"), "opened": .number("\(report.opened)"),
                "findings": .number("\(report.findings.count)"),
            ]))
    }

    func backUp(to path: String, _ asked: AskedRequest) throws(Fault) -> Answer {
        try requireAbsolute(path)
        // Before anybody types anything for it.
        do { try Vault.requireBackupCanBeWritten(to: path) } catch { throw Fault(.vault(error)) }
        let context = try proofs()
        try provePasscode(in: context, because: "make a backup")
        let passphrase = try ask(.newPassphrase, because: "make a backup")
        let strength = PasscodeStrength(passphrase)
        let report: ExportReport
        do throws(KeychainError) {
            report = try agent.keychain.backUp(to: path, under: passphrase, by: requester, in: context)
        } catch { throw Fault(error) }
        var leftOut: [String] = []
        for (id, reason) in report.leftOut {
            let name = (try? agent.keychain.inventory(.id(id), by: requester)).map { Entry($0).name }
            leftOut.append(Head(["name": name.map { .string($0) } ?? .null, "why": .string(reason.rawValue)]).text)
        }
        try send(leftOut, as: "left-out")
        var head = Head([
            "written": .number("\(report.written)"), "left-out": .number("\(leftOut.count)"),
            "damaged": .number("\(report.damaged.count)"),
        ])
        head["warning"] = strength.warning(.ofBackups, of: .backup).map { .string($0) }
        return Answer(head)
    }

    func takeIn(_ path: String, _ asked: AskedRequest) throws(Fault) -> Answer {
        try requireAbsolute(path)
        // The prompt says what checking the passphrase of this file costs.
        let cost = try onKeychain { (keychain) throws(KeychainError) in try keychain.cost(ofBackupAt: path) }
        let context = try proofs()
        try provePasscode(in: context, because: "take in a backup")
        let passphrase = try ask(.passphrase, because: Self.reason(toTakeIn: cost))
        let report = try onKeychain { (keychain) throws(KeychainError) in
            try keychain.takeIn(backupAt: path, under: passphrase, by: requester, in: context)
        }
        return Answer(
            Head([
                "added": .number("\(report.added)"), "duplicates": .number("\(report.duplicates)"),
                "of-another-device": .number("\(report.ofAnotherDevice)"), "refused": .number("\(report.refused)"),
            ]))
    }

    /// A backup of the vault's own costs *moderate*: one that asks for more is worth a word.
    private static func reason(toTakeIn cost: StretchCost?) -> String {
        guard let cost, cost.memory > StretchCost.moderate.memory else { return "take in a backup" }
        return "restore a backup; checking its passphrase takes \(cost.memory >> 20) MiB of memory"
    }

    /// Has somebody prove the passcode before they are asked for anything else.
    private func provePasscode(in context: KeychainContext, because reason: String) throws(Fault) {
        try onKeychain { (keychain) throws(KeychainError) in
            try keychain.requirePasscode(in: context, by: requester, because: reason)
        }
    }

    private func requireAbsolute(_ path: String) throws(Fault) {
        if !path.hasPrefix("/") { throw Fault(.request, "an agent is told paths from the root on") }
    }

    // MARK: - The sensor

    func enrolled() throws(Fault) -> Answer {
        let names = try onKeychain { (keychain) throws(KeychainError) in
            _ = try keychain.enrolmentHash  // asks the sensor first
            return try keychain.enrolledNames
        }
        return Answer(Head(["enrolled": .array(names.map { .string($0) })]))
    }

    func enrol(_ name: String) throws(Fault) {
        // Every prompt and every status has all of them.
        try Self.require(name)
        try require(
            try onKeychain { (keychain) throws(KeychainError) in try keychain.enrol(name, by: requester) })
    }

    func removeEnrolled(_ name: String) throws(Fault) {
        try require(
            try onKeychain { (keychain) throws(KeychainError) in try keychain.removeEnrolled(name, by: requester) })
    }

    func resetSensor() throws(Fault) {
        try require(try onKeychain { (keychain) throws(KeychainError) in try keychain.resetSensor(by: requester) })
    }

    func match(_ asked: AskedRequest) throws(Fault) -> Answer {
        let context = try proofs()
        // As a secret demands it that takes nothing else: there is no other way out.
        let control = try Demand(.whenUnlocked, .biometryAny).control()
        try onKeychain { (keychain) throws(KeychainError) in
            try context.evaluate(control, for: .readData, by: requester, because: asked.reason ?? "try the sensor")
        }
        return Answer(Head(["matched": .bool(true)]))
    }
}
