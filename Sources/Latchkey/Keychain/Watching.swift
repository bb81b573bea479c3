package import SecretVault
internal import Synchronization
package import UserPresence

// A simulated device can be watched: a test wants to know what was decided, what the user was asked and what an app was told,
// and it wants calls to fail.

/// What an app calls that has one of Apple's names.
package enum FaceCall: String, Hashable, Sendable, CaseIterable {
    case add = "SecItemAdd"
    case read = "SecItemCopyMatching"
    case update = "SecItemUpdate"
    case delete = "SecItemDelete"
    case createAccessControl = "SecAccessControlCreateWithFlags"
    case canEvaluate = "LAContext.canEvaluatePolicy"
    case evaluate = "LAContext.evaluatePolicy"
    case evaluateAccessControl = "LAContext.evaluateAccessControl"
}

/// Whoever watches a keychain.
package protocol KeychainWatcher: Sendable {
    /// Something was decided. The vault is held meanwhile, and must not be used.
    func decided(_ decision: WatchedDecision)
    /// The user was asked, and this became of it.
    func asked(_ content: PromptContent, ending: Prompt.Ending)
    /// A call came to an end with this number.
    func called(_ call: FaceCall, about what: String, code: Int, because why: String)
    /// The number with which the next call of this kind is to fail instead of being carried out.
    func plannedFailure(of call: FaceCall) -> Int?
    /// True if what Apple's system ends a program for is an error instead.
    var outlivesMisuse: Bool { get }
}

extension Keychain {
    /// Whoever watches; only a simulated device can be.
    package var watcher: (any KeychainWatcher)? { watching.withLock { $0 } }

    /// Lets `watcher` know of everything from now on.
    package func watch(by watcher: any KeychainWatcher) throws(KeychainError) {
        try requireSimulated("to be watched")
        try onVault { (vault) throws(VaultError) in try vault.watch(by: watcher.decided) }
        watching.withLock { $0 = watcher }
    }
}

extension Keychain {
    /// Everything that is stored on a simulated device, whosever it is, with what it demands and no name.
    package var everything: [FoundItem] { isReal ? [] : (try? vault.find(ItemSearch())) ?? [] }

    /// Returns true if an item of a simulated device is lost; nil where there is none.
    package func isInvalidated(_ item: ItemReference) throws(KeychainError) -> Bool? {
        try requireSimulated("to show how an item stands")
        return try onVault { (vault) throws(VaultError) in try vault.isInvalidated(item) }
    }
}
