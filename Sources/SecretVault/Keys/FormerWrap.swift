internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

/// The root under the passcode that was replaced because the login password was changed.
///
/// The login system may have failed to change the password after all. So the former one opens the vault until the new one
/// has opened it once, and for seven days at most.
struct FormerWrap: Sendable {
    /// The root under the former passcode.
    var wrapped: [UInt8] = []
    /// The time on the vault's clock when the passcode was replaced, in milliseconds.
    var since: Int64 = 0

    /// The longest time for which a former passcode opens the vault: seven days, in milliseconds.
    static let longest: Int64 = 7 * day
    private static let day: Int64 = 86_400_000

    /// Returns the milliseconds for which the former passcode still opens the vault; 0 if it no longer does.
    func remaining(at now: Instant) -> Int64 {
        // A date after now is no date that a vault writes, so it is over as well.
        let age = now.milliseconds.subtractingReportingOverflow(since)
        return age.overflow || age.partialValue < 0 ? 0 : max(0, Self.longest - age.partialValue)
    }

    /// Counts a start of the machine with a clock that is behind the vault's as one day. The vault cannot tell how long
    /// the machine was off, and the time must not stand still for good.
    mutating func countStartInThePast() { since = since.subtractingReportingOverflow(Self.day).partialValue }
}

extension FormerWrap: Stored {
    mutating func code<Coder: StoredCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.bytes("wrapped", &wrapped)
        try coder.require(!Coder.reads || !wrapped.isEmpty)
        try coder.number("since", &since)
    }
}

extension Keybag {
    /// Returns the root for the former passcode; nil if the passcode is another one, or if the former one no longer opens
    /// the vault.
    func formerRoot(_ stretch: borrowing Key, at now: Instant, _ fixed: borrowing FixedKeys) throws -> Key? {
        guard let former, former.remaining(at: now) > 0 else { return nil }
        return try openRoot(former.wrapped, try fixed.passcode(stretch))
    }
}
