/// Brings back a secret that was deleted.
package struct PutBackCall: NamedCall {
    package static let verb = Verb.putBack
    package var name = ""
    package var usesVault: Bool { true }

    package init() {}

    package func purpose(usual: ItemPolicy) -> RequestPurpose { RequestPurpose("bring back a deleted secret") }
}
