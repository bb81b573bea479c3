import Foundation
import LatchkeyTesting
import LocalAuthentication
import Security
import Testing

/// A query with all unique attributes is looked up directly if the app has one group, and searched for if it has two.
/// Both paths have to give the same result.
@Suite struct TwoPathsTests {
    struct Happening: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let happen: @Sendable (SimulatedDevice) -> Void

        init(_ words: String, _ happen: @escaping @Sendable (SimulatedDevice) -> Void) {
            testDescription = words
            self.happen = happen
        }
    }

    static let happenings = [
        Happening("nothing") { _ in },
        Happening("locked") {
            $0.lock()
            $0.advance(by: .seconds(11))
        },
        Happening("restarted") { $0.reboot() },
        Happening("a new finger") { $0.enroll("left thumb") },
        Happening("a new finger, locked") {
            $0.enroll("left thumb")
            $0.lock()
            $0.advance(by: .seconds(11))
        },
        Happening("sensor reset") { $0.resetBiometry() },
        Happening("passcode removed") { $0.removePasscode() },
        Happening("erased") { $0.erase() },
        Happening("nobody there") { $0.user = .absent },
        Happening("a stranger") { $0.user = .stranger },
        Happening("no entitlement") { $0.app.isEntitled = false },
    ]

    private struct Stored {
        let attributes: [CFString: Any]
        var flags: SecAccessControlCreateFlags = []
        var accessible = kSecAttrAccessibleWhenUnlocked
    }

    private static var stored: [Stored] {
        [
            Stored(attributes: [:]),
            Stored(attributes: [kSecAttrSynchronizable: true], accessible: kSecAttrAccessibleAfterFirstUnlock),
            Stored(
                attributes: [:], flags: .biometryCurrentSet, accessible: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly
            ),
            Stored(attributes: [:], flags: .userPresence, accessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly),
            Stored(attributes: [:], flags: [.biometryAny, .applicationPassword]),
            Stored(attributes: ["vwht" as CFString: "a view"]),
            Stored(attributes: [kSecAttrTokenID: "a token"], flags: .biometryAny),
            Stored(attributes: [kSecAttrTokenID: ""]),
        ]
    }

    private static var name: [CFString: Any] {
        [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "me", kSecAttrService: "notes"]
    }

    private static var queries: [[CFString: Any]] {
        let returns: [[CFString: Any]] = [
            [:], [kSecReturnData: true], [kSecReturnAttributes: true],
            [kSecReturnData: true, kSecReturnAttributes: true, kSecReturnPersistentRef: true],
        ]
        let askings: [[CFString: Any]] =
            [[:]]
            + [kSecUseAuthenticationUIFail, kSecUseAuthenticationUISkip].map { [kSecUseAuthenticationUI: $0] }
        let places: [[CFString: Any]] = [
            [:], [kSecAttrSynchronizable: true], [kSecAttrSynchronizable: kSecAttrSynchronizableAny],
            [kSecAttrAccessGroup: "group.of.others"], [kSecAttrAccessGroup: "com.apple.token"],
        ]
        return returns.flatMap { returned in
            askings.flatMap { asking in
                places.map { name.merging(returned) { $1 }.merging(asking) { $1 }.merging($0) { $1 } }
            }
        }
    }

    /// The result of each query, in words.
    private func outcomes(of stored: Stored, _ groups: [String], _ happening: Happening) -> [String] {
        let device = SimulatedDevice(app: App(identifier: "com.example.app", groups: groups))
        return device.run {
            let context = LAContext()
            context.setCredential(Data("a password".utf8), type: .applicationPassword)
            var item = Self.name.merging(stored.attributes) { $1 }
            item[kSecValueData] = Data("s3cret".utf8)
            item[kSecUseAuthenticationContext] = context
            if stored.flags.isEmpty {
                item[kSecAttrAccessible] = stored.accessible
            } else {
                item[kSecAttrAccessControl] = SecAccessControlCreateWithFlags(nil, stored.accessible, stored.flags, nil)
            }
            #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
            happening.happen(device)
            let contexts = [LAContext(), LAContext(), LAContext()]
            contexts[0].interactionNotAllowed = true
            contexts[1].setCredential(Data("a password".utf8), type: .applicationPassword)
            contexts[2].invalidate()
            return Self.queries.flatMap { query in
                let isPlain = query[kSecAttrAccessGroup] == nil && query[kSecAttrSynchronizable] == nil
                return ([nil] + (isPlain ? contexts : [])).map { context in
                    var query = query
                    query[kSecUseAuthenticationContext] = context
                    device.clearRecords()
                    var found: CFTypeRef?
                    let status = SecItemCopyMatching(query as CFDictionary, &found)
                    let what = (found as? [String: Any]).map { "\($0.keys.sorted())" } ?? (found == nil ? "-" : "data")
                    return "\(status) \(what) \(device.prompts.map { "\($0)" })"
                }
            }
        }
    }

    @Test(arguments: happenings) func lookingUpAndSearchingComeToTheSame(_ happening: Happening) {
        var statuses: Set<Substring> = []
        for stored in Self.stored {
            let lookedUp = outcomes(of: stored, [], happening)
            let searchedFor = outcomes(of: stored, ["group.empty"], happening)
            #expect(lookedUp == searchedFor, "\(stored)")
            statuses.formUnion(lookedUp.compactMap { $0.split(separator: " ").first })
        }
        #expect(statuses.contains("-34018") && statuses.count > 1)
    }

    @Test func whatHasAViewHintIsFoundByItsName() {
        let device = SimulatedDevice()
        device.run {
            var item = Self.name
            item["vwht" as CFString] = "a view"
            item[kSecValueData] = Data("s3cret".utf8)
            SecItemAdd(item as CFDictionary, nil)
            var query = Self.name
            query[kSecReturnData] = true
            var found: CFTypeRef?
            #expect(SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess, "\(device)")
            #expect(found as? Data == Data("s3cret".utf8))
        }
    }

    @Test func whatIsNotThereIsDecidedOnce() {
        let device = SimulatedDevice()
        device.run { #expect(SecItemCopyMatching(Self.name as CFDictionary, nil) == errSecItemNotFound) }
        #expect(device.decisions.map(\.rule) == [.itemNotFound])
    }
}
