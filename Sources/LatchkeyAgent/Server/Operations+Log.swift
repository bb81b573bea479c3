internal import AgentProtocol
internal import Latchkey
internal import PlainText
internal import SecretVault

// Reading and keeping the audit log.

extension Visit {
    /// The number of records that are read at a time.
    private static let stretch = 256

    /// Sends the records after a place, oldest first, or the latest ones. They are read and sent in stretches; records
    /// that are added meanwhile are left to the next request.
    func log(after: Int, latest: Int?) throws(AgentError) -> Answer<RawReply> {
        let newest = try onKeychain { (keychain) throws(KeychainError) in try keychain.auditPlace(before: 0) }
        var (place, damage) = (Int64(after), newest.damage)
        if let latest {
            let start = try onKeychain { (keychain) throws(KeychainError) in
                try keychain.auditPlace(before: max(0, latest))
            }
            place = max(place, start.place)
            damage = damage ?? start.damage
        }
        var records = LongAnswer(self, as: "records")
        var deleted: [ItemIdentifier: String]?
        while place < newest.place {
            let found = try onKeychain { (keychain) throws(KeychainError) in
                try keychain.auditEntries(after: place, atMost: Self.stretch, by: requester)
            }
            damage = damage ?? found.damage
            guard let last = found.entries.last else { break }
            for entry in found.entries where entry.record.place <= newest.place {
                var name = entry.item.map { agent.folders.records.name(of: $0, by: requester) ?? Entry($0).name }
                if name == nil, let id = entry.id {
                    let names = deleted ?? namesOfDeleted()
                    deleted = names
                    name = names[id]
                }
                try records.add(LogRecord(entry, name: name).head.text)
            }
            place = last.record.place
        }
        try records.send()
        var head = Head(["last": .number("\(max(newest.place, Int64(after)))")])
        if let damage {
            // The damage that the stretches met depends on where they begin. Name the same place as `verify`.
            let first = try onKeychain { (keychain) throws(KeychainError) in try keychain.auditDamage }
            head["damaged-from"] = .number("\(first ?? damage)")
        }
        return Answer(head)
    }

    /// Changes the settings of the log, if `changes` has any, and returns them.
    func logSettings(_ changes: SettingChanges, _ asked: AskedRequest) throws(AgentError) -> Answer<RawReply> {
        if !changes.isEmpty {
            let context = try authenticationContext()
            try onKeychain { (keychain) throws(KeychainError) in
                try keychain.setAudit(
                    limit: changes[.logSize].map { Int64($0.number) }, isDurable: changes[.durableLog]?.flag,
                    by: requester, in: context)
            }
        }
        let settings = try onKeychain { (keychain) throws(KeychainError) in try keychain.auditSettings }
        return Answer(SettingChanges(settings).head)
    }
}

extension SettingChanges {
    /// Creates the settings of a log as answers have them.
    init(_ settings: Vault.AuditSettings) {
        self.init(
            .log, [.logSize: .number(Int(clamping: settings.limit)), .durableLog: .flag(settings.isDurable)])
    }
}

extension LogRecord {
    fileprivate init(_ entry: AuditEntry, name: String?) {
        let record = entry.record
        self.init(
            number: Int(record.place), time: record.hour, last: record.last, verdict: record.kind.word,
            action: record.action, name: name,
            caller: Peer(audited: record.caller),
            rules: record.rules, count: Int(record.count))
    }
}
