/// Takes a key off the list that SSH clients see. The private key stays in the vault.
package struct RemoveSSHKeyCall: NamedCall {
    package static let verb = Verb.removeSSHKey
    package var name = ""
    package var usesVault: Bool { false }

    package init() {}

    package func purpose(usual: ItemPolicy) -> RequestPurpose { RequestPurpose("hide a private key from SSH clients") }
}
