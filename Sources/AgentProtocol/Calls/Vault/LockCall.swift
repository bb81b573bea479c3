/// Locks the vault.
package struct LockCall: LookingCall {
    package typealias Reply = LockReport
    package static let verb = Verb.lock

    package init() {}
}
