/// A length of time in milliseconds. Arithmetic clamps to the ends of the range instead of trapping.
public struct TimeSpan: Hashable, Comparable, Sendable {
    /// The length in milliseconds.
    public var milliseconds: Int64

    /// Creates a length of time.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// A length of zero.
    public static let zero = Self(milliseconds: 0)
    /// Returns a length in seconds.
    public static func seconds(_ count: Int64) -> Self { Self(milliseconds: count.multipliedClamping(by: 1000)) }
    /// Returns a length in minutes.
    public static func minutes(_ count: Int64) -> Self { seconds(count.multipliedClamping(by: 60)) }
    /// Returns a length in hours.
    public static func hours(_ count: Int64) -> Self { minutes(count.multipliedClamping(by: 60)) }

    /// Returns the sum of two lengths.
    public static func + (left: Self, right: Self) -> Self {
        Self(milliseconds: (Instant(milliseconds: left.milliseconds) + right).milliseconds)
    }

    /// Returns true if the first length is shorter.
    public static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }
}

/// A moment on the clock of a device. Only differences between moments have a meaning.
public struct Instant: Hashable, Comparable, Sendable {
    /// The time since ``start``, in milliseconds.
    public var milliseconds: Int64

    /// Creates the moment that is this many milliseconds after ``start``.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// The start of the clock.
    public static let start = Self(milliseconds: 0)

    /// Returns true if the first moment is earlier.
    public static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }

    /// Returns the moment that is `span` later.
    public static func + (moment: Self, span: TimeSpan) -> Self {
        let (sum, overflow) = moment.milliseconds.addingReportingOverflow(span.milliseconds)
        return Self(milliseconds: overflow ? (span.milliseconds < 0 ? .min : .max) : sum)
    }

    /// Returns the time from `earlier` to `later`.
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
