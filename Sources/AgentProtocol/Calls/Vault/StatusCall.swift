/// Returns the state of the vault.
package struct StatusCall: LookingCall {
    package typealias Reply = StatusReport
    package static let verb = Verb.status

    package init() {}
}
