/// An address to pass to C functions that require a pointer even for no bytes.
private let nothing: StaticString = "\0"

extension RawSpan {
    /// Lends the bytes to a C function. The pointer is valid even if there are no bytes.
    package func withPointer<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result {
        withUnsafeBytes { body($0.assumingMemoryBound(to: UInt8.self).baseAddress ?? nothing.utf8Start) }
    }
}

extension UnsafeMutableBufferPointer {
    /// The pointer that a C function fills. The buffer must not be empty.
    var start: UnsafeMutablePointer<Element> {
        guard let baseAddress else { preconditionFailure("a buffer to fill must not be empty") }
        return baseAddress
    }
}
