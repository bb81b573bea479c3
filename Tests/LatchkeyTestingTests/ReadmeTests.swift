import Foundation
import LatchkeyTesting
import Security
import Testing

/// The README's example with Apple's names, and the examples of the page on testing, word for word.
@Suite struct ReadmeTests {
    struct TokenStore {
        struct Failure: Error, Equatable { let status: OSStatus }

        private var query: [String: Any] {
            [
                kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "notes",
                kSecAttrAccount as String: "token",
            ]
        }

        func save(_ token: String) throws {
            let access = SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .biometryCurrentSet, nil)
            var item = query
            item[kSecAttrAccessControl as String] = access
            item[kSecValueData as String] = Data(token.utf8)
            SecItemDelete(query as CFDictionary)
            let status = SecItemAdd(item as CFDictionary, nil)
            guard status == errSecSuccess else { throw Failure(status: status) }
        }

        func load() throws -> String {
            var query = query
            query[kSecReturnData as String] = true
            var item: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &item)
            guard status == errSecSuccess, let data = item as? Data else { throw Failure(status: status) }
            return String(decoding: data, as: UTF8.self)
        }
    }

    @Test func theExampleOfAnAppRuns() throws {
        let device = SimulatedDevice(biometry: .touchID, passcode: "1234", enrolled: ["right index"])
        try device.run {
            try TokenStore().save("s3cret")
            #expect(try TokenStore().load() == "s3cret")
            device.enroll("left thumb")
            #expect(throws: TokenStore.Failure.self) { try TokenStore().load() }
            #expect(device.decisions.last?.rule == .biometrySetChanged)
        }
    }

    /// This test fails for the reader of the page. Here it is expected to.
    @Test func theTokenOutlivesANewFinger() throws {
        let device = SimulatedDevice(biometry: .touchID, passcode: "1234", enrolled: ["right index"])
        try device.run {
            try TokenStore().save("s3cret")
            #expect(try TokenStore().load() == "s3cret")
            device.enroll("left thumb")
            let failure = #expect(throws: TokenStore.Failure.self) { try TokenStore().load() }
            #expect(failure == TokenStore.Failure(status: errSecItemNotFound))
            let words = "\(device)"
            #expect(words.contains("denied by biometry.current-set.changed"))
            #expect(words.contains("SecItemCopyMatching genp svce=notes acct=token → -25300"))
        }
    }

    @Test func theExampleOfADisputedFactRuns() throws {
        var fidelity = Fidelity()
        fidelity.changedSet = .authFailed
        fidelity.addWithoutPasscode = .authFailed
        let device = SimulatedDevice(fidelity: fidelity)
        try device.run {
            try TokenStore().save("s3cret")
            device.enroll("left thumb")
            let failure = #expect(throws: TokenStore.Failure.self) { try TokenStore().load() }
            #expect(failure == TokenStore.Failure(status: errSecAuthFailed))
        }
    }

    @Test func theExampleOfAScriptRuns() throws {
        let device = SimulatedDevice()
        try device.run {
            try TokenStore().save("s3cret")
            device.answers = [.wrong, .wrong, .right]
            #expect(try TokenStore().load() == "s3cret")
            #expect(device.prompts.map(\.attempts) == [3] && device.answers.isEmpty)
        }
    }

    @Test func thePageHasTheseExamplesAndNamesEveryDisputedFact() throws {
        func text(_ file: String) throws -> String {
            let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent()
            return try String(contentsOf: root.appending(path: file), encoding: .utf8)
        }
        let page = try text("docs/testing.md")
        let files = [
            "Tests/LatchkeyTestingTests/ReadmeTests.swift",
            "Tests/LatchkeyTestingTests/Examples/LoginKeyExamples.swift",
            "Examples/TokenApp/Sources/TokenApp/FirstLaunch.swift",
            "Examples/TokenApp/Tests/TokenAppTests/TokenAppTests.swift",
        ]
        let here = try files.flatMap {
            try text($0).split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        // The blocks of the store, its test, a script, the key, its test, the first launch, its test, and the choice. The others
        // are manifests, which have a test of their own, and parts of a suite.
        let blocks = page.components(separatedBy: "```swift\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }.filter {
            $0.contains("TokenStore") && !$0.contains("…") || $0.contains("LoginKey") || $0.contains("Fidelity()")
                || $0.contains("FirstLaunch")
        }
        #expect(blocks.count == 8)
        var checked = 0
        for line in blocks.flatMap({ $0.split(separator: "\n") }) {
            let code = (line.components(separatedBy: "  //").first ?? "").trimmingCharacters(in: .whitespaces)
            if code.isEmpty || code == "@testable import Notes" { continue }
            checked += 1
            #expect(here.contains { $0.contains(code) }, "\(code)")
        }
        #expect(checked > 100)
        for fact in Mirror(reflecting: Fidelity()).children {
            #expect(page.contains("| `\(fact.label ?? "")`: "), "\(fact)")
        }
    }
}
