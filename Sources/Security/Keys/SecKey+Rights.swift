internal import AccessPolicy
package import Latchkey
internal import SecretVault

extension SecKey {
    /// Creates a reference to the key of a right, which `requester` uses in `context`. Its use never prompts.
    package convenience init(
        ofRight key: EnclaveKey, on keychain: Keychain, by requester: Requester, in context: KeychainContext?
    ) {
        var use = CallOptions()
        use.context = context
        use.explicitInteraction = .fail
        let attributes = Attributes(ofEnclaveKey: key.publicKey)
        self.init(.enclaveKey(EnclaveReference(key, attributes, nil, on: keychain, use, by: requester)))
    }
}
