/// Lists the private keys.
package struct KeysCall: LookingCall {
    package typealias Reply = ListReply
    package typealias Part = KeyEntry
    package static let verb = Verb.keys

    package init() {}
}
