extension CheckedRequest {
    /// Writes the head for the server: the checked method and target, the Host of the server, your fields, the fields that are passed
    /// on, and the framing.
    ///
    /// It leaves out a field of the client that has the name of one of yours. It keeps no copy of a value. On an error, `output` may
    /// hold a part of the head, so wipe it in any case.
    ///
    /// - Parameters:
    ///   - origin: The server.
    ///   - own: Your fields, such as the credential.
    ///   - values: The memory that holds the values of your fields.
    ///   - bytes: The buffer that was checked, unchanged.
    ///   - output: The memory for the head.
    /// - Throws: ``WireRefusal`` with `outputTooSmall`, or `ownFieldForm` if one of your fields is malformed: a value with a line end
    ///   would add fields of an attacker's choice.
    package func write(
        to origin: WireOrigin, own: [OwnField], values: RawSpan, from bytes: RawSpan,
        into output: inout OutputSpan<UInt8>
    ) throws(WireRefusal) {
        for field in own where !Self.isFit(field, values) { throw WireRefusal(.request, .ownFieldForm) }
        try output.put(bytes, head.method, .request)
        try output.put(" ", .request)
        try writeTarget(from: bytes, into: &output)
        try output.put(" HTTP/1.1\r\nhost: ", .request)
        try output.put(origin.authority, .request)
        try output.put("\r\n", .request)
        for field in own {
            try output.put(Array(field.name.utf8), .request)
            try output.put(": ", .request)
            try output.put(values, field.value, .request)
            try output.put("\r\n", .request)
        }
        for field in fields where !own.contains(where: { Self.agree($0.name, field.name, in: bytes) }) {
            try output.put(field, from: bytes, .request)
        }
        // An answer in another encoding could hide an echo of the credential.
        try output.put("accept-encoding: identity\r\n", .request)
        try output.put(framing, .request)
        try output.put("\r\n", .request)
    }

    /// Writes the target: the path, and the query without its credentials.
    package func writeTarget(from bytes: RawSpan, into output: inout OutputSpan<UInt8>) throws(WireRefusal) {
        try output.put(bytes, head.path, .request)
        guard let query = head.query else { return }
        var pieces = QueryPieces(query)
        var isFirst = true
        while let (piece, isKept) = pieces.next(in: bytes) {
            guard isKept else { continue }
            if isFirst { try output.put("?", .request) }
            try output.put(bytes, (isFirst ? piece.lowerBound : piece.lowerBound - 1)..<piece.upperBound, .request)
            isFirst = false
        }
    }

    /// Returns true if a field that the proxy adds has a name that may be added and a value on one line.
    private static func isFit(_ field: OwnField, _ values: RawSpan) -> Bool {
        let name = Array(field.name.utf8)
        guard !name.isEmpty, field.value.lowerBound >= 0, field.value.upperBound <= values.byteCount,
            !field.value.isEmpty,
            values.trimmed(field.value) == field.value, values.all(in: field.value, { $0.isFieldValue })
        else { return false }
        for byte in name where !byte.isToken { return false }
        let known = KnownField.named(0..<name.count, in: name.span.bytes)
        // The writer itself writes these.
        return known.map { $0.use(.request) != .own && $0 != .upgrade } ?? true
    }

    /// Returns true if a server could take two names for the same.
    private static func agree(_ name: String, _ range: Range<Int>, in bytes: RawSpan) -> Bool {
        var place = range.lowerBound
        for letter in name.utf8 {
            guard place < range.upperBound, letter.folded == bytes.byte(place).folded else { return false }
            place += 1
        }
        return place == range.upperBound
    }
}
