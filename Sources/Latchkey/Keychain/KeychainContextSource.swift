/// An object that an app passes as the context of a call: an `LAContext`, which belongs to no keychain until it is used
/// on one.
package protocol KeychainContextSource: AnyObject {
    /// Returns the context on this keychain, with its present wording.
    func keychainContext(on keychain: Keychain) throws(KeychainError) -> KeychainContext
}

extension KeychainContext: KeychainContextSource {
    /// Returns this context.
    ///
    /// - Throws: ``KeychainError/foreignContext`` if it belongs to another keychain.
    package func keychainContext(on keychain: Keychain) throws(KeychainError) -> KeychainContext {
        if !belongs(to: keychain) { throw .foreignContext }
        return self
    }
}
