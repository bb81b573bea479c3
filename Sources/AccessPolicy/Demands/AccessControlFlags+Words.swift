extension AccessControlFlags {
    /// The words of a flags text, with `none` for an access control without flags.
    package static let words = named.map { $0.name } + ["none"]

    /// Returns the words of `text` that are not flags.
    package static func unknownWords(in text: String) -> [String] {
        split(text).map { String($0) }.filter { !words.contains($0) }
    }

    /// Creates flags from a text such as `biometryAny or devicePasscode`. Unknown words are ignored.
    package init(written text: String) {
        self = Self.split(text).reduce(into: []) { flags, word in
            if let flag = Self.named.first(where: { $0.name == word })?.flag { flags.insert(flag) }
        }
    }

    /// Returns the words of a text. From the 65th on they stay together, since there are far fewer flags.
    private static func split(_ text: String) -> [Substring] { text.split(separator: " ", maxSplits: 64) }
}
