package import SodiumKit

/// A secret on its way into a file of another password manager.
package final class ExportedSecret: Sendable {
    package let name: SecretName
    package let secret: SecureBytes
    /// The fields that other programs have a place for: user name, URL and notes.
    package let fields: [SecretField]
    /// The notes, which are a secret of their own in the vault, `NAME/notes`.
    package let notes: SecureBytes?
    /// The seed of one-time codes, which is a secret of its own in the vault, `NAME/otp`.
    package let otp: SecureBytes?
    /// The comment, which is not secret.
    package let comment: String

    package init(
        name: SecretName, secret: consuming SecureBytes, fields: [SecretField] = [],
        notes: consuming SecureBytes? = nil, otp: consuming SecureBytes? = nil, comment: String = ""
    ) {
        self.name = name
        self.secret = secret
        self.fields = fields
        self.notes = notes
        self.otp = otp
        self.comment = comment
    }

    /// The names of the fields that a format of other programs can have.
    package static let fieldNames = [FieldName.user, FieldName.url, FieldName.notes]

    /// Returns the field of this name; nil if there is none.
    func field(_ name: String) -> SecretField? { fields.first { $0.name == name } }

    /// The text of the comment that no field and no column for a user name or a URL has.
    var restOfComment: String {
        let parts = parts
        let user = field(FieldName.user).map { $0.holds(parts.user) ? "" : parts.user } ?? ""
        let url = field(FieldName.url).map { $0.holds(parts.url) ? "" : parts.url } ?? ""
        return [user, parts.rest, url].filter { !$0.isEmpty }.joined(separator: ", ")
    }

    package var parts: CommentParts { CommentParts(comment) }

    /// Returns true if a file of text can hold these bytes: they are UTF-8, without a zero byte.
    package static func isText(_ bytes: borrowing SecureBytes) -> Bool { bytes.withBytes { $0.isText } }

    /// Returns true if these bytes are one line, and not an empty one.
    package static func isOneLine(_ bytes: borrowing SecureBytes) -> Bool {
        bytes.count > 0 && bytes.withBytes { $0.isOneLine }
    }

    /// Returns true if these bytes are the URL of a seed of one-time codes.
    package static func isSeed(_ bytes: borrowing SecureBytes) -> Bool {
        bytes.withBytes { $0.starts(with: "otpauth://") && $0.isOneLine }
    }
}

/// The user name and the URL in a comment, which an import puts there as `USER, URL`. Anything else is the rest.
package struct CommentParts: Hashable, Sendable {
    /// The user name; empty if there is none.
    package private(set) var user = ""
    /// The URL; empty if there is none.
    package private(set) var url = ""
    /// The text that is neither.
    package private(set) var rest = ""

    package init(_ comment: String) {
        var front = comment
        let back = comment.lastIndex(of: ",").map { comment[comment.index(after: $0)...] } ?? comment[...]
        let last = back.drop { $0 == " " }
        if last.contains("://") && Self.isWord(last) {
            url = String(last)
            front = String(comment.dropLast(last.count))
            while front.last == " " || front.last == "," { front.removeLast() }
        }
        if Self.isWord(front[...]) { user = front } else { rest = front }
    }

    private static func isWord(_ text: Substring) -> Bool { !text.contains { $0.isWhitespace || $0 == "," } }
}

extension RawSpan {
    /// True if the bytes are UTF-8 without a zero byte. No copy is made of them.
    var isText: Bool {
        for place in 0..<byteCount where byte(at: place) == 0 { return false }
        return withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: UInt8.self) { (try? UTF8Span(validating: $0.span)) != nil }
        }
    }

    /// True if the bytes have no line end.
    var isOneLine: Bool {
        for place in 0..<byteCount where byte(at: place) == 0x0A || byte(at: place) == 0x0D { return false }
        return true
    }
}
