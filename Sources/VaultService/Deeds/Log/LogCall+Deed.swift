package import AgentProtocol
internal import Latchkey
internal import SecretVault
package import SodiumKit

extension LogCall: Deed {
    /// The number of records that are read at a time.
    private static let stretch = 256

    /// Sends the records after a place, oldest first, or the latest ones. They are read and sent in stretches; records
    /// that are added meanwhile are left to the next request.
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        let newest = try visit.onKeychain { (keychain) throws(KeychainError) in try keychain.auditPlace(before: 0) }
        var (place, damage) = (Int64(after), newest.damage)
        if let latest {
            let start = try visit.onKeychain { (keychain) throws(KeychainError) in
                try keychain.auditPlace(before: max(0, latest))
            }
            place = max(place, start.place)
            damage = damage ?? start.damage
        }
        var records = LongAnswer(for: asked.visitor, as: Self.parts)
        var deleted: [ItemIdentifier: String]?
        while place < newest.place {
            let found = try visit.onKeychain { (keychain) throws(KeychainError) in
                try keychain.auditEntries(after: place, atMost: Self.stretch, by: visit.requester)
            }
            damage = damage ?? found.damage
            guard let last = found.entries.last else { break }
            for entry in found.entries where entry.record.place <= newest.place {
                var name = entry.item.map {
                    visit.service.folders.records.name(of: $0, by: visit.requester) ?? Entry($0).name
                }
                if name == nil, let id = entry.id {
                    let names = deleted ?? visit.namesOfDeleted()
                    deleted = names
                    name = names[id]
                }
                try records.add(LogRecord(entry, name: name))
            }
            place = last.record.place
        }
        try records.send()
        var reply = Reply(last: Int(max(newest.place, Int64(after))), damagedFrom: nil)
        if let damage {
            // The damage that the stretches met depends on where they begin. Name the same place as `verify`.
            let first = try visit.onKeychain { (keychain) throws(KeychainError) in try keychain.auditDamage }
            reply.damagedFrom = Int(first ?? damage)
        }
        return CallResult(reply)
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
