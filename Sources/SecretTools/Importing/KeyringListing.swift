internal import PlainText
package import SodiumKit

/// What `secret-tool search --all --unlock` prints of a keyring of the desktop.
///
/// An entry is a line `[/…]`, `label = …`, `secret = …`, `created = …` and `modified = …` with times, perhaps `schema = …`, and
/// lines `attribute.NAME = …`, which are among its errors. It prints secrets as they are, also of several lines. So a secret ends before
/// the times that are followed by the rest of an entry and then by another entry or the end; where that holds at several places
/// of an entry it is refused. A secret that holds whole entries cannot be told from these.
package enum KeyringListing: Sendable {
    /// What `secret-tool` finds by these attributes; it wants at least one. Its attributes come among its errors, so that these
    /// are read as well.
    package static func search(_ attributes: [ImportedSecret.Attribute]) throws(ImportError) -> SecureBytes {
        let words = attributes.flatMap { [$0.name, $0.value] }
        // In another character set it would print labels with question marks.
        return try ProgramOutput.read(
            ["secret-tool", "search", "--all", "--unlock"] + words, errors: .withOutput, changes: ["LC_ALL": "C.UTF-8"])
    }

    /// The secrets of such a listing. What stands before the first entry is left out: libraries warn there.
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

/// Where the lines of a listing are.
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

    /// Returns true if the two lines with times are here, and behind them the rest of an entry, another one or the end.
    func isEndOfSecret(_ place: Int, _ bytes: RawSpan) -> Bool {
        guard isTime(place, "created = ", bytes), isTime(place + 1, "modified = ", bytes) else { return false }
        let next = place + 2
        return next == count || isHead(next, bytes) || starts(next, with: "schema = ", bytes)
            || starts(next, with: "attribute.", bytes) || isComplaint(next, bytes)
    }

    /// Returns true if the program itself speaks here: of a keyring that stayed locked.
    func isComplaint(_ place: Int, _ bytes: RawSpan) -> Bool { starts(place, with: "secret-tool: ", bytes) }

    /// `2026-01-31 23:59:59`
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
    /// The line the secret starts at; nil where it was not to be had.
    private let secret: Int?
    /// The line behind the secret.
    private let times: Int
    /// The line behind the entry.
    private let end: Int

    init(at head: Int, _ lines: Lines, _ bytes: RawSpan) throws(ImportError) {
        self.head = head
        // The label may have several lines as well.
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

    /// Adds it to what was found, and gives the line behind it.
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
        let imported = try importing { () throws(SodiumError) in
            ImportedSecret(
                name: name, secret: try SecureBytes(copying: value),
                user: Self.first(["user", "username", "username_value", "account", "login"], attributes),
                url: Self.first(["url", "origin_url", "server", "host", "domain", "service"], attributes),
                attributes: attributes)
        }
        found.secrets.append(imported)
        return end
    }

    /// The lines behind the times, each perhaps with more lines of its value below.
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
            // What the schema is called when it is searched for.
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
