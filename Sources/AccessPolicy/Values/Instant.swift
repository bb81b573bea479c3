/// A length of time in milliseconds. Sums stop at the ends of the range instead of trapping.
public struct TimeSpan: Hashable, Comparable, Sendable {
    /// The length.
    public var milliseconds: Int64

    /// A length of so many milliseconds.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// No time at all.
    public static let zero = Self(milliseconds: 0)
    /// So many seconds.
    public static func seconds(_ count: Int64) -> Self { Self(milliseconds: count.multipliedClamping(by: 1000)) }
    /// So many minutes.
    public static func minutes(_ count: Int64) -> Self { seconds(count.multipliedClamping(by: 60)) }
    /// So many hours.
    public static func hours(_ count: Int64) -> Self { minutes(count.multipliedClamping(by: 60)) }

    /// One length after the other.
    public static func + (left: Self, right: Self) -> Self {
        Self(milliseconds: (Instant(milliseconds: left.milliseconds) + right).milliseconds)
    }

    /// Compares lengths.
    public static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }
}

/// A moment on the device's clock, in milliseconds since a start that nobody needs to know.
public struct Instant: Hashable, Comparable, Sendable {
    /// Milliseconds since the clock's start.
    public var milliseconds: Int64

    /// The moment so many milliseconds after the clock's start.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// The clock's start.
    public static let start = Self(milliseconds: 0)

    /// Compares moments.
    public static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }

    /// The moment `span` later.
    public static func + (moment: Self, span: TimeSpan) -> Self {
        let (sum, overflow) = moment.milliseconds.addingReportingOverflow(span.milliseconds)
        return Self(milliseconds: overflow ? (span.milliseconds < 0 ? .min : .max) : sum)
    }

    /// The time from `earlier` to `later`.
    public static func - (later: Self, earlier: Self) -> TimeSpan {
        let (gap, overflow) = later.milliseconds.subtractingReportingOverflow(earlier.milliseconds)
        return TimeSpan(milliseconds: overflow ? (later < earlier ? .min : .max) : gap)
    }
}

extension Int64 {
    fileprivate func multipliedClamping(by factor: Int64) -> Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: factor)
        return overflow ? (self < 0 ? .min : .max) : product
    }
}
