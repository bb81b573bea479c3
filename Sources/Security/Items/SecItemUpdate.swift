// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import AccessPolicy
internal import DeviceModel
internal import Foundation
internal import Latchkey
internal import SecretVault
internal import SodiumKit

/// Updates every item that matches a query, either all of them or none, prompting if their policies need it.
///
/// - Parameters:
///   - query: The class and attributes to match.
///   - attributesToUpdate: The attributes to change, with their new values. The others stay as they are.
/// - Returns: ``errSecSuccess``, or the reason for the failure, such as ``errSecItemNotFound``.
@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    carryOut(.update, query) { (keychain) throws(StatusError) in
        func update(_ query: CFDictionary) throws(StatusError) {
            try Query(reading: query).update(with: Update(reading: attributesToUpdate), on: keychain)
        }
        if let call = IdentityCall(query) { try call.update(update) } else { try update(query) }
    }
}

/// The changes of an update (semantics 3.6).
private struct Update {
    let values: Query

    init(reading dictionary: CFDictionary) throws(StatusError) {
        let names = dictionary.keys.compactMap { text($0.base) }.sorted()
        for name in names where !Self.isAttribute(name) {
            throw StatusError(errSecNoSuchAttr, "\(name) is no attribute that an update can change")
        }
        if names.contains("ggrp") { throw StatusError(errSecParam, "an update cannot change the sharing group") }
        values = try Query(reading: dictionary)
        try values.requireStorable()
    }

    private static func isAttribute(_ key: String) -> Bool {
        key == Name.kSecValueData
            || !(key == Name.kSecClass || ["m_", "u_", "r_", "v_"].contains { key.hasPrefix($0) })
    }

    var changes: ItemChanges {
        var changes = ItemChanges(
            control: values.control ?? values.protection.map { AccessControl($0) }, group: values.group,
            isSynchronizable: values.travelsAnew)
        changes.merging = values.attributes
        return changes
    }

    func secret() throws(StatusError) -> SecretChange {
        guard let secret = values.secret else { return .keep }
        return .replace(try SecureBytes(copying: secret))
    }
}

extension Query {
    /// True if the item is to sync from now on, false if not; nil to leave it as it is.
    fileprivate var travelsAnew: Bool? {
        switch synchronizable {
        case .yes: true
        case .no: false
        case .either, nil: nil
        }
    }

    fileprivate func update(with update: Update, on keychain: Keychain) throws(StatusError) {
        if let key = matches.min() {
            throw StatusError(errSecParam, "an update applies to all matching items: leave \(key) out")
        }
        let search = try search(wanting: returns.isEmpty ? [] : .data)
        let context = try context(on: keychain)
        let secret = try update.secret()
        _ = try onKeychain(
            keychain.update(
                search, update.changes, secret: secret, in: context, interaction: use.interaction, where: isWanted))
    }
}
