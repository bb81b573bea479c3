extension GitPush {
    /// Returns the report of a server that refuses every ref of this push, with one reason. Git shows it beside each ref.
    package func report(refusing reason: String) -> [UInt8] {
        let reason = Self.line(reason)
        var status = Self.packet(Array("unpack ok\n".utf8))
        for change in changes { status += Self.packet(Array("ng \(change.ref.name) \(reason)\n".utf8)) }
        status += Self.flush
        var report: [UInt8] = []
        // The first band has the status. A part of it fits into one packet.
        for start in stride(from: 0, to: status.count, by: Self.mostOfBand) {
            report += Self.packet([1] + status[start..<min(start + Self.mostOfBand, status.count)])
        }
        return report + Self.flush
    }

    /// Returns an error for a client whose commands were not read. Git shows it, and stops.
    package static func error(_ reason: String) -> [UInt8] { packet([3] + Array("\(line(reason))\n".utf8)) + flush }

    private static let flush = Array("0000".utf8)
    private static let mostOfBand = 60_000

    /// Returns a text on one line, as long as git shows one.
    private static func line(_ text: String) -> String {
        String(decoding: text.utf8.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }.prefix(400), as: UTF8.self)
    }

    private static func packet(_ payload: [UInt8]) -> [UInt8] {
        let digits = String(payload.count + 4, radix: 16)
        return Array((String(repeating: "0", count: 4 - digits.utf8.count) + digits).utf8) + payload
    }
}
