// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import AccessPolicy
internal import DeviceModel
internal import Foundation
internal import Latchkey
internal import SecretVault
internal import SodiumKit

/// Changes every item that a query means, all of them or none.
@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    carryOut(.update, query) { (keychain) throws(StatusError) in
        try Query(reading: query).update(with: Update(reading: attributesToUpdate), on: keychain)
    }
}

/// What an update would change (semantics 3.6).
private struct Update {
    let values: Query

    init(reading dictionary: CFDictionary) throws(StatusError) {
        let names = dictionary.keys.compactMap { text($0.base) }.sorted()
        for name in names where !Self.isAttribute(name) {
            throw StatusError(errSecNoSuchAttr, "\(name) is nothing of an item that could be changed")
        }
        if names.contains("ggrp") { throw StatusError(errSecParam, "the sharing group of an item is not changed") }
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
    /// True if it is to travel from now on; nil for as before, which either of both is.
    fileprivate var travelsAnew: Bool? {
        switch synchronizable {
        case .yes: true
        case .no: false
        case .either, nil: nil
        }
    }

    fileprivate func update(with update: Update, on keychain: Keychain) throws(StatusError) {
        if let key = matches.min() {
            throw StatusError(errSecParam, "an update changes all that it finds: leave \(key) out")
        }
        let search = try search(wanting: returns.isEmpty ? [] : .data)
        let context = try context(on: keychain)
        let secret = try update.secret()
        _ = try onKeychain { () throws(KeychainError) in
            try keychain.update(
                search, update.changes, secret: secret, in: context, interaction: use.interaction, where: isWanted)
        }
    }
}
