import AccessPolicy
import SodiumKit
import TestSupport
import Testing
import VaultStore

/// The laws of a store of rows. Every type of store keeps them.
@Suite struct ItemStoreTests {
    /// A type of store.
    enum Kind: CaseIterable {
        case sqlite, memory

        func made() throws -> any ItemStore {
            switch self {
            case .sqlite: try SQLiteItems(Connection.inMemory())
            case .memory: MemoryItems()
            }
        }
    }

    /// The parts of a row, copied from a lease.
    struct Parts: Hashable {
        let row: Int64
        var record: [UInt8]?
        var attributes: [UInt8]?
        var secret: [UInt8]?
        let date: Int64?

        init(_ lease: borrowing RowLease) {
            row = lease.row
            record = lease.record.map { [UInt8]($0) }
            attributes = lease.attributes.map { [UInt8]($0) }
            secret = lease.secret.map { [UInt8]($0) }
            date = lease.date
        }

        init(_ item: SealedItem, date: Int64? = nil) {
            row = item.row
            record = item.isSecretApart ? item.record : item.record + item.secret
            attributes = item.attributes
            secret = item.isSecretApart ? item.secret : nil
            self.date = date
        }
    }

    private let key: SharedKey

    init() throws {
        try Sodium.start()
        key = SharedKey(try Key.random())
    }

    private func parts(
        _ place: RowPlace, _ parts: RowParts = .all, in table: RowTable = .items, of store: any ItemStore
    ) throws -> Parts? {
        guard let lease = try store.find(place, parts, in: table) else { return nil }
        return Parts(lease)
    }

    private func all(
        _ search: RowSearch = RowSearch(), in table: RowTable = .items, of store: any ItemStore
    ) throws -> Set<Parts> {
        var found: Set<Parts> = []
        try store.each(search, .all, in: table) { found.insert(Parts($0)) }
        return found
    }

    @Test(arguments: Kind.allCases) func aRowIsFoundByItsNumberAndByItsIdentifierWithEachOfItsParts(
        kind: Kind
    ) throws {
        let store = try kind.made()
        for count in [0, 10, SecretSize.inRow, SecretSize.inRow + 1] {
            let item = key.item(count, secret: count)
            try store.put(item)
            #expect(try parts(.row(item.row), of: store) == Parts(item))
            #expect(try parts(.id(item.id), of: store) == Parts(item))
            var expected = Parts(item)
            #expect(try parts(.row(item.row), .secret, of: store)?.secret == expected.secret)
            #expect(try parts(.row(item.row), .attributes, of: store)?.attributes == expected.attributes)
            (expected.attributes, expected.secret) = (nil, nil)
            #expect(try parts(.row(item.row), .record, of: store) == expected)
            expected.record = nil
            #expect(try parts(.row(item.row), [], of: store) == expected)
            #expect(try store.has(.row(item.row)))
            #expect(try store.has(.id(item.id)))
            #expect(try !store.has(.row(item.row), in: .setAside))
        }
        #expect(try !store.has(.row(1)))
        #expect(try !store.has(.id(.random())))
    }

    @Test(arguments: Kind.allCases) func aRowIsNeverReplaced(kind: Kind) throws {
        let store = try kind.made()
        let item = key.item(1)
        try store.put(item)
        #expect(throws: VaultError.rowTaken) { try store.put(key.item(1, secret: 5000)) }
        #expect(try all(of: store) == [Parts(item)])
    }

