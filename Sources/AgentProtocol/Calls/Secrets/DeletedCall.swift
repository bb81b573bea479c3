/// Lists the deleted secrets that can be brought back.
package struct DeletedCall: LookingCall {
    package typealias Reply = ListReply
    package typealias Part = DeletedEntry
    package static let verb = Verb.deleted

    package init() {}
}
