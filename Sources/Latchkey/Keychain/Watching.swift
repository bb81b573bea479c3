package import SecretVault
internal import Synchronization
package import UserPresence

// Tests watch a simulated device: they record its decisions, its prompts and the answers to the app, and make calls
// fail.

/// A call of an app that goes by one of Apple's names.
package enum FaceCall: String, Hashable, Sendable, CaseIterable {
    case add = "SecItemAdd"
    case read = "SecItemCopyMatching"
    case update = "SecItemUpdate"
    case delete = "SecItemDelete"
    case createAccessControl = "SecAccessControlCreateWithFlags"
    /// A call of `SecKeyCreateRandomKey` or `SecKeyGeneratePair`.
    case generateKey = "SecKeyCreateRandomKey"
    case sign = "SecKeyCreateSignature"
    case decrypt = "SecKeyCreateDecryptedData"
    case agree = "SecKeyCopyKeyExchangeResult"
    case generateEnclaveKey = "SecureEnclave.P256.PrivateKey.init(accessControl:)"
    /// A call that reads the sealed bytes of a key of `SecureEnclave`.
    case openEnclaveKey = "SecureEnclave.P256.PrivateKey.init(dataRepresentation:)"
    case signInEnclave = "SecureEnclave.P256.PrivateKey.signature"
    case agreeInEnclave = "SecureEnclave.P256.PrivateKey.sharedSecretFromKeyAgreement"
    case canEvaluate = "LAContext.canEvaluatePolicy"
    case evaluate = "LAContext.evaluatePolicy"
    case evaluateAccessControl = "LAContext.evaluateAccessControl"
}

extension FaceCall {
    /// The kind of call for which a test plans a failure of this one.
    package var planned: FaceCall {
        switch self {
        case .generateEnclaveKey: .generateKey
        case .signInEnclave: .sign
        case .agreeInEnclave: .agree
        case .add, .read, .update, .delete, .createAccessControl, .generateKey, .sign, .decrypt, .agree,
            .openEnclaveKey,
            .canEvaluate, .evaluate, .evaluateAccessControl:
            self
        }
    }
}

/// An observer of a keychain.
package protocol KeychainWatcher: Sendable {
    /// Records a decision. The vault is locked meanwhile and must not be used.
    func decided(_ decision: WatchedDecision)
    /// Records a decision about a file. The vault is locked meanwhile and must not be used.
    func decided(_ decision: WatchedFileDecision)
    /// Records a prompt and how it ended.
    func asked(_ content: PromptContent, ending: Prompt.Ending)
    /// Records the end of a call with its code.
    func called(_ call: FaceCall, about what: String, code: Int, because why: String)
    /// Returns the code with which the next call of this kind has to fail; nil to carry the call out.
    func plannedFailure(of call: FaceCall) -> Int?
    /// True if misuse for which Apple's system ends a program is an error instead.
    var outlivesMisuse: Bool { get }
}

extension Keychain {
    /// The observer of this keychain. Only a simulated device has one.
    package var watcher: (any KeychainWatcher)? { watching.withLock { $0 } }

    /// Reports everything that happens from now on to `watcher`.
    package func watch(by watcher: any KeychainWatcher) throws(KeychainError) {
        try requireSimulated("watching a keychain")
        try onVault(vault.watch { watcher.decided($0) })
        try onVault(vault.watchFiles { watcher.decided($0) })
        watching.withLock { $0 = watcher }
    }
}

extension Keychain {
    /// Every item stored on a simulated device, of any app, with its policy and without its name.
    package var everything: [FoundItem] { isReal ? [] : (try? vault.find(ItemSearch())) ?? [] }

    /// Returns true if an item of a simulated device is invalidated; nil if there is no such item.
    package func isInvalidated(_ item: ItemReference) throws(KeychainError) -> Bool? {
        try requireSimulated("inspecting an item")
        return try onVault(vault.isInvalidated(item))
    }
}
