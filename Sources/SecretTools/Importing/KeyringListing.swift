internal import PlainText
package import SodiumKit

/// A reader of the output of `secret-tool search --all --unlock`, which prints the desktop keyring.
///
/// An entry is a line `[/…]`, then `label = …`, `secret = …`, `created = …` and `modified = …` with times, perhaps `schema = …`,
/// and lines `attribute.NAME = …`, which the program prints to standard error.
///
/// Secrets are printed as they are, even if they have several lines. So a secret ends before the times that are followed by the
/// rest of an entry, and then by another entry or the end. If that is so at several places of an entry, it is refused. A secret
/// that contains whole entries cannot be distinguished from them.
package enum KeyringListing: Sendable {
    /// Runs `secret-tool` and returns what it finds by these attributes, of which it needs at least one. Its standard error is
    /// included, because it prints attributes there.
    ///
    /// - Throws: `ImportError` if the program cannot be started, or fails.
    package static func search(_ attributes: [ImportedSecret.Attribute]) throws(ImportError) -> SecureBytes {
        let words = attributes.flatMap { [$0.name, $0.value] }
        // In another character set, the program would print question marks in labels.
        return try ProgramOutput.read(
            ["secret-tool", "search", "--all", "--unlock"] + words, errors: .withOutput, changes: ["LC_ALL": "C.UTF-8"])
    }

    /// Returns the secrets in a listing. Text before the first entry is ignored: libraries print warnings there.
    ///
    /// - Throws: `ImportError` if an entry has no end, or no clear one.
    package static func secrets(in listing: borrowing SecureBytes) throws(ImportError) -> ImportedSecrets {
        try listing.withBytes { (bytes) throws(ImportError) in
            let lines = Lines(bytes)
            var found = ImportedSecrets()
            var place = 0
            while place < lines.count, !lines.isHead(place, bytes) { place += 1 }
            while place < lines.count { place = try Entry(at: place, lines, bytes).add(to: &found, lines, bytes) }
            return found
        }
    }
}

/// The places of the lines in a listing.
private struct Lines {
    private var ranges: [Range<Int>] = []

    init(_ bytes: RawSpan) {
        var start = 0
        for place in 0..<bytes.byteCount where bytes.byte(at: place) == 0x0A {
            ranges.append(start..<place)
            start = place + 1
        }
        if start < bytes.byteCount { ranges.append(start..<bytes.byteCount) }
    }

    var count: Int { ranges.count }

    subscript(place: Int) -> Range<Int> { ranges[place] }

    func starts(_ place: Int, with text: StaticString, _ bytes: RawSpan) -> Bool {
        place < count && bytes.extracting(ranges[place]).starts(with: text)
    }

    /// Returns true if an entry starts here.
    func isHead(_ place: Int, _ bytes: RawSpan) -> Bool {
        guard starts(place, with: "[/", bytes), starts(place + 1, with: "label = ", bytes) else { return false }
        let line = ranges[place]
        guard bytes.byte(at: line.upperBound - 1) == UInt8(ascii: "]") else { return false }
        return (line.lowerBound + 1..<line.upperBound - 1).allSatisfy {
            let byte = bytes.byte(at: $0)
            return byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26
                || [UInt8(ascii: "_"), UInt8(ascii: "/")].contains(byte)
        }
    }

    /// Returns true if the two lines with times are here, followed by the rest of an entry, another entry or the end.
    func isEndOfSecret(_ place: Int, _ bytes: RawSpan) -> Bool {
        guard isTime(place, "created = ", bytes), isTime(place + 1, "modified = ", bytes) else { return false }
        let next = place + 2
        return next == count || isHead(next, bytes) || starts(next, with: "schema = ", bytes)
            || starts(next, with: "attribute.", bytes) || isComplaint(next, bytes)
    }

    /// Returns true if this line is a message of the program itself, about a keyring that stayed locked.
    func isComplaint(_ place: Int, _ bytes: RawSpan) -> Bool { starts(place, with: "secret-tool: ", bytes) }

