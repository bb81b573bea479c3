/// Lists the private keys.
package struct KeysCall: LookingCall {
    package typealias Reply = ListReply
    package static let verb = Verb.keys

    package init() {}
}