    @Test(arguments: Kind.allCases) func aSearchFindsTheRowsOfItsClassWithItsColumns(kind: Kind) throws {
        let store = try kind.made()
        let items = (0..<40).map {
            key.item($0, $0 % 3 == 0 ? .key : .genericPassword, account: $0 % 4, service: $0 % 5)
        }
        for item in items { try store.put(item) }
        #expect(try all(of: store) == Set(items.map { Parts($0) }))
        for itemClass in [nil, ItemClass.key, .genericPassword, .certificate] {
            for account in [nil, 1, 7] {
                for service in [nil, 2] {
                    let columns = [(IndexColumn.acct, account), (.svce, service)].compactMap { column, value in
                        value.map { (column: column, tag: key.tag(column, $0)) }
                    }
                    let search = RowSearch(itemClass, columns)
                    let expected = items.filter { item in
                        (itemClass == nil || item.itemClass == itemClass)
                            && columns.allSatisfy { wanted in
                                item.columns.contains { $0.0 == wanted.column && $0.1 == wanted.tag }
                            }
                    }
                    #expect(try all(search, of: store) == Set(expected.map { Parts($0) }))
                    #expect(try store.has(search, in: .items) == !expected.isEmpty)
                    #expect(try !store.has(search, in: .setAside))
                }
            }
        }
    }

    @Test(arguments: Kind.allCases) func aRowThatIsSetAsideComesBackAsItWas(kind: Kind) throws {
        let store = try kind.made()
        let items = [key.item(0), key.item(1, secret: 6000), key.item(2, account: 3)]
        for item in items { try store.put(item) }
        for (date, item) in items.enumerated() { try store.setAside(item.row, at: Int64(date)) }
        #expect(try all(of: store).isEmpty)
        #expect(try store.strayedSecrets().isEmpty)
        #expect(try all(in: .setAside, of: store) == Set(items.enumerated().map { Parts($1, date: Int64($0)) }))
        #expect(try all(RowSearch(until: 1), in: .setAside, of: store).count == 2)
        #expect(try store.has(RowSearch(until: 0), in: .setAside))
        #expect(try !store.has(RowSearch(until: -1), in: .setAside))
        #expect(try parts(.row(items[1].row), in: .setAside, of: store) == Parts(items[1], date: 1))
        let search = RowSearch(.genericPassword, [(.acct, key.tag(.acct, 3))])
        #expect(try all(search, in: .setAside, of: store) == [Parts(items[2], date: 2)])

        try store.putBack(items[1].row)
        #expect(try all(of: store) == [Parts(items[1])])
        #expect(try parts(.id(items[1].id), of: store) == Parts(items[1]))
        #expect(try all(in: .setAside, of: store).count == 2)
        try store.remove(items[0].row, from: .setAside)
        #expect(try all(in: .setAside, of: store) == [Parts(items[2], date: 2)])
        try store.removeAll(from: .setAside)
        #expect(try !store.has(RowSearch(), in: .setAside))
        #expect(try all(of: store) == [Parts(items[1])])
    }

    @Test(arguments: Kind.allCases) func nothingIsLeftOfARowThatIsRemoved(kind: Kind) throws {
        let store = try kind.made()
        let items = (0..<3).map { key.item($0, secret: $0 * 5000) }
        for item in items { try store.put(item) }
        try store.remove(items[1].row, from: .items)
        try store.remove(7, from: .items)
        #expect(try all(of: store) == [Parts(items[0]), Parts(items[2])])
        #expect(try store.strayedSecrets().isEmpty)
        // Its place is free again.
        try store.put(items[1])
        try store.removeAll(from: .items)
        #expect(try all(of: store).isEmpty)
        #expect(try store.strayedSecrets().isEmpty)
    }

    @Test(arguments: Kind.allCases, [RowTransaction.change, .largeChange])
    func aTransactionIsCommittedAsAWholeOrNotAtAll(kind: Kind, transaction: RowTransaction) throws {
        let store = try kind.made()
        let items = (0..<4).map { key.item($0, secret: $0 * 3000) }
        try store.begin(transaction)
        #expect(store.isInTransaction)
        for item in items { try store.put(item) }
        let version = store.version
        try store.commit()
        #expect(!store.isInTransaction)
        #expect(store.version != version)
        let before = try all(of: store)
        #expect(before == Set(items.map { Parts($0) }))

        try store.begin(transaction)
        try store.remove(items[0].row, from: .items)
        try store.setAside(items[1].row, at: 5)
        try store.put(key.item(9))
        store.rollBack()
        #expect(!store.isInTransaction)
        #expect(try all(of: store) == before)
        #expect(try all(in: .setAside, of: store).isEmpty)
        store.rollBack()
        try store.begin(.look)
        #expect(try all(of: store) == before)
        store.rollBack()
    }

