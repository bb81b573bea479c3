package import SodiumKit

/// An import of the CSV files that browsers and password managers export.
///
/// It knows the columns of Chrome, Edge, Firefox, Bitwarden, 1Password, KeePassXC, LastPass and Apple's Passwords. Other files
/// work if their first line names the columns.
package struct CSVImport: Hashable, Sendable {
    /// The meaning of a column.
    package enum Role: CaseIterable, Hashable, Sendable {
        case name
        case folder
        case secret
        case user
        /// The URL at which the secret is used.
        case url
        /// Notes.
        case comment
        /// The seed of one-time codes. It becomes a secret of its own, called `otp`, in a folder with the name of the other one.
        case otp
        /// Fields, one on each line, as `NAME: value`.
        case fields
        /// The comment that is not secret, which only our export writes.
        case ownComment
        /// The names of the fields in the other columns, which only our export writes.
        case ownFields

        fileprivate var known: [String] {
            switch self {
            case .name: ["name", "title"]
            case .folder: ["folder", "group", "grouping"]
            case .secret: ["password", "login_password"]
            case .user: ["username", "login_username", "user", "login"]
            case .url: ["url", "website", "login_uri", "web site", "hostname"]
            case .comment: ["note", "notes", "comment", "comments", "extra"]
            case .otp: ["otpauth", "totp", "login_totp", "otp"]
            case .fields: ["fields"]
            case .ownComment: [CSVImport.ownCommentColumn]
            case .ownFields: [CSVImport.ownFieldsColumn]
            }
        }

        fileprivate var word: String {
            switch self {
            case .name: "name"
            case .folder: "folder"
            case .secret: "secret"
            case .user: "user name"
            case .url: "URL"
            case .comment: "notes"
            case .otp: "seed of one-time codes"
            case .fields: "fields"
            case .ownComment: "comment"
            case .ownFields: "names of fields"
            }
        }
    }

    /// The column of a comment that is not secret. Only our export writes it.
    static let ownCommentColumn = "latchkey_comment"
    /// The column that says which other columns are fields. Only our export writes it.
    static let ownFieldsColumn = "latchkey_fields"

    /// The columns that the caller names.
    package var columns: [Role: String]

    /// Creates an import that finds the columns itself, except for the named ones.
    package init(columns: [Role: String] = [:]) { self.columns = columns }

    /// Returns the secrets in a file. User name, URL, notes and other fields become fields. If a row has no secret but notes or
    /// other fields, these become the secret; a row without any is skipped.
    ///
    /// - Throws: `ImportError` if the file is malformed or JSON, or a column is missing.
    package func secrets(in file: borrowing SecureBytes) throws(ImportError) -> ImportedSecrets {
        try file.withBytes { (bytes) throws(ImportError) in try secrets(in: bytes) }
    }

    private func secrets(in bytes: RawSpan) throws(ImportError) -> ImportedSecrets {
        if Self.isJSON(bytes) { throw .json }
        var reader = try CSVReader(bytes)
        var cells: [CSVReader.Cell] = []
        guard let first = try reader.next(bytes, into: &cells) else { throw .noHeader }
        var header: [String] = []
        for cell in cells { header.append(try cell.text(bytes, line: first)) }
        let places = try places(in: header)
        let left = header.indices.filter { place in !places.values.contains(place) }
        var used: Set<Int> = []
        var found = ImportedSecrets()
        while let line = try reader.next(bytes, into: &cells) {
            guard cells.count == header.count else { throw .line(line, .cells(cells.count, header: header.count)) }
            try Row(line: line, cells: cells, places: places).add(to: &found, bytes)
            for place in left where !cells[place].bytes.isEmpty { used.insert(place) }
        }
        found.columnsLeft = used.sorted().map { header[$0] }
        return found
    }

    /// Returns true if the file begins as JSON does, and no table.
    private static func isJSON(_ bytes: RawSpan) -> Bool {
        var place = bytes.starts(with: "\u{FEFF}") ? 3 : 0
        while place < bytes.byteCount, [0x20, 0x09, 0x0A, 0x0D].contains(bytes.byte(at: place)) { place += 1 }
        return place < bytes.byteCount && [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(bytes.byte(at: place))
    }

    /// Returns the place of each column. Errors contain nothing of the first line, which may be a row with a secret. Names are
    /// compared without regard to case and surrounding spaces.
    private func places(in header: [String]) throws(ImportError) -> [Role: Int] {
        let words = header.map(Self.folded)
        var places: [Role: Int] = [:]
        for role in Role.allCases {
            if let named = columns[role] {
                guard let place = header.firstIndex(of: named) ?? words.firstIndex(of: Self.folded(named)) else {
                    throw .noSuchColumn(named)
                }
                places[role] = place
            } else {
                for word in role.known where places[role] == nil { places[role] = words.firstIndex(of: word) }
            }
        }
        if places[.secret] == nil { throw .noColumn(Role.secret.word, known: Role.secret.known) }
        if places[.name] == nil && places[.url] == nil {
            throw .noColumn(Role.name.word, known: Role.name.known + Role.url.known)
        }
        return places
    }

    private static func folded(_ text: String) -> String {
        var text = text[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return text.lowercased()
    }
}

/// One row of the file.
private struct Row {
    let line: Int
    let cells: [CSVReader.Cell]
    let places: [CSVImport.Role: Int]

    func add(to found: inout ImportedSecrets, _ bytes: RawSpan) throws(ImportError) {
        let user = try text(.user, bytes)
        let url = try text(.url, bytes)
        var title = try text(.name, bytes)
        if title.isEmpty { title = host(of: url) }
        // Some password managers separate folders by a backslash.
        let folder = String(try text(.folder, bytes).map { $0 == "\\" ? "/" : $0 })
        // The text in place of a missing secret.
        let source = [CSVImport.Role.secret, .comment].first { !isEmpty($0) } ?? (isEmpty(.otp) ? .fields : nil)
        if let source, isEmpty(source) {
            found.skipped.append("line \(line): no secret")
            return
        }
        let name = try found.name(folder: folder, title: title)
        if let source {
            let notesAreField = try isField(FieldName.notes, bytes)
            let isApart = places[.ownComment] != nil && source != .comment && !notesAreField
            found.secrets.append(
                ImportedSecret(
                    name: name, secret: try secret(source, bytes),
                    fields: try fields(besides: source, hasNotes: !isApart, bytes),
                    comment: isApart && !isEmpty(.comment) ? try secret(.comment, bytes) : nil, user: user, url: url,
                    ownComment: try text(.ownComment, bytes)))
        }
        if !isEmpty(.otp) {
            let otp = try found.name(folder: name.text, title: "otp")
            let seed = try secret(.otp, bytes)
            // A file of our export brings back whatever the vault held.
            if places[.ownComment] == nil, let mistake = seed.withBytes({ OneTimeSeed.mistake(in: $0) }) {
                found.skipped.append("line \(line), \(otp.text): \(mistake)")
                return
            }
            found.secrets.append(ImportedSecret(name: otp, secret: seed, user: user, url: url))
        }
    }

    /// Returns true if a column is a field. In a file of our export, it may come from the comment, or be a secret of its own.
    private func isField(_ name: String, _ bytes: RawSpan) throws(ImportError) -> Bool {
        guard places[.ownComment] != nil else { return true }
        return try text(.ownFields, bytes).split(separator: " ").contains { $0 == name }
    }

    private func fields(
        besides source: CSVImport.Role, hasNotes: Bool, _ bytes: RawSpan
    ) throws(ImportError) -> [SecretField] {
        var fields: [SecretField] = []
        let columns = [(CSVImport.Role.user, FieldName.user), (.url, FieldName.url), (.comment, FieldName.notes)]
        for (role, name) in columns where role != source && !isEmpty(role) {
            guard try isField(name, bytes), role != .comment || hasNotes else { continue }
            fields.append(SecretField(name, try secret(role, bytes)))
        }
        if source != .fields && !isEmpty(.fields) {
            let lines = try secret(.fields, bytes)
            try importing(lines.withBytes { (lines) throws(SodiumError) in try FieldLines.add(lines, to: &fields) })
        }
        return fields
    }

    private func isEmpty(_ role: CSVImport.Role) -> Bool { places[role].map { cells[$0].bytes.isEmpty } ?? true }

    private func text(_ role: CSVImport.Role, _ bytes: RawSpan) throws(ImportError) -> String {
        guard let place = places[role] else { return "" }
        return try cells[place].text(bytes, line: line)
    }

    private func secret(_ role: CSVImport.Role, _ bytes: RawSpan) throws(ImportError) -> SecureBytes {
        guard let place = places[role] else { return try importing(SecureBytes(count: 0)) }
        return try importing(cells[place].secret(bytes))
    }

    /// Returns the host of a URL; the whole text if it has none.
    private func host(of url: String) -> String {
        var rest = url[...]
        if let sign = rest.firstRange(of: "://") { rest = rest[sign.upperBound...] }
        rest = rest.prefix { !"/?#".contains($0) }
        if let at = rest.lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
        return rest.isEmpty ? url : String(rest)
    }
}
