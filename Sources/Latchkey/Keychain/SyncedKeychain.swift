internal import AccessPolicy
package import DeviceModel
package import SecretVault

/// The keychain of a simulated device, as its account sees it.
package struct SyncedKeychain: SyncingKeychain {
    /// The size of the largest record of an account, in bytes: that of the servers.
    private static let recordLimit = 1 << 20

    private let keychain: Keychain

    package init(_ keychain: Keychain) { self.keychain = keychain }

    package func rows() throws(KeychainError) -> [SyncRow<SyncedKeychain>] {
        var rows: [SyncRow<SyncedKeychain>] = []
        for row in try keychain.syncedRows() {
            rows.append(
                SyncRow(
                    place: row.row, mark: row.version, item: row.item,
                    view: row.view, label: row.description.map { $0.label },
                    isTooLarge: (row.largeSecret ?? 0) > Self.recordLimit))
        }
        return rows
    }

    package func place(of content: SyncedItem) throws(KeychainError) -> Int64 { try keychain.row(of: content) }

    package func label(of content: SyncedItem) -> String { content.description.label }

    package func content(at place: Int64) throws(KeychainError) -> SyncedItem? { try keychain.syncedItem(in: place) }

    package func put(_ content: SyncedItem) throws(KeychainError) -> UInt64? { try keychain.receive(content) }

    package func remove(at place: Int64) throws(KeychainError) { try keychain.removeSynced(row: place) }
}

extension SyncedKeychain {
    /// Returns the names of an item, by which a person knows it.
    package static func label(of itemClass: ItemClass, _ attributes: Attributes) -> String {
        let names: [AttributeName] = [.service, .server, .account, .label]
        let words = names.compactMap { attributes.text($0) }.filter { !$0.isEmpty }
        return words.isEmpty ? "\(itemClass)" : words.joined(separator: " / ")
    }
}

extension ItemDescription {
    fileprivate var label: String { SyncedKeychain.label(of: itemClass, attributes) }
}
