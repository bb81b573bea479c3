import AccessPolicy
import SodiumKit
import VaultStore

/// A key in a class, because a suite is copied. It makes rows that look like those of a vault.
final class SharedKey: Sendable {
    private let key: Key

    init(_ key: consuming Key) { self.key = key }

    /// Returns the hash of the value of a column.
    func tag(_ column: IndexColumn, _ value: Int) -> Tag { column.tag(.number(Int64(value)), key) }

    /// Returns a sealed item. Its row follows from `number`.
    func item(
        _ number: Int, _ itemClass: ItemClass = .genericPassword, account: Int? = nil, service: Int? = nil,
        secret count: Int = 10, version: UInt64 = 1
    ) -> SealedItem {
        let primaryKey = PrimaryKey(.genericPassword, ["acct": .number(Int64(number))], group: "").tag(key)
        let id = ItemIdentifier.random()
        let columns = [(IndexColumn.acct, account), (.svce, service)].compactMap { column, value in
            value.map { (column, tag(column, $0)) }
        }
        let header = Header(
            id: id, version: version, itemClass: itemClass, control: AccessControl(.whenUnlocked), classKey: 1,
            binding: Binding(domainState: DomainState(sensor: 0, epoch: 0), passcodeClassKey: 0), isKey: false,
            isSynchronizable: false, allowsReuse: false, hasSecret: true, isSecretApart: count > SecretSize.inRow,
            sealsBody: false, group: groupTag("group", key), primaryKey: primaryKey, created: 1, modified: 2)
        var record = header.encoded(columns)
        let sealed = record.sealHead(key)
        return SealedItem(
            row: primaryKey.row, id: id, itemClass: itemClass, version: version, record: record, tag: sealed,
            attributes: Sodium.randomBytes(30), columns: columns, secret: Sodium.randomBytes(count + Box.overhead))
    }

    /// Lends the record of an item to `body`.
    func withRecord<Result>(of item: SealedItem, _ body: (RecordView) throws -> Result) throws -> Result {
        try item.record.withUnsafeBytes { try body(try RecordView($0, row: item.row, key)) }
    }
}