    /// Returns true if the line is `key` with a time such as `2026-01-31 23:59:59`.
    private func isTime(_ place: Int, _ key: StaticString, _ bytes: RawSpan) -> Bool {
        let form: StaticString = "0000-00-00 00:00:00"
        guard starts(place, with: key, bytes) else { return false }
        let start = ranges[place].lowerBound + key.utf8CodeUnitCount
        guard ranges[place].upperBound - start == form.utf8CodeUnitCount else { return false }
        return (0..<form.utf8CodeUnitCount).allSatisfy {
            let (byte, wanted) = (bytes.byte(at: start + $0), form.utf8Start[$0])
            return wanted == 0x30 ? byte &- 0x30 < 10 : byte == wanted
        }
    }
}

/// One entry of a listing.
private struct Entry {
    private let head: Int
    /// The line where the secret starts; nil if the keyring did not give it.
    private let secret: Int?
    /// The line after the secret.
    private let times: Int
    /// The line after the entry.
    private let end: Int

    init(at head: Int, _ lines: Lines, _ bytes: RawSpan) throws(ImportError) {
        self.head = head
        // The label may have several lines, too.
        var place = head + 2
        while place < lines.count, !lines.starts(place, with: "secret = ", bytes), !lines.isEndOfSecret(place, bytes) {
            place += 1
        }
        secret = lines.starts(place, with: "secret = ", bytes) ? place : nil
        while place < lines.count, !lines.isEndOfSecret(place, bytes) { place += 1 }
        guard place < lines.count else { throw .line(head + 1, .openEntry) }
        times = place
        place += 2
        while place < lines.count, !lines.isHead(place, bytes) {
            if lines.isEndOfSecret(place, bytes) { throw .line(head + 1, .unclearEnd) }
            place += 1
        }
        end = place
    }

    /// Adds the entry to `found`, and returns the line after it.
    func add(to found: inout ImportedSecrets, _ lines: Lines, _ bytes: RawSpan) throws(ImportError) -> Int {
        let label = try text(head + 1, "label = ", upTo: secret ?? times, lines, bytes)
        guard let secret else {
            found.skipped.append("\(Terminal.line(label, longest: 200)): locked")
            return end
        }
        let start = lines[secret].lowerBound + "secret = ".utf8.count
        let value = bytes.extracting(start..<lines[times - 1].upperBound)
        if value.byteCount == 0 {
            found.skipped.append("\(Terminal.line(label, longest: 200)): no secret")
            return end
        }
        let attributes = try attributes(lines, bytes)
        let name = try found.name(title: label)
        let imported = try importing(
            ImportedSecret(
                name: name, secret: SecureBytes(copying: value),
                user: Self.first(["user", "username", "username_value", "account", "login"], attributes),
                url: Self.first(["url", "origin_url", "server", "host", "domain", "service"], attributes),
                attributes: attributes))
        found.secrets.append(imported)
        return end
    }

    /// Returns the attributes after the times. A value may have several lines.
    private func attributes(_ lines: Lines, _ bytes: RawSpan) throws(ImportError) -> [ImportedSecret.Attribute] {
        var attributes: [ImportedSecret.Attribute] = []
        var place = times + 2
        while place < end {
            var next = place + 1
            while next < end, !lines.starts(next, with: "attribute.", bytes), !lines.isComplaint(next, bytes) {
                next += 1
            }
            let line = try text(place, "", upTo: next, lines, bytes)
            place = next
            guard !line.hasPrefix("secret-tool: "), let sign = line.firstRange(of: " = ") else { continue }
            let key = line[..<sign.lowerBound]
            // A search has another name for the schema than the listing. Use that of the search.
            let name = key == "schema" ? "xdg:schema" : key.dropFirst("attribute.".count)
            attributes.append(ImportedSecret.Attribute(String(name), String(line[sign.upperBound...])))
        }
        return attributes
    }

    private func text(
        _ place: Int, _ key: StaticString, upTo next: Int, _ lines: Lines, _ bytes: RawSpan
    ) throws(ImportError) -> String {
        let range = lines[place].lowerBound + key.utf8CodeUnitCount..<lines[next - 1].upperBound
        guard let text = bytes.extracting(range).text() else { throw .line(place + 1, .noText) }
        return text
    }

    private static func first(_ names: [String], _ attributes: [ImportedSecret.Attribute]) -> String {
        for name in names {
            if let attribute = attributes.first(where: { $0.name == name }) { return attribute.value }
        }
        return ""
    }
}
