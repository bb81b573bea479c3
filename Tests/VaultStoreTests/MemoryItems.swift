import SodiumKit
import VaultStore

/// A store of rows in dictionaries, the simplest one that keeps the laws.
final class MemoryItems: ItemStore {
    private struct Rows {
        var items: [Int64: SealedItem] = [:]
        var setAside: [Int64: (item: SealedItem, date: Int64)] = [:]
    }

    private var rows = Rows()
    /// The rows before the open transaction.
    private var before: Rows?
    private(set) var version: UInt32 = 0
    fileprivate var openRecords = 0
    var isInTransaction: Bool { before != nil }

    // MARK: - Finding

    /// The memory of one lease.
    private final class Copy: RowOwner {
        private let store: MemoryItems
        private let isRecord: Bool
        private var parts: [UnsafeMutableRawBufferPointer] = []

        init(in store: MemoryItems, isRecord: Bool) {
            (self.store, self.isRecord) = (store, isRecord)
            if isRecord { store.openRecords += 1 }
        }

        deinit { for part in parts { part.deallocate() } }

        func part(_ bytes: [UInt8]) -> UnsafeRawBufferPointer {
            let part = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
            part.copyBytes(from: bytes)
            parts.append(part)
            return UnsafeRawBufferPointer(part)
        }

        func endLease() {
            if isRecord { store.openRecords -= 1 }
            // What a reader still holds is of no use any more.
            for part in parts { part.initializeMemory(as: UInt8.self, repeating: 0xEE) }
        }
    }

    private func lease(
        _ item: SealedItem, _ parts: RowParts, date: Int64?, isFound: Bool
    ) -> RowLease {
        let copy = Copy(in: self, isRecord: isFound && parts == .record && date == nil)
        return RowLease(
            row: item.row,
            record: parts.contains(.record)
                ? copy.part(item.isSecretApart ? item.record : item.record + item.secret) : nil,
            attributes: parts.contains(.attributes) ? copy.part(item.attributes) : nil,
            secret: parts.contains(.secret) && item.isSecretApart ? copy.part(item.secret) : nil, date: date, of: copy)
    }

    private func all(in table: RowTable) -> [(item: SealedItem, date: Int64?)] {
        switch table {
        case .items: rows.items.values.map { ($0, nil) }
        case .setAside: rows.setAside.values.map { ($0.item, $0.date) }
        }
    }

    func find(_ place: RowPlace, _ parts: RowParts, in table: RowTable) throws -> RowLease? {
        precondition(openRecords < 2 || parts != .record || table != .items, "a third record was looked for")
        let found = all(in: table).first { one in
            switch place {
            case .row(let row): one.item.row == row
            case .id(let id): one.item.id == id
            }
        }
        guard let found else { return nil }
        // A secret that lies in the record is no part of its own.
        if table == .items, parts == .secret, !found.item.isSecretApart { return nil }
        return lease(found.item, parts, date: found.date, isFound: true)
    }

    func each(
        _ search: RowSearch, _ parts: RowParts, in table: RowTable, _ body: (borrowing RowLease) throws -> Void
    ) throws {
        for one in all(in: table) where Self.isFound(one.item, one.date, by: search) {
            try body(lease(one.item, parts, date: one.date, isFound: false))
        }
    }

    func has(_ search: RowSearch, in table: RowTable) throws -> Bool {
        all(in: table).contains { Self.isFound($0.item, $0.date, by: search) }
    }

    private static func isFound(_ item: SealedItem, _ date: Int64?, by search: RowSearch) -> Bool {
        if let itemClass = search.itemClass, item.itemClass != itemClass { return false }
        if let lastDate = search.lastDate, let date, date > lastDate { return false }
        return search.columns.allSatisfy { wanted in
            item.columns.contains { $0.0 == wanted.column && $0.1 == wanted.tag }
        }
    }

    // MARK: - Changing

    func put(_ item: SealedItem) throws {
        guard rows.items[item.row] == nil else { throw VaultError.rowTaken }
        rows.items[item.row] = item
    }

    func remove(_ row: Int64, from table: RowTable) throws {
        switch table {
        case .items: rows.items[row] = nil
        case .setAside: rows.setAside[row] = nil
        }
    }

    func removeAll(from table: RowTable) throws {
        switch table {
        case .items: rows.items = [:]
        case .setAside: rows.setAside = [:]
        }
    }

    func setAside(_ row: Int64, at date: Int64) throws {
        rows.setAside[row] = rows.items.removeValue(forKey: row).map { ($0, date) }
    }

    func putBack(_ row: Int64) throws { rows.items[row] = rows.setAside.removeValue(forKey: row)?.item }

    func begin(_: RowTransaction) throws { before = rows }

    func commit() throws {
        before = nil
        version += 1
    }

    func rollBack() {
        if let before { rows = before }
        before = nil
    }

    // MARK: - Verifying

    func faults() throws -> [String] { [] }

    func strayedSecrets() throws -> [Int64] { [] }

    func difference(from record: RecordView) throws -> String? {
        guard let item = rows.items[record.header.row], item.id == record.header.id,
            item.itemClass == record.header.itemClass
        else { return "its class or its identifier differs from its header" }
        for (column, tag) in item.columns where !record.hasTag(tag, in: column) {
            return "its column \(column.name) differs from its header"
        }
        return nil
    }
}
