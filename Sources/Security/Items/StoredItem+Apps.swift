internal import AccessPolicy
internal import Foundation
internal import SecretVault
internal import SodiumKit

extension StoredItem {
    /// The attributes of the item, as apps get them.
    var forApps: [String: Any] {
        var all = description.attributes.values.mapValues(\.forApps)
        all[Name.kSecAttrAccessGroup] = description.group
        all[Name.kSecAttrAccessible] = description.control.protection.rawValue
        all[Name.kSecAttrAccessControl] = SecAccessControl(description.control)
        all[Name.kSecAttrSynchronizable] = NSNumber(value: description.isSynchronizable ? 1 : 0)
        all[Name.kSecAttrCreationDate] = Date(timeIntervalSinceReferenceDate: created)
        all[Name.kSecAttrModificationDate] = Date(timeIntervalSinceReferenceDate: modified)
        all["musr"] = Data()
        all["tomb"] = NSNumber(value: 0)
        return all
    }

    /// Twenty bytes that change whenever the item does, where Apple has the SHA-1 of a row. They follow from the item's
    /// reference and the date of its last change, and from no secret.
    var fingerprint: [UInt8] {
        var bytes = id.bytes
        withUnsafeBytes(of: modified.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
        return Checksum.of(bytes.span.bytes, count: 20)
    }
}
