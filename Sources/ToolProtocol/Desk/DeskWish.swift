/// A wish for an approval, as a borrower wrote it.
package struct DeskWish: Hashable, Sendable {
    /// The most characters of each text.
    package enum Longest: Sendable {
        /// The name of a service, and a verb.
        package static let name = 64
        package static let target = 1_024
        package static let reason = 500
        /// The name of a request.
        package static let request = 128
    }

    /// One of the services of the desk.
    package var service: String
    /// The kind of use, such as `POST` or `push`.
    package var verb: String?
    /// The path or the ref.
    package var target: String?
    /// The number of uses; at least 1.
    package var uses: Int?
    /// The time in minutes; at least 1.
    package var minutes: Int?
    /// The reason, which is a claim.
    package var reason: String

    package init(
        service: String, verb: String? = nil, target: String? = nil, uses: Int? = nil, minutes: Int? = nil,
        reason: String
    ) {
        (self.service, self.verb, self.target) = (service, verb, target)
        (self.uses, self.minutes, self.reason) = (uses, minutes, reason)
    }
}
