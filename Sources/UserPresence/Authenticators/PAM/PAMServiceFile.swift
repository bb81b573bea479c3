/// The modules and files that a PAM service file refers to.
package enum PAMServiceFile: Sendable {
    package enum Reference: Hashable, Sendable {
        case module(String)
        /// Another service file.
        case file(String)
    }

    /// Returns the references of `text` in order; nil if it is not valid text, since libpam could read a different name
    /// then. It also returns those of lines that libpam rejects: a reference too many does no harm.
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

    /// Returns the arguments in each line that names the module of this file name.
    package static func arguments(of module: String, in text: [UInt8]) -> [[String]] {
        lines(of: text).compactMap { line in
            let tokens = tokens(of: line)
            guard tokens.count > 2, tokens[2].split(separator: "/").last == module[...] else { return nil }
            return Array(tokens[3...])
        }
    }

    /// Returns the lines without comments. A line that ends in a backslash is joined with the next one.
    static func lines(of text: [UInt8]) -> [[UInt8]] {
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

    /// Returns the words of a line. Square brackets enclose one word, in which a backslash escapes the next byte.
    static func tokens(of line: [UInt8]) -> [String] {
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
