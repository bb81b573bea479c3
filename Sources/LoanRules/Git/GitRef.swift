/// The name of a ref, such as `refs/heads/main`. Its letters are in ASCII, so that every reader understands them alike.
package struct GitRef: Hashable, Sendable {
    /// The full name.
    package let name: String

    /// The most bytes of a name.
    package static let longest = 250

    /// Reads a full name; nil for one that git would not create, or that has other letters.
    package init?(_ name: String) {
        let bytes = Array(name.utf8)
        guard name.hasPrefix("refs/"), bytes.count <= Self.longest, bytes.last != UInt8(ascii: "."),
            bytes.allSatisfy({ 0x21...0x7E ~= $0 && !Self.refused.contains($0) }),
            !Self.holds(bytes, "..".utf8), !Self.holds(bytes, "@{".utf8)
        else { return nil }
        let parts = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count > 2, parts.allSatisfy({ Self.isPart($0) }) else { return nil }
        self.name = name
    }

    private static let refused = Array("~^:?*[\\".utf8)

    private static func isPart(_ part: ArraySlice<UInt8>) -> Bool {
        !part.isEmpty && part.first != UInt8(ascii: ".") && !part.reversed().starts(with: "kcol.".utf8)
    }

    private static func holds(_ bytes: [UInt8], _ pair: String.UTF8View) -> Bool {
        let pair = Array(pair)
        return zip(bytes, bytes.dropFirst()).contains { $0 == pair[0] && $1 == pair[1] }
    }

    /// The name as people say it: without `refs/heads/`, and of a tag without `refs/`.
    package var short: String { Self.short(name) }

    static func short(_ name: String) -> String {
        if name.hasPrefix("refs/heads/") && !name.hasPrefix("refs/heads/tags/") && !name.hasPrefix("refs/heads/refs/") {
            return String(name.dropFirst(11))
        }
        return name.hasPrefix("refs/tags/") ? String(name.dropFirst(5)) : name
    }
}
