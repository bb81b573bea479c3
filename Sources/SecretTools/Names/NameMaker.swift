/// Makes names of titles that somebody else chose, each only once.
struct NameMaker {
    private var taken: Set<String> = []
    private var repeats: [String: Int] = [:]

    /// A name for what is called `title` in `folder`, whose parts are separated by slashes. A second one gets ` (2)`.
    mutating func name(folder: String = "", title: String) -> String {
        let parts = folder.split(separator: "/").map { Self.part($0) } + [Self.part(title[...], else: "untitled")]
        // A repeat has to fit as well.
        let wanted = Self.shortened(parts.filter { !$0.isEmpty }.joined(separator: "/"), to: SecretName.longest - 16)
        if taken.insert(wanted).inserted { return wanted }
        while true {
            let count = repeats[wanted, default: 1] + 1
            repeats[wanted] = count
            let other = "\(wanted) (\(count))"
            if taken.insert(other).inserted { return other }
        }
    }

    /// The name that is meant by a text that is none.
    static func cleaned(_ text: String) -> String {
        shortened(
            text.split(separator: "/").map { part($0) }.filter { !$0.isEmpty }.joined(separator: "/"),
            to: SecretName.longest)
    }

    /// A text as one part of a name: slashes and invisible characters are replaced.
    private static func part(_ text: Substring, else nothing: String = "") -> String {
        var part = String.UnicodeScalarView()
        // Nothing beyond that is kept in the end.
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