    @Test(arguments: Kind.allCases) func whileALeaseIsOpenAnotherRowCanBeFound(kind: Kind) throws {
        let store = try kind.made()
        let items = [key.item(0), key.item(1, secret: 6000)]
        for item in items { try store.put(item) }
        for places in [[RowPlace.row(items[0].row), .row(items[1].row)], [.id(items[0].id), .id(items[1].id)]] {
            // Each lease ends, so that the next two can be opened.
            for _ in 0..<3 {
                guard let first = try store.find(places[0], .record, in: .items),
                    let second = try store.find(places[1], .record, in: .items)
                else {
                    Issue.record("a row is missing")
                    return
                }
                #expect(try parts(.row(items[1].row), of: store) == Parts(items[1]))
                #expect(try parts(.row(items[1].row), .secret, of: store)?.secret == items[1].secret)
                var expected = items.map { Parts($0) }
                for place in 0..<2 { (expected[place].attributes, expected[place].secret) = (nil, nil) }
                #expect(Parts(first) == expected[0])
                #expect(Parts(second) == expected[1])
                second.end()
                first.end()
            }
        }
    }

    @Test(arguments: Kind.allCases) func aRowCanBeChangedWhileALeaseOnItIsOpen(kind: Kind) throws {
        let store = try kind.made()
        let items = [key.item(0), key.item(1)]
        try store.begin(.change)
        try store.put(items[0])
        guard let lease = try store.find(.row(items[0].row), .record, in: .items) else {
            Issue.record("the row is missing")
            return
        }
        try store.remove(items[0].row, from: .items)
        try store.put(items[1])
        lease.end()
        try store.commit()
        #expect(try all(of: store) == [Parts(items[1])])
    }

    @Test(arguments: Kind.allCases) func theRowsThatLaterCommitsWroteAreListedInTheirOrder(kind: Kind) throws {
        let store = try kind.made()
        let items = (0..<5).map { key.item($0, version: UInt64(10 - $0)) }
        for item in items { try store.put(item) }
        let expected = items.reversed().map { RowChange(commit: $0.version, row: $0.row) }
        #expect(try store.changes(since: 0) == expected)
        #expect(try store.changes(since: 7) == Array(expected.suffix(3)))
        #expect(try store.changes(since: 10).isEmpty)
    }

    @Test(arguments: Kind.allCases) func whatWasPutDiffersNowhereFromItsRecord(kind: Kind) throws {
        let store = try kind.made()
        let items = (0..<3).map { key.item($0, account: $0, secret: $0 * 4000) }
        for item in items { try store.put(item) }
        #expect(try store.faults().isEmpty)
        for item in items {
            #expect(try key.withRecord(of: item) { try store.difference(from: $0) } == nil)
        }
        // The record of another version of the item, in other columns.
        #expect(try key.withRecord(of: key.item(1, account: 9)) { try store.difference(from: $0) } != nil)
        #expect(try key.withRecord(of: key.item(8)) { try store.difference(from: $0) } != nil)
    }

    @Test func theVersionDiffersAfterACommitByAnotherProgram() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("vault.db")
        let connection = try Connection.ofNewVault(at: path, pageSize: 4096, patience: Patience())
        try connection.fill(isLaidOut: false, keybag: [1], generation: 1, ledger: [2])
        let (store, other) = (
            try SQLiteItems(connection),
            try SQLiteItems(Connection.ofVault(at: path, patience: Patience(), fileSystem: nil))
        )
        let items = [key.item(0), key.item(1)]
        try store.put(items[0])
        let version = store.version
        try other.put(items[1])
        guard let lease = try store.find(.row(items[1].row), .record, in: .items) else {
            Issue.record("the row is missing")
            return
        }
        #expect(store.version != version)
        lease.end()
    }
}
