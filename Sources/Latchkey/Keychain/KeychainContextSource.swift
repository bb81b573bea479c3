/// An object that an app passes as the context of a call: an `LAContext`, which belongs to no keychain until it is used
/// on one.
package protocol KeychainContextSource: AnyObject {
    /// Returns the context on this keychain, with its present wording.
    func keychainContext(on keychain: Keychain) throws(KeychainError) -> KeychainContext
}
