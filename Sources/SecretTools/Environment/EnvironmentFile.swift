/// A file of lines `VARIABLE=value`.
///
/// - Blank lines, and what follows a `#` at the beginning of a line or behind a space, are left out; `export ` may stand in front.
/// - A value without quotes ends with its line; spaces around it are none of it. In single quotes everything stands for itself; in
///   double quotes `\n`, `\r`, `\t`, `\\`, `\"`, `\$` and `` \` `` stand for one character. A quoted value may have several lines.
/// - `latchkey://NAME` as the whole value is the secret of that name, and `{{latchkey://NAME}}` inside a value as well, with
///   quotes and without. The name may be percent-encoded.
/// - `$` means nothing: nothing is expanded, so that a value is what stands there.
/// - Of two lines for one variable the last one holds, at its place.
package enum EnvironmentFile {
    /// What is wrong with a file, and where.
    package struct SyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The name of the file, as the caller gave it.
        package let file: String
        /// The line, from 1 on.
        package let line: Int
        /// What is wrong.
        package let problem: EnvironmentError

        /// As editors know it: `file:line: what`.
        package var description: String { "\(file):\(line): \(problem)" }
    }

    /// What the bytes of `file` set, in order.
    package static func assignments(in bytes: RawSpan, file: String) throws(SyntaxError) -> [EnvironmentAssignment] {
        var lines = try self.lines(of: bytes, file)[...]
        var found: [EnvironmentAssignment?] = []
        var places: [VariableName: Int] = [:]
        let total = lines.count
        while let line = lines.popFirst() {
            let number = total - lines.count
            do {
                guard let assignment = try assignment(line, &lines) else { continue }
                if let place = places.updateValue(found.count, forKey: assignment.variable) { found[place] = nil }
                found.append(assignment)
            } catch {
                throw SyntaxError(file: file, line: number, problem: error)
            }
        }
        return found.compactMap { $0 }
    }

    private static func lines(of bytes: RawSpan, _ file: String) throws(SyntaxError) -> [Substring] {
        let all = bytes.withUnsafeBytes { Array($0) }
        var lines: [Substring] = []
        for line in all.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            guard !line.contains(0), var text = String(validating: line, as: UTF8.self) else {
                throw SyntaxError(file: file, line: lines.count + 1, problem: .noText)
            }
            if text.unicodeScalars.last == "\r" { text.unicodeScalars.removeLast() }
            if lines.isEmpty, text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
            lines.append(text[...])
        }
        return lines
    }

    private static func assignment(
        _ line: Substring, _ following: inout ArraySlice<Substring>
    ) throws(EnvironmentError) -> EnvironmentAssignment? {
        var line = trimmed(line)
        guard let first = line.first, first != "#" else { return nil }
        if line.hasPrefix("export "), case let rest = trimmed(line.dropFirst(7)), rest.first != "=" { line = rest }
        guard let sign = line.firstIndex(of: "=") else { throw .noAssignment }
        // What stands before the sign with spaces is a mistake in every shell, so that it is no name here either.
        let variable = try VariableName(String(line[..<sign]))
        let rest = trimmed(line[line.index(after: sign)...])
        let text =
            switch rest.first {
            case "'": try singleQuoted(rest.dropFirst(), &following)
            case "\"": try doubleQuoted(rest.dropFirst(), &following)
            default: unquoted(rest)
            }
        return try EnvironmentAssignment(variable, SecretReference.value(of: text))
    }

    private static func isSpace(_ character: Character) -> Bool { character == " " || character == "\t" }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop(while: isSpace)
        while let last = text.last, isSpace(last) { text.removeLast() }
        return text
    }

    private static func unquoted(_ text: Substring) -> String {
        var isBehindSpace = true
        for place in text.indices {
            if isBehindSpace && text[place] == "#" { return String(trimmed(text[..<place])) }
            isBehindSpace = isSpace(text[place])
        }
        return String(text)
    }

    private static func singleQuoted(
        _ text: Substring, _ following: inout ArraySlice<Substring>
    ) throws(EnvironmentError) -> String {
        var (value, text) = ("", text)
        while true {
            if let end = text.firstIndex(of: "'") {
                try requireEnd(text[text.index(after: end)...])
                return value + text[..<end]
            }
            guard let next = following.popFirst() else { throw .openQuote }
            value += text + "\n"
            text = next
        }
    }

    private static func doubleQuoted(
        _ text: Substring, _ following: inout ArraySlice<Substring>
    ) throws(EnvironmentError) -> String {
        var (value, text) = ("", text)
        while true {
            guard let character = text.popFirst() else {
                guard let next = following.popFirst() else { throw .openQuote }
                value += "\n"
                text = next
                continue
            }
            switch character {
            case "\"":
                try requireEnd(text)
                return value
            case "\\":
                switch text.popFirst() {
                case "n": value += "\n"
                case "r": value += "\r"
                case "t": value += "\t"
                case let sign? where ["\\", "\"", "$", "`"].contains(sign): value.append(sign)
                default: throw .badEscape
                }
            default: value.append(character)
            }
        }
    }

    private static func requireEnd(_ text: Substring) throws(EnvironmentError) {
        let rest = trimmed(text)
        guard rest.isEmpty || (rest.first == "#" && rest.startIndex != text.startIndex) else { throw .afterQuote }
    }
}
