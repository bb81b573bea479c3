extension WireRefusal {
    /// Writes the whole answer that a client gets for this refusal, and announces that the connection closes.
    ///
    /// `x-should-retry: false` keeps clients that know the field from repeating the request.
    ///
    /// - Throws: ``RefusalReason/outputTooSmall``. Room for 512 bytes is always enough.
    package func write(into output: inout OutputSpan<UInt8>) throws(WireRefusal) {
        let text = Array(description.utf8)
        try output.put("HTTP/1.1 ", side)
        try output.put(UInt64(status), side)
        try output.put(" ", side)
        try output.put(Self.phrase(status), side)
        try output.put("\r\ncontent-type: text/plain\r\nx-should-retry: false\r\ncontent-length: ", side)
        try output.put(UInt64(text.count + 1), side)
        try output.put("\r\nconnection: close\r\n\r\n", side)
        try output.put(text, side)
        try output.put("\n", side)
    }

    /// The interim answer to a request with `Expect: 100-continue`. The proxy sends it, never the server.
    package static let continueAnswer: StaticString = "HTTP/1.1 100 Continue\r\n\r\n"

    /// Returns the reason phrase of a status (RFC 9110, section 15).
    package static func phrase(_ status: UInt16) -> StaticString {
        switch status {
        case 200: "OK"
        case 202: "Accepted"
        case 400: "Bad Request"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 406: "Not Acceptable"
        case 408: "Request Timeout"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 417: "Expectation Failed"
        case 421: "Misdirected Request"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        case 504: "Gateway Timeout"
        case 505: "HTTP Version Not Supported"
        default: "Refused"
        }
    }
}
