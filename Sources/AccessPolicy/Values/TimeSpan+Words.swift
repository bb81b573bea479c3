extension TimeSpan {
    private static let units: [(name: String, milliseconds: Int64)] = [
        ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
    ]

    /// Creates a length from numbers with units, such as `1h 30m`; nil for any other text.
    package init?(written text: String) {
        if text.utf8.count > 200 { return nil }
        var total: Int64 = 0
        var parts = 0
        for part in text.split(separator: " ") {
            let digits = part.prefix { $0.isASCII && $0.isNumber }
            guard let count = Int64(digits),
                let unit = Self.units.first(where: { $0.name == part.dropFirst(digits.count) })
            else { return nil }
            let (product, overflow) = count.multipliedReportingOverflow(by: unit.milliseconds)
            let (sum, overflowOfSum) = total.addingReportingOverflow(product)
            if overflow || overflowOfSum { return nil }
            total = sum
            parts += 1
        }
        if parts == 0 { return nil }
        self.init(milliseconds: total)
    }

    /// The length as numbers with units, such as `1h 30m`.
    package var written: String {
        if milliseconds == 0 { return "0s" }
        var rest = milliseconds
        var parts: [String] = []
        for (name, size) in Self.units.reversed() where rest >= size {
            parts.append("\(rest / size)\(name)")
            rest %= size
        }
        return parts.joined(separator: " ")
    }
}
