/// Returns a secret.
package struct ReadCall: NamedCall {
    package static let verb = Verb.read
    package var name = ""
    package var subject: CallSubject? { .secret(name) }
    package var usesVault: Bool { true }
    package var counts: Counting { .item }

    package init() {}

    package func purpose(usual: ItemPolicy) -> RequestPurpose { .inWordsOfClient("read a secret") }
}
