import Foundation
import Security
import TestSupport

/// Keys of every family, and keys with the shape of none.
enum HostileKeys {
    /// The names of the module, and Apple's private ones.
    static let known =
        Set(keysByName.values).sorted() + [
            "vwht", "musr", "tomb", "UUID", "sha1", "sysb", "ggrp", "toid", "alis", "scrp", "cusi", "volm", "addr",
            "afps", "crlt",
            "crle", "binn", "bini", "bin0", "u_CredRef", "u_CallerName", "u_TokenRawItems", "u_Tomb",
            "u_SystemKeychain", "prot",
            "blobs",
        ]

    static let unknown = [
        "", "a", "abc", "abcd", "abcde", "ACCT", "acct ", "acc\0", "\0\0\0\0", "🔑", "é!!", "m_", "m_Nope", "u_",
        "u_Nope", "r_",
        "r_Nope", "v_", "v_Nope", "v_Da", "m_Li", "f_xx", "Class", "class ", "classes", "kSecClass", "c", "r",
        "\u{202E}tcca",
        String(repeating: "k", count: 100_000), "persistre", "ac\u{301}t", "'; --",
    ]

    /// Keys with values that they accept, so that some calls succeed.
    static let fitting: [(String, [any Sendable])] = [
        (kSecAttrAccount as String, ["a", "b", "c", Data("a".utf8)]), (kSecAttrService as String, ["a", "s"]),
        (kSecAttrServer as String, ["a", "h"]),
        (kSecAttrLabel as String, ["l", "m"]), (kSecAttrPort as String, [80, "443"]),
        (kSecAttrAccessible as String, ["ak", "ck", "akpu"]),
        (kSecAttrApplicationTag as String, [Data([1])]), (kSecAttrSynchronizable as String, [true, false, "syna"]),
        (kSecAttrAccessGroup as String, ["com.example.app", "group.shared"]),
        (kSecAttrIsInvisible as String, [true, 0]),
        (kSecAttrGeneric as String, [Data([2]), "g"]), (kSecAttrSerialNumber as String, [Data([3])]),
    ]
    /// The keys that passwords accept.
    static let ofPasswords = fitting.filter {
        ([kSecAttrAccount, kSecAttrLabel, kSecAttrIsInvisible] as [String]).contains($0.0)
    }
    static let returns = [kSecReturnData, kSecReturnAttributes, kSecReturnPersistentRef] as [String]
}

/// A dictionary that an app may pass, key by key.
struct HostileDictionary {
    private(set) var entries: [(key: String, value: HostileValues.Value)] = []

    mutating func set(_ key: String, _ value: HostileValues.Value) {
        entries.removeAll { $0.key == key }
        entries.append((key, value))
    }

    /// The dictionary with the contexts of a device.
    func made(with contexts: [some AnyObject]) -> CFDictionary {
        var made: [String: Any] = [:]
        for (key, value) in entries { made[key] = Self.value(value, contexts) }
        return made as CFDictionary
    }

    /// The same dictionary with its keys inserted in another order, so that it is iterated in another order.
    func shuffled(with contexts: [some AnyObject], using random: inout SeededGenerator) -> CFDictionary {
        var made: [String: Any] = Dictionary(minimumCapacity: random.pick([1, 7, 50, 300]))
        made["to be taken out"] = 1
        for (key, value) in entries.shuffled(using: &random) { made[key] = Self.value(value, contexts) }
        made["to be taken out"] = nil
        return made as CFDictionary
    }

    private static func value(_ value: HostileValues.Value, _ contexts: [some AnyObject]) -> Any {
        switch value {
        case .same(let value): value
        case .context(let number): contexts[number]
        }
    }
}
