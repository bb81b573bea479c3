import Foundation
import LatchkeyTesting
import Security

/// The code of a wallet, as written for Apple's platforms.
struct SeedStore: Sendable {
    struct Failure: Error { let status: OSStatus }

    var account = "seed"
    var accessible = kSecAttrAccessibleWhenUnlocked as String
    var syncs = true
    var group: String?

    private var key: [String: Any] {
        var key: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "wallet",
            kSecAttrAccount as String: account,
        ]
        if let group { key[kSecAttrAccessGroup as String] = group }
        return key
    }

    private func query(_ syncs: Any) -> [String: Any] { key.merging([kSecAttrSynchronizable as String: syncs]) { $1 } }

    @discardableResult
    func save(_ seed: String) -> OSStatus {
        var item = query(syncs)
        item[kSecAttrAccessible as String] = accessible
        item[kSecValueData as String] = Data(seed.utf8)
        return SecItemAdd(item as CFDictionary, nil)
    }

    @discardableResult
    func update(_ seed: String) -> OSStatus {
        SecItemUpdate(query(syncs) as CFDictionary, [kSecValueData as String: Data(seed.utf8)] as CFDictionary)
    }

    @discardableResult
    func change(_ attributes: [String: Any]) -> OSStatus {
        SecItemUpdate(query(syncs) as CFDictionary, attributes as CFDictionary)
    }

    @discardableResult
    func delete(_ syncs: Any? = nil) -> OSStatus { SecItemDelete(query(syncs ?? self.syncs) as CFDictionary) }

    func load(_ syncs: Any? = nil) -> String? {
        var query = query(syncs ?? self.syncs)
        query[kSecReturnData as String] = true
        var item: CFTypeRef?
        guard SecItemCopyMatching(query as CFDictionary, &item) == errSecSuccess, let data = item as? Data else {
            return nil
        }
        return String(decoding: data, as: UTF8.self)
    }

    func attributes() -> [String: Any]? {
        var query = query(syncs)
        query[kSecReturnAttributes as String] = true
        query[kSecReturnPersistentRef as String] = true
        var item: CFTypeRef?
        guard SecItemCopyMatching(query as CFDictionary, &item) == errSecSuccess else { return nil }
        return item as? [String: Any]
    }

    func status(_ syncs: Any? = nil) -> OSStatus {
        SecItemCopyMatching(query(syncs ?? self.syncs) as CFDictionary, nil)
    }
}

/// An account with devices that are all in its circle.
struct Family {
    let account: SimulatedAccount
    let phone: SimulatedDevice
    let pad: SimulatedDevice

    init(seed: UInt64 = 0) {
        account = SimulatedAccount(seed: seed)
        phone = SimulatedDevice.iPhoneWithFaceID()
        pad = SimulatedDevice(passcode: "9999", lockGrace: .zero)
        for device in [phone, pad] { account.signIn(device) }
        phone.establishCircle()
        pad.join(sponsoredBy: phone)
        account.settle()
        account.clearRecords()
    }

    /// Adds a device that is in the circle.
    func adding(_ device: SimulatedDevice, as kind: SimulatedAccount.DeviceKind = .full) -> SimulatedDevice {
        account.signIn(device, as: kind)
        device.join(sponsoredBy: phone)
        account.settle()
        account.clearRecords()
        return device
    }

    /// The rules of the records, each with its device.
    var rules: [String] { account.records.map { "\($0.device): \($0.rule.identifier)" } }
}
