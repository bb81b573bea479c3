/// What stands where C wants a pointer and there is nothing to point at.
private let nothing: StaticString = "\0"

extension RawSpan {
    /// Lends the bytes to C, which wants a pointer also where there are none.
    func withPointer<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result {
        withUnsafeBytes { body($0.assumingMemoryBound(to: UInt8.self).baseAddress ?? nothing.utf8Start) }
    }
}

extension UnsafeMutableBufferPointer {
    /// The pointer that C fills; asked for only where there is room for something.
    var start: UnsafeMutablePointer<Element> {
        guard let baseAddress else { preconditionFailure("there is no room to fill") }
        return baseAddress
    }
}
