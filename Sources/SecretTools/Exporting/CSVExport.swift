package import SodiumKit

/// A CSV file for another password manager, or for `latchkey import csv`. Every cell is quoted.
package enum CSVExport: CaseIterable, Sendable {
    /// The columns that our import reads back, the comment included.
    case own
    case keePassXC

    private var header: [String] {
        switch self {
        case .own:
            ["folder", "name", "username", "password", "url", "notes", "otpauth"]
                + [CSVImport.ownCommentColumn, CSVImport.ownFieldsColumn]
        case .keePassXC: ["Group", "Title", "Username", "Password", "URL", "Notes", "TOTP"]
        }
    }

    /// Appends the first line, which names the columns.
    package func appendHeader(to file: inout SecureBuffer) throws(SodiumError) {
        for (place, name) in header.enumerated() {
            if place > 0 { try file.append(UInt8(ascii: ",")) }
            try file.append(cell: name)
        }
        try file.append(0x0A)
    }

    /// Appends the line of a secret, whose bytes have to be text.
    package func append(_ secret: ExportedSecret, to file: inout SecureBuffer) throws(SodiumError) {
        let parts = secret.parts
        try file.append(cell: secret.name.parent?.text ?? "")
        try file.appendNext(cell: String(secret.name.parts.last ?? ""))
        try file.append(UInt8(ascii: ","))
        try file.append(cell: secret.field(FieldName.user), else: parts.user)
        try file.append(UInt8(ascii: ","))
        try secret.secret.withBytes { (bytes) throws(SodiumError) in try file.append(cell: bytes) }
        try file.append(UInt8(ascii: ","))
        try file.append(cell: secret.field(FieldName.url), else: parts.url)
        try file.append(UInt8(ascii: ","))
        let notes = secret.field(FieldName.notes)
        switch self {
        case .own:
            if let notes { try file.append(cell: notes, else: "") } else { try file.append(cell: secret.notes) }
        case .keePassXC:
            // Its entries have no comment that is not secret.
            try file.append(UInt8(ascii: "\""))
            let rest = secret.restOfComment
            try file.append(quoted: rest.utf8)
            let isBoth = !rest.isEmpty && (notes != nil || secret.hasNotes)
            if isBoth { try file.append(0x0A) }
            if let notes {
                try notes.bytes.withBytes { (bytes) throws(SodiumError) in try file.append(quoted: bytes) }
            } else {
                try file.append(quoted: secret.notes)
            }
            try file.append(UInt8(ascii: "\""))
        }
        try file.append(UInt8(ascii: ","))
        try file.append(cell: secret.otp)
        switch self {
        case .own:
            try file.appendNext(cell: secret.comment)
            try file.appendNext(cell: secret.fields.map { $0.name }.joined(separator: " "))
        case .keePassXC: break
        }
        try file.append(0x0A)
    }
}

extension ExportedSecret {
    /// True if there are notes.
    var hasNotes: Bool {
        switch notes {
        case .some(let notes): notes.count > 0
        case .none: false
        }
    }
}

extension SecureBuffer {
    fileprivate mutating func append(cell text: String) throws(SodiumError) {
        try append(UInt8(ascii: "\""))
        try append(quoted: text.utf8)
        try append(UInt8(ascii: "\""))
    }

    fileprivate mutating func appendNext(cell text: String) throws(SodiumError) {
        try append(UInt8(ascii: ","))
        try append(cell: text)
    }

    fileprivate mutating func append(cell bytes: RawSpan) throws(SodiumError) {
        try append(UInt8(ascii: "\""))
        try append(quoted: bytes)
        try append(UInt8(ascii: "\""))
    }

    /// Appends the contents of a field, or a text if there is no field.
    fileprivate mutating func append(cell field: SecretField?, else text: String) throws(SodiumError) {
        guard let field else { return try append(cell: text) }
        try field.bytes.withBytes { (bytes) throws(SodiumError) in try append(cell: bytes) }
    }

    fileprivate mutating func append(cell bytes: borrowing SecureBytes?) throws(SodiumError) {
        try append(UInt8(ascii: "\""))
        try append(quoted: bytes)
        try append(UInt8(ascii: "\""))
    }

    fileprivate mutating func append(quoted bytes: borrowing SecureBytes?) throws(SodiumError) {
        switch bytes {
        case .some(let bytes): try bytes.withBytes { (bytes) throws(SodiumError) in try append(quoted: bytes) }
        case .none: break
        }
    }

    fileprivate mutating func append(quoted bytes: RawSpan) throws(SodiumError) {
        for place in 0..<bytes.byteCount { try append(quoted: bytes.byte(at: place)) }
    }

    fileprivate mutating func append(quoted text: String.UTF8View) throws(SodiumError) {
        for byte in text { try append(quoted: byte) }
    }

    private mutating func append(quoted byte: UInt8) throws(SodiumError) {
        if byte == UInt8(ascii: "\"") { try append(byte) }
        try append(byte)
    }
}
