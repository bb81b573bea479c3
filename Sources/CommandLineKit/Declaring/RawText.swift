/// A word as the system has it: bytes that need not be UTF-8, and none of which is zero.
package struct RawText: Hashable, Sendable {
    /// The bytes, without the zero byte that ends them for the system.
    package let bytes: [UInt8]

    package init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    package init(_ text: String) { self.init(text.utf8) }

    /// Copies a text of the system, which a zero byte ends.
    package init(cString: UnsafePointer<CChar>) {
        var end = cString
        while end.pointee != 0 { end += 1 }
        self.init(UnsafeRawBufferPointer(start: cString, count: end - cString))
    }

    /// The text for a person to read. Bytes that are not UTF-8 become U+FFFD, so it may name another file.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// True if the bytes are UTF-8, so that ``text`` is exact.
    package var isText: Bool { String(validating: bytes, as: UTF8.self) != nil }

    /// Lends the bytes to a call of the system's.
    package func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        (bytes + [0]).withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { chars in
                guard let first = chars.baseAddress else { fatalError("an array with a zero byte has an address") }
                return body(first)
            }
        }
    }
}
