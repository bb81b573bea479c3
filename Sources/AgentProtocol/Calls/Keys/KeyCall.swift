/// Returns a private key's entry and its public key. It never prompts.
package struct KeyCall: NamedCall {
    package typealias Reply = KeyReply
    package static let verb = Verb.key
    package var name = ""
    package var subject: CallSubject? { .key(name) }
    package var usesVault: Bool { false }
    package var counts: Counting { .item }

    package init() {}

    package func purpose(usual: ItemPolicy) -> RequestPurpose { .look }
}
