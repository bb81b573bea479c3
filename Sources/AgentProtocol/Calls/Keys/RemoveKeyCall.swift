/// Deletes a private key, and its certificate unless another key needs it.
package struct RemoveKeyCall: NamedCall {
    package static let verb = Verb.removeKey
    package var name = ""
    package var subject: CallSubject? { .key(name) }
    package var usesVault: Bool { true }

    package init() {}

    package func purpose(usual: ItemPolicy) -> RequestPurpose { .inWordsOfClient("delete a private key") }
}
