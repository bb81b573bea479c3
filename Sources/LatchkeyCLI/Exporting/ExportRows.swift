internal import AgentProtocol
internal import PlainText
internal import SecretTools
internal import SodiumKit

/// A format of an export that is one file.
protocol ExportRows: Sendable {
    /// Reads every secret. Returns the file, which is in guarded memory as a whole.
    func file(of reading: inout ExportReading) throws -> SecureBytes
}

/// The formats of CSV files.
struct CSVRows: ExportRows {
    let kind: CSVExport

    func file(of reading: inout ExportReading) throws -> SecureBytes {
        var file = try SecureBuffer(capacity: 4096)
        try kind.appendHeader(to: &file)
        while let entry = reading.next() {
            guard let name = reading.name(of: entry) else { continue }
            let secret: SecureBytes
            switch try reading.read(name.text) {
            case .some(let bytes): secret = bytes
            case .none: continue
            }
            guard ExportedSecret.isText(secret) else {
                reading.leaveOut(name.text, "it is not text; `latchkey export json` takes it")
                continue
            }
            let fields = try reading.fields(of: name.text) { ExportReading.hasPlace($0, $1) }
            // Notes that are a secret of their own have a line of their own if there is a field of that name.
            let hasNotes = fields.contains { $0.name == FieldName.notes }
            let notes = hasNotes ? nil : try reading.part("notes", of: name) { ExportedSecret.isText($0) }
            let otp = try reading.part("otp", of: name) { ExportedSecret.isSeed($0) }
            let exported = ExportedSecret(
                name: name, secret: secret, fields: fields, notes: notes, otp: otp, comment: entry.comment)
            try kind.append(exported, to: &file)
            reading.written += 1
        }
        return try file.bytes()
    }
}

/// A JSON array, with one object for each secret.
struct JSONRows: ExportRows {
    func file(of reading: inout ExportReading) throws -> SecureBytes {
        var file = try SecureBuffer(capacity: 4096)
        try file.append(text: "[\n")
        while let entry = reading.next() {
            let secret: SecureBytes
            switch try reading.read(entry.name) {
            case .some(let bytes): secret = bytes
            case .none: continue
            }
            let fields = try reading.fields(of: entry.name) { ExportedSecret.isText($1) }
            if reading.written > 0 { try file.append(text: ",\n") }
            reading.written += 1
            // The object of `latchkey list --json`, with one more member.
            try file.append(text: String(entry.head.text.dropLast()) + ",")
            if ExportedSecret.isText(secret) {
                try file.append(text: "\"value\":")
                _ = try secret.withBytes { try file.append(json: $0) }
            } else {
                try file.append(text: "\"value-base64\":\"")
                let text = try secret.base64(.standard)
                try text.withBytes { try file.append($0) }
                try file.append(text: "\"")
            }
            for (place, field) in fields.enumerated() {
                try file.append(text: (place == 0 ? ",\"fields\":{" : ",") + JSON.string(field.name).text + ":")
                _ = try field.bytes.withBytes { try file.append(json: $0) }
            }
            try file.append(text: fields.isEmpty ? "}" : "}}")
        }
        try file.append(text: "\n]\n")
        return try file.bytes()
    }
}
