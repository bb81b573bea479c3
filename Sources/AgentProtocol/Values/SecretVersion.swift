internal import PlainText

/// A version of a secret: everything but its contents.
package struct SecretVersion: Hashable, Sendable {
    /// The time when it was saved, in seconds since 1970.
    package var saved: Int64 = 0
    /// The number of bytes of the value.
    package var count = 0
    /// The names of the fields.
    package var fields: [String] = []

    package init() {}

    package init(saved: Int64, count: Int, fields: [String]) {
        self.saved = saved
        self.count = count
        self.fields = fields
    }

    package init(reading head: inout WireObject) throws(WireError) { try read(from: &head) }
}

extension SecretVersion: WireValue {
    /// Hands every member to `coder`.
    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.number("saved", &saved)
        try coder.number("bytes", &count)
        try coder.texts("fields", &fields)
    }
}
