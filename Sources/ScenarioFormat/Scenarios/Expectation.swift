package import AccessPolicy
package import DeviceModel

/// What is expected of a step. What is nil is not looked at.
package struct Expectation: Sendable {
    package enum Verdict: Hashable, Sendable {
        case granted
        case denied
        case refused
        case happens
        case anything
    }

    package enum Prompts: Hashable, Sendable {
        case exactly([Factor])
        case count(Int)
        case atMost(Int)
    }

    package enum Secret: Hashable, Sendable {
        case none
        case text(String)
    }

    package enum Flip: Sendable {
        /// What the denial itself says.
        case remedy(Remedy)
        /// Proving this.
        case factor(Factor)
        /// Doing this just before, which is tried.
        case step(Step)
    }

    package struct DeviceState: Hashable, Sendable {
        package var isLocked: Bool?
        package var hasFirstUnlock: Bool?
        package var hasPasscode: Bool?
        package var isLockedOut: Bool?
        package var isPasscodeRequired: Bool?
        package var isDisabled: Bool?
        package var enrolled: [String]?
    }

    package var position: Position
    package var verdict: Verdict?
    package var way: [Factor]?
    package var reusesUnlock: Bool?
    package var rule: Rule?
    package var refusal: Refusal?
    package var status: OSStatusCode?
    package var laError: LAErrorCode?
    package var prompts: Prompts?
    package var permissionAlerts: Int?
    package var secret: Secret?
    /// Which items are found, by their places.
    package var found: [Int]?
    package var items: [(item: Int, state: ItemState)] = []
    package var domainState: DomainStateChange?
    package var device: DeviceState?
    package var flips: [Flip] = []

    package init(position: Position, verdict: Verdict? = nil) {
        self.position = position
        self.verdict = verdict
    }
}
