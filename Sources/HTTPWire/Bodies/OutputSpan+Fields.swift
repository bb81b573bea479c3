extension OutputSpan<UInt8> {
    /// Appends a field that is passed on.
    mutating func put(_ field: FieldLine, from bytes: RawSpan, _ side: WireSide) throws(WireRefusal) {
        try put(bytes, field.name, side)
        try put(": ", side)
        try put(bytes, field.value, side)
        try put("\r\n", side)
    }

    /// Appends the field that announces a body. A body that ends with the connection is written in chunks.
    mutating func put(_ framing: BodyFraming, _ side: WireSide) throws(WireRefusal) {
        switch framing {
        case .none: break
        case .length(let count):
            try put("content-length: ", side)
            try put(count, side)
            try put("\r\n", side)
        case .chunked, .untilClose: try put("transfer-encoding: chunked\r\n", side)
        }
    }
}
