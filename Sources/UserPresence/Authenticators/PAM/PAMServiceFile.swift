/// What a file of PAM's names that code or more lines come from.
package enum PAMServiceFile: Sendable {
    /// One such name.
    package enum Reference: Hashable, Sendable {
        /// A module.
        case module(String)
        /// Another file of this kind.
        case file(String)
    }

    /// Everything that `text` names, in its order; nil where it is no text, so that a name could be read in two ways. A line
    /// that libpam takes for broken counts too: a name too many costs nothing.
    package static func references(in text: [UInt8]) -> [Reference]? {
        guard !text.contains(0), String(validating: text, as: UTF8.self) != nil else { return nil }
        return lines(of: text).compactMap { line in
            let tokens = tokens(of: line)
            guard let first = tokens.first?.lowercased() else { return nil }
            if first == "@include" { return tokens.count > 1 ? .file(tokens[1]) : nil }
            guard tokens.count > 2 else { return nil }
            switch tokens[1].lowercased() {
            case "include", "substack": return .file(tokens[2])
            default: return .module(tokens[2])
            }
        }
    }

    /// The lines without comments, those that end in a backslash put together with what follows them.
    private static func lines(of text: [UInt8]) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var open: [UInt8] = []
        for line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let comment = line.firstIndex(of: UInt8(ascii: "#"))
            var line = line[..<(comment ?? line.endIndex)]
            while let last = line.last, isBlank(last) { line.removeLast() }
            let goesOn = comment == nil && line.last == UInt8(ascii: "\\")
            if goesOn { line.removeLast() }
            open += line
            if goesOn {
                open.append(UInt8(ascii: " "))
            } else {
                lines.append(open)
                open = []
            }
        }
        if !open.isEmpty { lines.append(open) }
        return lines
    }

    /// The words of a line; what stands in square brackets is one word, in which a backslash takes the next byte as it is.
    private static func tokens(of line: [UInt8]) -> [String] {
        var tokens: [String] = []
        var index = line.startIndex
        while index < line.endIndex {
            if isBlank(line[index]) {
                index += 1
                continue
            }
            var token: [UInt8] = []
            let isBracketed = line[index] == UInt8(ascii: "[")
            if isBracketed { index += 1 }
            while index < line.endIndex, isBracketed ? line[index] != UInt8(ascii: "]") : !isBlank(line[index]) {
                if isBracketed, line[index] == UInt8(ascii: "\\"), index + 1 < line.endIndex { index += 1 }
                token.append(line[index])
                index += 1
            }
            if isBracketed { index += 1 }
            tokens.append(String(decoding: token, as: UTF8.self))
        }
        return tokens
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (UInt8(ascii: "\t")...UInt8(ascii: "\r")).contains(byte)
    }
}
