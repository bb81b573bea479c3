package import AccessPolicy
package import ApplePlatform
package import DeviceModel

/// The expected outcome of a step. A property that is nil is not checked.
package struct Expectation: Sendable {
    /// The expected answer to a request, or the expected end of an event.
    package enum Verdict: Hashable, Sendable {
        case granted
        case denied
        /// The device refuses the event.
        case refused
        case happens
        /// Any outcome is as expected.
        case anything
    }

    package enum Prompts: Hashable, Sendable {
        /// Prompts for these factors, in this order.
        case exactly([Factor])
        case count(Int)
        case atMost(Int)
    }

    package enum Secret: Hashable, Sendable {
        /// The step returns no secret.
        case none
        /// The step returns this secret.
        case text(String)
    }

    /// A change that would turn the expected denial into a grant.
    package enum Flip: Sendable {
        /// The remedy that the denial itself names.
        case remedy(Remedy)
        /// A factor to authenticate with.
        case factor(Factor)
        /// A step just before. The runner tries it.
        case step(Step)
    }

    package struct DeviceState: Hashable, Sendable {
        /// True if the screen is locked.
        package var isLocked: Bool?
        /// True if the device was unlocked since it started.
        package var hasFirstUnlock: Bool?
        /// True if a passcode is set.
        package var hasPasscode: Bool?
        /// True if biometry waits for the passcode because of failed matches.
        package var isLockedOut: Bool?
        /// True if biometry waits for the passcode for another reason.
        package var isPasscodeRequired: Bool?
        /// True if the device accepts no more passcodes.
        package var isDisabled: Bool?
        /// The enrolled fingers or faces.
        package var enrolled: [String]?
    }

    /// The place of the expectation in the file.
    package var position: Position
    package var verdict: Verdict?
    /// The factors that the grant is based on.
    package var way: [Factor]?
    /// True if the biometry comes from the unlock of the device.
    package var reusesUnlock: Bool?
    /// The rule that denies the request.
    package var rule: Rule?
    /// The rule that denies the access to the file.
    package var fileRule: FileRule?
    /// The reason for which the device refuses the event.
    package var refusal: Refusal?
    /// The reason for which the account refuses the event.
    package var accountRefusal: AccountRefusal?
    /// The rules of the movements between devices, in order.
    package var moved: [SyncRule]?
    /// The status of a keychain call.
    package var status: OSStatusCode?
    /// The error of an evaluation.
    package var laError: LAErrorCode?
    package var prompts: Prompts?
    /// The number of alerts that ask whether the app may use Face ID.
    package var permissionAlerts: Int?
    package var secret: Secret?
    /// The items that a query finds, by their indices.
    package var found: [Int]?
    /// The states of items after the step.
    package var items: [(item: Int, state: ItemState)] = []
    /// The states of files after the step.
    package var files: [(file: Int, state: FileState)] = []
    package var domainState: DomainStateChange?
    /// The state of the device after the step.
    package var device: DeviceState?
    /// The changes, each of which would turn the denial into a grant.
    package var flips: [Flip] = []

    /// Creates an expectation that checks only the verdict, if there is one.
    package init(position: Position, verdict: Verdict? = nil) {
        self.position = position
        self.verdict = verdict
    }
}
