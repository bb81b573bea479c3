import Foundation
import Latchkey
import LatchkeyTesting
import LocalAuthentication
import Security
import TestSupport
import Testing

/// Whatever an app passes, the answer is a status, the same one every time, without any other effect.
@Suite struct HostileTests {
    /// The statuses that the page allows.
    static let allowed: Set<OSStatus> = [
        errSecSuccess, errSecUnimplemented, errSecParam, errSecMissingEntitlement, errSecAuthFailed,
        errSecDuplicateItem,
        errSecItemNotFound, errSecDataTooLarge, errSecNoSuchAttr, errSecNoSuchClass, errSecInteractionNotAllowed,
        errSecUserCanceled,
    ]

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func anythingIsAnsweredWithAStatus(_ seed: UInt64) throws {
        var run = try Run(seed)
        for step in 0..<6500 { try run.step(step) }
        #expect(run.calls == 13_000)
        // Every answer occurred, so the test reached every path.
        #expect(run.outcomes["add 0", default: 0] > 100 && run.outcomes["read 0", default: 0] > 100)
        #expect(run.outcomes["update 0", default: 0] > 20 && run.outcomes["delete 0", default: 0] > 50)
        #expect(run.outcomes["add \(errSecInteractionNotAllowed)", default: 0] > 20)
        for status in [errSecUnimplemented, errSecParam, errSecNoSuchAttr, errSecNoSuchClass] {
            for call in Call.allCases {
                #expect(run.outcomes["\(call) \(status)", default: 0] > 0, "\(call) \(status)")
            }
        }
        try run.checkThatAllStillWorks()
    }

    @Test func everyKeyMayHoldEveryValue() {
        let itemClass = kSecClassGenericPassword
        let device = SimulatedDevice()
        let contexts = HostileValues.contexts()
        let values = HostileValues().all
        #expect(values.count > 200)
        var calls = 0
        device.run {
            for key in HostileKeys.known + HostileKeys.unknown {
                for value in values {
                    var dictionary = HostileDictionary()
                    dictionary.set(kSecClass as String, .same(itemClass))
                    dictionary.set(key, value)
                    let query = dictionary.made(with: contexts)
                    let change = query[key].map { [key: $0] } ?? [:]
                    let statuses = [
                        SecItemAdd(query, nil), SecItemUpdate([kSecClass: itemClass], change),
                        SecItemCopyMatching(query, nil), SecItemDelete(query),
                    ]
                    if !Self.allowed.isSuperset(of: statuses) { Issue.record("\(statuses) of \(key) and \(value)") }
                    calls += statuses.count
                }
            }
        }
        #expect(calls > 100_000)
        #expect(device.world.items.count < 5)
    }

