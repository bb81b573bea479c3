/// A file of lines `VARIABLE=value`.
///
/// - Blank lines are ignored, and so is everything from a `#` at the beginning of a line or after a space. A line may begin with
///   `export `.
/// - A value without quotes ends with its line, and spaces around it do not count. In single quotes, every character stands for
///   itself. In double quotes, `\n`, `\r`, `\t`, `\\`, `\"`, `\$` and `` \` `` stand for one character. A quoted value may have
///   several lines.
/// - `latchkey://NAME` as the whole value stands for the secret with that name, and so does `{{latchkey://NAME}}` inside a
///   value, with quotes or without. The name may be percent-encoded.
/// - `$` is an ordinary character: nothing is expanded.
/// - If several lines set one variable, the last one counts, at its own place.
package enum EnvironmentFile {
    /// A mistake in a file, with its line.
    package struct SyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The name of the file, as given by the caller.
        package let file: String
        /// The line; the first is 1.
        package let line: Int
        package let problem: EnvironmentError

        /// The mistake in the form that editors know: `file:line: problem`.
        package var description: String { "\(file):\(line): \(problem)" }
    }

    /// Returns the assignments in `bytes`, in order. Errors call the file `file`.
    ///
    /// - Throws: `SyntaxError` for the first line with a mistake.
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
        // A space before the equals sign is a mistake in every shell, so it is one here: the name is not trimmed.
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
