/// A time as signatures have it, such as `20261129T101500Z`.
package struct SigningTime: Hashable, Sendable {
    /// The time.
    package let text: String

    /// Creates the time of a number of seconds since 1970.
    package init(secondsSince1970 seconds: Int64) {
        let (days, second) = seconds.quotientAndRemainder(dividingBy: 86_400)
        // Years begin in March here, so that the day that leap years add is the last one. 719468 days later than such a year 0 is 1970.
        let shifted = days + 719_468
        let era = shifted / 146_097
        let day = shifted % 146_097
        let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
        let ofYear = day - (365 * year + year / 4 - year / 100)
        let month = (5 * ofYear + 2) / 153
        let date = ofYear - (153 * month + 2) / 5 + 1
        let isNext = month >= 10
        text =
            Self.digits(era * 400 + year + (isNext ? 1 : 0), 4) + Self.digits(isNext ? month - 9 : month + 3, 2)
            + Self.digits(date, 2) + "T" + Self.digits(second / 3600, 2) + Self.digits(second / 60 % 60, 2)
            + Self.digits(second % 60, 2) + "Z"
    }

    /// The day, such as `20261129`.
    package var day: String { String(text.prefix(8)) }

    private static func digits(_ number: Int64, _ count: Int) -> String {
        let text = "\(number)"
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
}
