import Foundation
import LatchkeyTesting
import LocalAuthentication
import Security
import TestSupport
import Testing

/// Tests of records and of planned failures.
@Suite struct RecordTests {
    typealias KeychainCall = SimulatedDevice.KeychainCall
    typealias ContextCall = SimulatedDevice.ContextCall

    private func call(_ call: KeychainCall) -> OSStatus {
        switch call {
        case .add:
            SecItemAdd([kSecClass: kSecClassGenericPassword, kSecAttrAccount: UUID().uuidString] as CFDictionary, nil)
        case .read: SecItemCopyMatching([kSecClass: kSecClassGenericPassword] as CFDictionary, nil)
        case .update:
            SecItemUpdate(
                [kSecClass: kSecClassGenericPassword] as CFDictionary, [kSecAttrLabel: "a label"] as CFDictionary)
        case .delete: SecItemDelete([kSecClass: kSecClassGenericPassword, kSecAttrLabel: "none"] as CFDictionary)
        case .createAccessControl:
            {
                var error: Unmanaged<CFError>?
                let access = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, [], &error)
                return access == nil ? OSStatus(error.map { CFErrorGetCode($0.takeRetainedValue()) } ?? 0) : 0
            }()
        case .generateKey: keyCall { SecKeyCreateRandomKey(Self.curve, $0) }
        case .sign: keyCall { SecKeyCreateSignature(Self.key, .ecdsaSignatureMessageX962SHA256, CFData(), $0) }
        case .decrypt: keyCall { SecKeyCreateDecryptedData(Self.key, Self.ecies, (Self.box ?? Data()) as CFData, $0) }
        case .agree:
            keyCall { SecKeyCopyKeyExchangeResult(Self.key, .ecdhKeyExchangeStandard, Self.publicKey, [:], $0) }
        }
    }

    private static var curve: CFDictionary {
        [kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256]
    }
    private static let ecies = SecKeyAlgorithm.eciesEncryptionStandardX963SHA256AESGCM
    // Made before any device exists, so that no planned failure meets it.
    private static let key: SecKey! = SecKeyCreateRandomKey(curve, nil)
    private static let publicKey: SecKey! = SecKeyCopyPublicKey(key)
    private static let box = SecKeyCreateEncryptedData(publicKey, ecies, CFData(), nil).map { Data(referencing: $0) }

    private func keyCall(_ call: (UnsafeMutablePointer<Unmanaged<CFError>?>) -> Any?) -> OSStatus {
        var error: Unmanaged<CFError>?
        return call(&error) == nil ? OSStatus(error.map { CFErrorGetCode($0.takeRetainedValue()) } ?? 0) : 0
    }

    @Test(arguments: KeychainCall.allCases) func aKeychainCallFailsAsPlanned(_ kind: KeychainCall) throws {
        #expect(Self.box != nil)
        let device = SimulatedDevice()
        try device.run {
            try TokenStore().save("s3cret", flags: [])
            let usual = call(kind)
            #expect(usual == (kind == .delete ? errSecItemNotFound : errSecSuccess))
            device.fail(next: kind, with: errSecIO)
            #expect(call(kind) == errSecIO && call(kind) == usual)
            device.fail(next: kind, with: errSecDecode, times: 2, after: 1)
            #expect((1...4).map { _ in call(kind) } == [usual, errSecDecode, errSecDecode, usual])
            device.fail(next: kind, with: errSecIO)
            device.fail(next: kind, with: errSecDecode)
            #expect((1...3).map { _ in call(kind) } == [errSecIO, errSecDecode, usual])
            device.fail(next: kind, with: errSecIO, times: 0)
            #expect(call(kind) == usual)
            for other in KeychainCall.allCases where other != kind { device.fail(next: other, with: errSecIO) }
            #expect(call(kind) == usual)
        }
        #expect(device.calls.contains { $0.code == Int(errSecIO) && $0.explanation.contains("planned") })
    }

    @Test func aPlannedFailureDoesNothing() throws {
        let device = SimulatedDevice()
        device.fail(next: .add, with: errSecDiskFull)
        device.run { #expect(throws: TokenStore.Failure.self) { try TokenStore().save("s3cret") } }
        #expect(device.world.items.isEmpty && device.decisions.isEmpty)
        #expect(device.calls.last?.code == Int(errSecDiskFull))
    }

    @Test(arguments: ContextCall.allCases) func aContextCallFailsAsPlanned(_ kind: ContextCall) async {
        let device = SimulatedDevice()
        await device.run {
            for planned: LAError.Code in [.systemCancel, .biometryNotPaired, .invalidDimensions, .notInteractive] {
                device.fail(next: kind, with: planned)
                #expect(await call(kind) == planned)
                #expect(await call(kind) == nil)
            }
            device.fail(next: kind, with: .userCancel, times: 2, after: 1)
            var numbers: [LAError.Code?] = []
            for _ in 1...4 { numbers.append(await call(kind)) }
            #expect(numbers == [nil, .userCancel, .userCancel, nil])
        }
    }

    private func call(_ call: ContextCall) async -> LAError.Code? {
        let context = LAContext()
        do {
            switch call {
            case .canEvaluate:
                var error: NSError?
                return context.canEvaluatePolicy(.deviceOwnerAuthentication, error: &error)
                    ? nil : (error as? LAError)?.code ?? .invalidDimensions
            case .evaluate:
                try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "a test")
            case .evaluateAccessControl:
                guard let access = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, [], nil) else {
                    return .invalidDimensions
                }
                try await context.evaluateAccessControl(access, operation: .useItem, localizedReason: "a test")
            }
            return nil
        } catch {
            return (error as? LAError)?.code
        }
    }

    @Test func theDescriptionTellsWhatWasDecided() throws {
        let device = SimulatedDevice()
        try device.run {
            try TokenStore().save("s3cret")
            device.enroll("left thumb")
            #expect(TokenStore().status() == errSecItemNotFound)
        }
        let text = "\(device)"
        #expect(text.hasPrefix("unlocked; passcode; enrolled: right index, left thumb; 0 items"), "\(text)")
        for part in [
            "SecItemAdd genp svce=token acct=me → 0", "enroll left thumb", "biometry.current-set.changed",
            "SecItemCopyMatching genp svce=token acct=me → -25300",
        ] { #expect(text.contains(part), "\(part) in \(text)") }
        #expect(!text.contains("s3cret"))
        #expect(device.decisions.last?.rule == .biometrySetChanged && device.decisions.last?.outcome == .denied)
        device.clearRecords()
        #expect(device.decisions.isEmpty && device.calls.isEmpty && "\(device)".split(separator: "\n").count == 1)
    }

    @Test func aPromptTellsWhatItSaid() throws {
        let device = SimulatedDevice()
        try device.run {
            try TokenStore().save("s3cret", flags: .userPresence)
            let context = LAContext()
            context.localizedReason = "to read the token"
            context.localizedFallbackTitle = "Use the code"
            context.localizedCancelTitle = "Not now"
            _ = try TokenStore().load(in: context)
        }
        let prompt = try #require(device.prompts.first)
        #expect(prompt.factor == .biometry && prompt.ending == .answered && prompt.attempts == 1)
        #expect(prompt.reason == "to read the token" && prompt.app == "com.example.app")
        #expect(prompt.fallbackTitle == "Use the code" && prompt.cancelTitle == "Not now" && !prompt.offersFallback)
        #expect(prompt.description == "asked for biometry (to read the token): answered")
    }

    @Test func theWorldShowsWhatIsStored() throws {
        let device = SimulatedDevice()
        try device.run { try TokenStore().save("s3cret") }
        let item = try #require(device.world.items.first)
        #expect(
            item.account == "me" && item.service == "token" && item.itemClass == (kSecClassGenericPassword as String))
        #expect(item.group == "com.example.app" && item.accessPolicy.contains("biometryCurrentSet"))
        #expect(item.server == nil && item.label == nil)
        device.lock()
        device.advance(by: .seconds(60))
        #expect(device.world.isLocked && device.world.items.count == 1 && device.world.items[0].account == nil)
    }

    @Test func everyCallIsOnRecordWithWhatItCameTo() {
        let device = SimulatedDevice()
        device.run {
            _ = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .biometryAny, nil)
            _ = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, [.or, .and], nil)
            SecItemDelete([kSecClass: kSecClassGenericPassword] as CFDictionary)
        }
        #expect(
            device.calls.map(\.name) == [
                "SecAccessControlCreateWithFlags", "SecAccessControlCreateWithFlags", "SecItemDelete",
            ])
        #expect(device.calls.map(\.code) == [0, Int(errSecParam), Int(errSecItemNotFound)])
        #expect(device.calls.map(\.subject.isEmpty) == [false, false, false])
    }

    @Test func whoeverLooksLeavesNoTrace() throws {
        let device = SimulatedDevice()
        try device.run { try TokenStore().save("s3cret") }
        let decided = device.decisions.count
        #expect(decided > 0 && device.world.items.count == 1 && "\(device)".contains("1 items"))
        #expect(device.decisions.count == decided && device.world.items.first?.account == "me")
    }

    @Test func theWorldShowsTheItemsOfManyApps() {
        let device = SimulatedDevice()
        device.run {
            for number in 1...40 {
                device.app = App(identifier: "com.example.number\(number)")
                SecItemAdd([kSecClass: kSecClassGenericPassword, kSecAttrAccount: "\(number)"] as CFDictionary, nil)
            }
        }
        #expect(device.world.items.map(\.account) == (1...40).map { "\($0)" })
        #expect(device.world.items.map(\.group) == (1...40).map { "com.example.number\($0)" })
    }

    @Test func theWorldShowsRights() async throws {
        let device = SimulatedDevice()
        try await device.run { _ = try await LARightStore.shared.saveRight(LARight(), identifier: "pay") }
        // A right is an item with its secret, and a key without an account.
        #expect(device.world.items.map(\.account) == ["pay", nil])
        #expect(device.world.items.map(\.label) == [nil, "pay"])
    }

    @Test func ofVeryManyRecordsTheLatestAreKept() {
        let device = SimulatedDevice()
        device.run {
            for number in 0...10_000 {
                SecItemDelete([kSecClass: "none", kSecAttrAccount: "\(number)"] as CFDictionary)
            }
        }
        #expect(device.calls.count == 5001 && device.calls.last?.subject.hasSuffix("acct=10000") == true)
        #expect(device.calls.first?.subject.hasSuffix("acct=5000") == true)
    }

    /// Several prompts at the same time, with three attempts each, are as many entries.
    @Test func sheetsAtTheSameTimeAreEntriesOfTheirOwn() async {
        let device = SimulatedDevice(enrolled: [])
        device.user = Person(passcode: "wrong")
        await device.run {
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<32 {
                    group.addTask {
                        _ = try? await LAContext().evaluatePolicy(
                            .deviceOwnerAuthentication, localizedReason: "number \(number)")
                    }
                }
            }
        }
        #expect(Set(device.prompts.map(\.reason)).count == 32 && device.prompts.count == 32)
        #expect(device.prompts.allSatisfy { $0.attempts == 3 && $0.ending == .answered && $0.factor == .passcode })
    }

    @Test func whatIsPutInTheWrongPlaceIsNotRepeated() {
        let device = SimulatedDevice()
        device.run {
            #expect(SecItemCopyMatching([kSecClass: "s3cret"], nil) == errSecNoSuchClass)
            #expect(SecItemAdd([kSecClass: kSecClassGenericPassword, kSecReturnData: "s3cret"], nil) == errSecParam)
        }
        #expect(device.calls.count == 2 && !"\(device) \(device.calls)".contains("s3cret"))
    }

    /// Neither a record nor the description repeats a value, whichever call brings it.
    @Test func noValueIsOnRecord() async throws {
        let external = try #require(SecKeyCopyExternalRepresentation(Self.key, nil))
        let device = SimulatedDevice(passcode: "typed-code")
        try await device.run {
            try TokenStore().save("added-value")
            #expect(TokenStore().replace("updated-value") == errSecSuccess)
            device.user.applicationPassword = "typed-word"
            try TokenStore().save("another-value", as: "guarded", flags: .applicationPassword)
            #expect(try TokenStore().load("guarded") == "another-value")
            let context = LAContext()
            #expect(context.setCredential(Data("given-word".utf8), type: .applicationPassword))
            context.interactionNotAllowed = true
            #expect(throws: TokenStore.Failure.self) { try TokenStore().load("guarded", in: context) }
            let attributes: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeyClass: kSecAttrKeyClassPrivate,
            ]
            let key = try #require(SecKeyCreateWithData(external, attributes as CFDictionary, nil))
            #expect(SecItemAdd([kSecClass: kSecClassKey, kSecValueRef: key] as CFDictionary, nil) == errSecSuccess)
            for code in ["wrong-code", "typed-code"] {
                device.user = Person(passcode: code)
                _ = try? await LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "to look")
            }
        }
        #expect(device.prompts.last?.ending == .answered && device.calls.count >= 8)
        let said = "\(device) \(device.calls) \(device.decisions) \(device.prompts)"
        for value in [
            "added-value", "updated-value", "another-value", "typed-word", "given-word", "wrong-code", "typed-code",
        ] { #expect(!said.contains(value), "\(value)") }
        // The private half is at the end of the bytes of a key.
        let scalar = Data(referencing: external).suffix(12)
        let texts = [
            scalar.map { String($0) }.joined(separator: ", "), scalar.base64EncodedString(),
            scalar.map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined(),
        ]
        for text in texts { #expect(!said.lowercased().contains(text.lowercased())) }
    }

    @Test(arguments: [("thrown", 1), ("thrown-nested", 1), ("thrown-two", 2)])
    func whatIsThrownOutIsToldOncePerDevice(_ what: String, _ times: Int) throws {
        var program = try SpawnedProgram("misuse-exerciser", [what])
        let lines = program.lines()
        #expect(program.end() == 0 && lines.last == "outlived")
        #expect(lines.count { $0 == "Thrown() was thrown out of a simulated device." } == times, "\(lines)")
        #expect(lines.count { $0.hasPrefix("unlocked; passcode; enrolled: ") } == times, "\(lines)")
    }
}
