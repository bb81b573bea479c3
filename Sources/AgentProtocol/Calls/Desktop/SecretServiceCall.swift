/// Returns what the Secret Service of the desktop shows now, and the latest requests of programs.
package struct SecretServiceCall: LookingCall {
    package typealias Reply = SecretServiceReport
    package static let verb = Verb.secretService

    package init() {}
}
