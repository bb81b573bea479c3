internal import AccessPolicy
package import Latchkey

extension SecKey {
    /// Creates a reference to the key of a right, which `requester` uses in `context`. Its use never prompts.
    package convenience init(
        ofRight key: EnclaveKey, on keychain: Keychain, by requester: Requester, in context: KeychainContext?
    ) {
        var use = Query.Use()
        use.context = context
        use.explicitInteraction = .fail
        let attributes = EnclaveItem.attributes(of: key.publicKey)
        self.init(.enclaveKey(EnclaveReference(key, attributes, nil, on: keychain, use, by: requester)))
    }
}
