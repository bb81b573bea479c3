/// The dates of items. They are kept in milliseconds, and given back in seconds, since the first day of 2001.
enum ItemDate {
    /// Returns a date as it is given back.
    static func seconds(_ milliseconds: Int64) -> Double { Double(milliseconds) / 1000 }

    /// Returns a date as it is kept; nil for one that no clock shows.
    static func milliseconds(of seconds: Double) -> Int64? {
        seconds.isFinite && abs(seconds) < 1e14 ? Int64((seconds * 1000).rounded()) : nil
    }
}

/// The dates of simulated devices.
enum SimulatedTime {
    /// The first moment of a simulated device, in milliseconds since the first day of 2001: the first of January 2026, at
    /// midnight in Greenwich. It is the same for all of them, so that a test has the same dates every time.
    private static let start: Int64 = 788_918_400_000

    /// The hour that it is so many milliseconds later. A clock that has come to its end stays there.
    static func hour(at now: Int64) -> Int64 {
        let (hour, isTooLate) = start.addingReportingOverflow(now)
        return isTooLate ? .max : hour
    }
}
