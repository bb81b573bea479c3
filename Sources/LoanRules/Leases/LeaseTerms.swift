/// The uses that one approval counts for, if the policy of the secret allows that: a number of them, a time, or both.
package struct LeaseTerms: Hashable, Sendable {
    /// The number of uses; nil for any number.
    package var uses: Int?
    /// The time, in minutes.
    package var minutes: Int

    /// The range of uses.
    package static let someUses = 1...10_000
    /// The range of minutes: at most twelve hours.
    package static let someMinutes = 1...720

    /// One use.
    package static let once = LeaseTerms(uses: 1, minutes: someMinutes.upperBound)

    /// Creates terms. Without minutes, unused uses end after half an hour.
    package init(uses: Int?, minutes: Int?) {
        self.uses = uses
        self.minutes = minutes ?? 30
    }
}
