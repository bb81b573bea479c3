extension Quoting {
    /// Returns `text` with a backslash before each character that is markup in Markdown. A pipe stays as it is: it is markup only in
    /// tables, and ``markdownRow(_:)`` escapes it there.
    package static func markdown(_ text: String) -> String {
        var quoted = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", "`", "*", "_", "~", "#", "&", "<", ">", "[", "]": quoted += "\\\(scalar)"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted
    }

    /// Returns a row of a Markdown table, with its line break. Pipes are escaped and line breaks become spaces.
    package static func markdownRow(_ cells: [String]) -> String {
        let quoted = cells.map { cell in
            cell.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
                .split(separator: "\n", omittingEmptySubsequences: false).joined(separator: " ")
        }
        return "| " + quoted.joined(separator: " | ") + " |\n"
    }

    /// Returns a record of comma-separated values (RFC 4180), with its line break.
    package static func csvRow(_ fields: [String]) -> String {
        fields.map { field in
            let isPlain = field.utf8.allSatisfy { ![UInt8(ascii: ","), UInt8(ascii: "\""), 10, 13].contains($0) }
            if isPlain { return field }
            return "\"" + field.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
                + "\""
        }.joined(separator: ",") + "\r\n"
    }
}
