internal import PlainText

/// A word as the system passes it: bytes that need not be UTF-8, none of which is zero.
package struct RawText: Hashable, Sendable {
    /// The bytes, without the terminating zero byte.
    package let bytes: [UInt8]

    package init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    package init(_ text: String) { self.init(text.utf8) }

    /// Copies a C string.
    package init(cString: UnsafePointer<CChar>) {
        var end = cString
        while end.pointee != 0 { end += 1 }
        self.init(UnsafeRawBufferPointer(start: cString, count: end - cString))
    }

    /// The word for a person to read. Bytes that are not UTF-8 become U+FFFD, so do not open a file by it.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The word as the text of a path, which a file can be opened by.
    package var pathText: String { PathText.text(bytes) }

    /// True if the bytes are UTF-8, so that ``text`` is exact.
    package var isText: Bool { String(validating: bytes, as: UTF8.self) != nil }

    /// Calls `body` with the bytes as a C string, which is valid only during the call.
    package func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        (bytes + [0]).withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { chars in
                guard let first = chars.baseAddress else { fatalError("an array with a zero byte has an address") }
                return body(first)
            }
        }
    }
}
