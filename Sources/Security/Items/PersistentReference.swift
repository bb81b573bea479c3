internal import Foundation
internal import SecretVault

/// A persistent reference: an item's class in four letters, and sixteen bytes that identify the item (semantics 3.11).
struct PersistentReference {
    let itemClass: ItemClass
    /// The item; nil for a reference in the former format, which no item uses any more.
    let id: ItemIdentifier?

    init(_ itemClass: ItemClass, _ id: ItemIdentifier) {
        self.itemClass = itemClass
        self.id = id
    }

    init(_ value: Any) throws(StatusError) {
        let unfit = StatusError(
            errSecParam, "\(Name.kSecValuePersistentRef) takes a reference that kSecReturnPersistentRef returned")
        guard let data = value as? Data else { throw unfit }
        let bytes = Array(data)
        guard bytes.count == 20 || bytes.count == 12,
            let letters = String(validating: bytes.prefix(4), as: UTF8.self),
            let itemClass = ItemClass(rawValue: letters)
        else { throw unfit }
        self.itemClass = itemClass
        id = bytes.count == 20 ? ItemIdentifier(bytes: Array(bytes[4...])) : nil
    }

    static func data(_ itemClass: ItemClass, _ id: ItemIdentifier) -> Data {
        Data(itemClass.rawValue.utf8) + Data(id.bytes)
    }
}
