extension Quoting {
    /// A row of a table of markdown, with the end of its line.
    package static func markdownRow(_ cells: [String]) -> String {
        let quoted = cells.map { cell in
            cell.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
                .split(separator: "\n", omittingEmptySubsequences: false).joined(separator: " ")
        }
        return "| " + quoted.joined(separator: " | ") + " |\n"
    }

    /// A record of comma-separated values (RFC 4180), with the end of its line.
    package static func csvRow(_ fields: [String]) -> String {
        fields.map { field in
            let isPlain = field.utf8.allSatisfy { ![UInt8(ascii: ","), UInt8(ascii: "\""), 10, 13].contains($0) }
            if isPlain { return field }
            return "\"" + field.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
                + "\""
        }.joined(separator: ",") + "\r\n"
    }
}
