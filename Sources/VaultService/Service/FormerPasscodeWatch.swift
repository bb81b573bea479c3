internal import Synchronization

/// Sees to it that the former passcode ends in time, although no request comes.
///
/// The vault keeps the time, and ends the former passcode when it looks. This says when it has to look next.
final class FormerPasscodeWatch: Sendable {
    private let nextLook = Atomic<Int64>(.max)
    private let now: @Sendable () -> Int64
    private let remains: @Sendable () throws -> Int64?

    /// The longest time until the next look, in milliseconds. Another program may set a new passcode meanwhile.
    private static let longest: Int64 = 3_600_000
    /// The time until the next look if the vault cannot be read, in milliseconds.
    private static let pause: Int64 = 60_000

    /// Creates the watch, by a clock in milliseconds.
    ///
    /// - Parameter remains: Returns the milliseconds for which the former passcode still opens the vault, and ends it if there
    ///   are none left.
    init(now: @escaping @Sendable () -> Int64, _ remains: @escaping @Sendable () throws -> Int64?) {
        (self.now, self.remains) = (now, remains)
    }

    /// Ends the former passcode if its time is over. This waits for the vault.
    func look() {
        let wait: Int64?
        do { wait = try remains().map { min($0, Self.longest) } } catch { wait = Self.pause }
        nextLook.store(wait.map { now() + $0 } ?? .max, ordering: .relaxed)
    }

    /// The milliseconds until the next look; nil if there is no former passcode.
    var untilLook: Int64? {
        let next = nextLook.load(ordering: .relaxed)
        return next == .max ? nil : max(0, next - now())
    }

    /// Returns true, once, if it is time to look.
    func takeTurn() -> Bool {
        let next = nextLook.load(ordering: .relaxed)
        guard next <= now() else { return false }
        return nextLook.compareExchange(expected: next, desired: .max, ordering: .relaxed).exchanged
    }
}
