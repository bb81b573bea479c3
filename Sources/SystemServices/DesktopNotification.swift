internal import CSystemd
internal import Glibc

/// A notification that the desktop shows beside its windows, by the interface `org.freedesktop.Notifications`.
package struct DesktopNotification: Hashable, Sendable {
    /// The first line.
    package var summary: String
    /// The text below it. Nothing in it is markup. (A program that knows no markup at all shows "&amp;" for "&".)
    package var body: String

    package init(summary: String, body: String) { (self.summary, self.body) = (summary, body) }

    private static let daemon = "org.freedesktop.Notifications"

    /// Shows the notification in place of an earlier one, whose number is `former`, or besides all others. Returns its number.
    ///
    /// - Throws: ``BusError`` if no program shows notifications, or none does so before `deadline`.
    package func show(
        on bus: SystemBus, replacing former: UInt32? = nil, until deadline: ContinuousClock.Instant
    ) throws(BusError) -> UInt32 {
        let call = try bus.message(
            SystemBus.Call(
                destination: Self.daemon, path: "/org/freedesktop/Notifications", interface: Self.daemon,
                method: "Notify"))
        let writer = BusWriter(call)
        try writer.append(.text("Latchkey"))
        try writer.append(.number(former ?? 0))
        // No icon.
        try writer.append(.text(""))
        try writer.append(.text(summary))
        try writer.append(.text(Self.escaped(body)))
        // No buttons and no hints; the desktop chooses how long it stays.
        try writer.append(list: [])
        try writer.append(properties: [])
        try BusError.check(sd_bus_message_append_basic(call.raw, CChar(UInt8(ascii: "i")), [Int32(-1)]))
        return try bus.reply(to: call, of: Self.daemon, until: deadline).readNumber()
    }

    /// Returns a text in which no character is markup to a program that knows some.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}
