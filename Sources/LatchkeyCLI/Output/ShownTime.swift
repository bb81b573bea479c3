internal import Glibc

/// Points in time, as people read them.
package enum ShownTime {
    /// Returns the date and the local time; `milliseconds` count from 1970.
    package static func text(_ milliseconds: Int64) -> String { text(milliseconds, full) }

    /// Returns the date and the local time, without the year if that is the present one.
    static func short(_ milliseconds: Int64) -> String {
        let isThisYear = text(milliseconds, "%Y") == text(Int64(time(nil)) * 1000, "%Y")
        return text(milliseconds, isThisYear ? "%m-%d %H:%M:%S" : full)
    }

    /// Returns the local time, with the date if that is another one than that of `former`.
    static func short(_ milliseconds: Int64, after former: Int64) -> String {
        let isSameDay = text(milliseconds, "%Y-%m-%d") == text(former, "%Y-%m-%d")
        return isSameDay ? text(milliseconds, "%H:%M:%S") : short(milliseconds)
    }

    private static let full = "%Y-%m-%d %H:%M:%S"

    private static func text(_ milliseconds: Int64, _ format: String) -> String {
        var seconds = time_t(milliseconds / 1000)
        var parts = tm()
        guard localtime_r(&seconds, &parts) != nil else { return "\(milliseconds)" }
        var text = [CChar](repeating: 0, count: 64)
        let count = strftime(&text, text.count, format, &parts)
        return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
