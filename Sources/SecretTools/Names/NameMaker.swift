/// A maker of valid names from the titles of another program. It makes no name twice.
package struct NameMaker {
    private var taken: Set<String> = []
    private var repeats: [String: Int] = [:]

    /// Returns a name for `title` in `folder`, whose parts are separated by slashes. The second with one name gets ` (2)`.
    mutating func name(folder: String = "", title: String) -> String {
        let parts = folder.split(separator: "/").map { Self.part($0) } + [Self.part(title[...], else: "untitled")]
        // Leave room for the number of a repetition.
        let wanted = Self.shortened(parts.filter { !$0.isEmpty }.joined(separator: "/"), to: SecretName.longest - 16)
        if taken.insert(wanted).inserted { return wanted }
        while true {
            let count = repeats[wanted, default: 1] + 1
            repeats[wanted] = count
            let other = "\(wanted) (\(count))"
            if taken.insert(other).inserted { return other }
        }
    }

    /// Returns a name for `title` in `folder` that is not taken. The first with one name gets it as it is, the second ` (2)`.
    package static func free(
        folder: String = "", title: String, unless isTaken: (String) -> Bool
    ) -> String {
        var maker = NameMaker()
        while true {
            let name = maker.name(folder: folder, title: title)
            if !isTaken(name) { return name }
        }
    }

    /// Returns the valid name nearest to a text that is not valid.
    static func cleaned(_ text: String) -> String {
        shortened(
            text.split(separator: "/").map { part($0) }.filter { !$0.isEmpty }.joined(separator: "/"),
            to: SecretName.longest)
    }

    /// Returns a text as one part of a name. Slashes and white space are replaced, and other invisible characters are dropped.
    private static func part(_ text: Substring, else nothing: String = "") -> String {
        var part = String.UnicodeScalarView()
        // A name has no room for more characters than this.
        for scalar in text.unicodeScalars.prefix(SecretName.longest) {
            if scalar == "/" {
                part.append("-")
            } else if SecretName.isPrintable(scalar) {
                part.append(scalar)
            } else if scalar.properties.isWhitespace {
                part.append(" ")
            }
        }
        var trimmed = Substring(String(part))
        while trimmed.first == " " { trimmed.removeFirst() }
        while trimmed.last == " " { trimmed.removeLast() }
        return switch trimmed {
        case "": nothing
        case ".", "..": String(repeating: "_", count: trimmed.count)
        default: String(trimmed)
        }
    }

    private static func shortened(_ text: String, to count: Int) -> String {
        guard text.utf8.count > count else { return text }
        var shorter = Substring()
        var size = 0
        for character in text {
            size += character.utf8.count
            if size > count { break }
            shorter.append(character)
        }
        while shorter.last == "/" || shorter.last == " " { shorter.removeLast() }
        return shorter.isEmpty ? "untitled" : String(shorter)
    }
}
