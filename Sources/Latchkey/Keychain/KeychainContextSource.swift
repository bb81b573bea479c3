/// What apps hand over as the context of a call: an `LAContext`, which belongs to no keychain until it is used on one.
package protocol KeychainContextSource: AnyObject {
    /// The context on this keychain, in the words that it has now.
    func keychainContext(on keychain: Keychain) throws(KeychainError) -> KeychainContext
}