    /// An attribute that the class does not have (-25303), and one with a wrong value (-50). In any order, the first by
    /// name is reported.
    @Test(arguments: [("atag", errSecNoSuchAttr), ("zzzz", errSecParam)])
    func ofSeveralFaultsTheFirstByNameIsTold(_ name: String, _ status: OSStatus) {
        let query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrModificationDate: "no date", name as CFString: Data([1]),
        ]
        SimulatedDevice().run {
            for capacity in 1..<200 {
                var again = CFDictionary(minimumCapacity: capacity)
                for (key, value) in query.shuffled() { again[key] = value }
                #expect(SecItemCopyMatching(again, nil) == status)
                #expect(SecItemAdd(again, nil) == status)
                #expect(SecItemDelete(again) == status)
                #expect(SecItemUpdate([kSecClass: kSecClassGenericPassword], again) == errSecNoSuchAttr)
            }
        }
    }

    @Test func ofSeveralItemsTheOldestIsFoundOnEveryDevice() {
        for _ in 0..<20 {
            let device = SimulatedDevice()
            device.run {
                for (account, accessible) in [("3", "ck"), ("1", "ak"), ("2", "ck")] {
                    let item: CFDictionary = [
                        kSecClass: kSecClassGenericPassword, kSecAttrAccount: account, kSecAttrAccessible: accessible,
                        kSecAttrLabel: accessible,
                    ]
                    #expect(SecItemAdd(item, nil) == errSecSuccess)
                }
                let query: CFDictionary = [kSecClass: kSecClassGenericPassword, kSecReturnAttributes: true]
                var found: CFTypeRef?
                #expect(SecItemCopyMatching(query, &found) == errSecSuccess)
                #expect((found as? [CFString: Any])?[kSecAttrAccount] as? String == "3")
                // The search reaches that item before the locked one.
                device.lock()
                device.advance(by: .seconds(11))
                #expect(SecItemCopyMatching(query, nil) == errSecSuccess)
                #expect(SecItemDelete([kSecClass: kSecClassGenericPassword, kSecAttrAccount: "3"]) == errSecSuccess)
                #expect(SecItemCopyMatching(query, nil) == errSecInteractionNotAllowed)
            }
        }
    }

    enum Call: CaseIterable { case add, read, update, delete }

    /// Two devices that get the same calls, with dictionaries in different orders.
    struct Run {
        /// A device with an item of another app.
        struct Twin {
            let device = SimulatedDevice(app: App(groups: ["group.shared"]))
            let contexts = HostileValues.contexts()
            var count: Int { device.keychain.everything.count }

            init() throws {
                device.app = App(identifier: "com.example.other")
                device.run { #expect(SecItemAdd(Self.treasure(with: Data("gold".utf8)), nil) == errSecSuccess) }
                device.app = App(groups: ["group.shared"])
            }

            static func treasure(with data: Data?) -> CFDictionary {
                var item: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "treasure"]
                if let data { item[kSecValueData] = data } else { item[kSecReturnData] = true }
                return item as CFDictionary
            }
        }

        private static let classes =
            [
                kSecClassGenericPassword, kSecClassGenericPassword, kSecClassGenericPassword, kSecClassInternetPassword,
                kSecClassKey,
                kSecClassCertificate, kSecClassIdentity,
            ] as [String]

        let values = HostileValues()
        let twins: [Twin]
        var random: SeededGenerator
        var outcomes: [String: Int] = [:]
        var calls = 0
        var isLocked = false

        init(_ seed: UInt64) throws {
            random = SeededGenerator(seed: seed)
            twins = [try Twin(), try Twin()]
        }

        mutating func step(_ step: Int) throws {
            if random.once(in: isLocked ? 10 : 80) { turn() }
            let call = random.pick([Call.add, .add, .read, .update, .delete])
            let (query, changes) = (dictionary(for: call), dictionary(for: nil))
            let before = twins.map(\.count)
            let first = answer(
                call, query.made(with: twins[0].contexts), changes.made(with: twins[0].contexts), on: twins[0])
            let second = answer(
                call, query.shuffled(with: twins[1].contexts, using: &random),
                changes.shuffled(with: twins[1].contexts, using: &random), on: twins[1])
            calls += 2
            let what = "step \(step): \(call) \(query.entries.map(\.key)) \(changes.entries.map(\.key))"
            try #require(HostileTests.allowed.contains(first), "\(first) at \(what)")
            try #require(first == second, "\(first) and \(second) at \(what)")
            outcomes["\(call) \(first)", default: 0] += 1
            // As in Apple's source, an add with a match key stores nothing.
            let added = query.entries.contains { $0.key.hasPrefix("m_") } ? 0 : 1
            // As on Apple's platforms, a deletion of identities deletes the certificates and then finds no key.
            let isOfIdentities = query.made(with: twins[0].contexts)[kSecClass as String] as? String == "idnt"
            for (twin, before) in zip(twins, before) {
                let difference = twin.count - before
                let isExpected =
                    switch (call, first) {
                    case (.add, errSecSuccess): difference == added
                    case (.delete, errSecSuccess): difference < 0
                    case (.delete, errSecItemNotFound) where isOfIdentities: difference <= 0
                    default: difference == 0
                    }
                try #require(isExpected, "\(difference) more items at \(what)")
            }
            // A few items are enough to be found, and many would take too long.
            if before[0] > 30 { try wipe() }
        }

        /// Locks the devices until items that need an unlocked device are closed, or unlocks them.
        private mutating func turn() {
            isLocked.toggle()
            for device in twins.map(\.device) {
                if !isLocked {
                    #expect(device.unlock(passcode: "1234"))
                } else {
                    device.lock()
                    device.advance(by: .seconds(11))
                }
            }
        }

        private mutating func dictionary(for call: Call?) -> HostileDictionary {
            var dictionary = HostileDictionary()
            if call != nil, !random.once(in: 25) {
                dictionary.set(kSecClass as String, .same(random.pick(Self.classes)))
            }
            for _ in 0..<random.pick([0, 1, 2]) {
                let (key, fitting) = random.pick(random.once(in: 2) ? HostileKeys.fitting : HostileKeys.ofPasswords)
                dictionary.set(key, .same(random.pick(fitting)))
            }
            if call == nil || call == .add, random.once(in: 2) {
                dictionary.set(kSecValueData as String, .same(Data("x".utf8)))
            }
            if call == .read || call == .add, random.once(in: 2) {
                dictionary.set(random.pick(HostileKeys.returns), .same(true))
            }
            if call != nil, random.once(in: 20) { dictionary.set(kSecClass as String, random.pick(values.all)) }
            for _ in 0..<random.pick([0, 0, 0, 1, 1, 2, 4]) {
                let (key, value) = (key(), random.pick(values.all))
                // Foundation for Linux cannot read an array that contains itself, and this value is read.
                if key == kSecMatchIssuers as String, case .same(let value) = value, value is NSMutableArray {
                    continue
                }
                dictionary.set(key, value)
            }
            if random.once(in: 200) {
                for number in 0..<random.pick([120, 128, 129, 1000]) { dictionary.set("k\(100 + number)", .same(1)) }
            }
            return dictionary
        }

        private mutating func key() -> String {
            random.once(in: 5) ? random.pick(HostileKeys.unknown) : random.pick(HostileKeys.known)
        }

        private func answer(_ call: Call, _ query: CFDictionary, _ changes: CFDictionary, on twin: Twin) -> OSStatus {
            twin.device.run {
                var result: CFTypeRef?
                return switch call {
                case .add: SecItemAdd(query, &result)
                case .read: SecItemCopyMatching(query, &result)
                case .update: SecItemUpdate(query, changes)
                case .delete: SecItemDelete(query)
                }
            }
        }

        private mutating func wipe() throws {
            if isLocked { turn() }
            for twin in twins {
                twin.device.run {
                    for itemClass in [
                        kSecClassGenericPassword, kSecClassInternetPassword, kSecClassKey, kSecClassCertificate,
                        kSecClassIdentity,
                    ] {
                        let query: CFDictionary = [
                            kSecClass: itemClass, kSecAttrSynchronizable: kSecAttrSynchronizableAny,
                        ]
                        #expect([errSecSuccess, errSecItemNotFound].contains(SecItemDelete(query)))
                    }
                }
                // The remaining items are the other app's.
                try #require(twin.count == 1)
            }
        }

        /// Checks that the device still works, and that the other app still has its items.
        mutating func checkThatAllStillWorks() throws {
            try wipe()
            for twin in twins {
                twin.device.run {
                    let item: [CFString: Any] = [kSecClass: kSecClassInternetPassword, kSecAttrServer: "example.com"]
                    var found: CFTypeRef?
                    #expect(
                        SecItemAdd(item.merging([kSecValueData: Data("1".utf8)]) { $1 } as CFDictionary, nil)
                            == errSecSuccess)
                    #expect(SecItemUpdate(item as CFDictionary, [kSecValueData: Data("2".utf8)]) == errSecSuccess)
                    let query = item.merging([kSecReturnData: true]) { $1 } as CFDictionary
                    #expect(SecItemCopyMatching(query, &found) == errSecSuccess)
                    #expect(found as? Data == Data("2".utf8))
                    #expect(SecItemDelete(item as CFDictionary) == errSecSuccess)
                    twin.device.app = App(identifier: "com.example.other")
                    #expect(SecItemCopyMatching(Twin.treasure(with: nil), &found) == errSecSuccess)
                    #expect(found as? Data == Data("gold".utf8))
                }
            }
        }
    }
}
