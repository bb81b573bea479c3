/// The dates of items. The vault stores milliseconds, and returns seconds, since the beginning of 2001.
package enum ItemDate {
    /// Returns a stored date as callers get it.
    package static func seconds(_ milliseconds: Int64) -> Double { Double(milliseconds) / 1000 }

    /// Returns a date as the vault stores it; nil for one that no clock shows.
    package static func milliseconds(of seconds: Double) -> Int64? {
        seconds.isFinite && abs(seconds) < 1e14 ? Int64((seconds * 1000).rounded()) : nil
    }
}

/// The dates of simulated devices.
package enum SimulatedTime {
    /// The first moment of every simulated device, in milliseconds since the beginning of 2001: midnight in Greenwich
    /// on January 1, 2026. It never varies, so a test sees the same dates each time.
    private static let start: Int64 = 788_918_400_000

    /// Returns the time on a simulated device that has run for `now` milliseconds, in milliseconds since the beginning
    /// of 2001. A clock that reaches its end stays there.
    package static func hour(at now: Int64) -> Int64 {
        let (hour, isTooLate) = start.addingReportingOverflow(now)
        return isTooLate ? .max : hour
    }
}
