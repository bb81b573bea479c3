package import AccessPolicy

extension AccessControlFlags {
    /// The words that flags are written with.
    package static let words = named.map(\.name) + ["none"]

    /// The words of `text` that are no flags.
    package static func unknownWords(in text: String) -> [String] {
        split(text).map(String.init).filter { !words.contains($0) }
    }

    /// The flags that are written so, as `biometryAny or devicePasscode`; words that are no flags are left out.
    package init(written text: String) {
        self = Self.split(text).reduce(into: []) { flags, word in
            if let flag = Self.named.first(where: { $0.name == word })?.flag { flags.insert(flag) }
        }
    }

    /// The words; many more than there are flags are left together.
    private static func split(_ text: String) -> [Substring] { text.split(separator: " ", maxSplits: 64) }
}
