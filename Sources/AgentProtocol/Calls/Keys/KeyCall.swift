/// Returns a private key's entry and its public key. It never prompts.
package struct KeyCall: NamedCall, LookingCall {
    package typealias Reply = KeyReply
    package static let verb = Verb.key
    package var name = ""
    package var subject: CallSubject? { .key(name) }
    package var counts: Counting { .item }

    package init() {}
}
