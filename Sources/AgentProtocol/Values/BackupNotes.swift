package import AccessPolicy

/// A secret or a key that is not in a backup.
package struct LeftOutNote: Hashable, Sendable {
    /// The name; nil if it is locked.
    package var name: String?
    /// The reason in words.
    package var why = ""

    package init(name: String?, why: String) { (self.name, self.why) = (name, why) }
}

extension LeftOutNote: WireValue, ObjectPart {
    package init(reading head: inout WireObject) throws(WireError) {
        self.init(name: nil, why: "")
        try read(from: &head)
    }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.textOrNull("name", &name)
        try coder.text("why", &why)
    }
}

/// A secret or a key that stayed on the device of a backup.
package struct LeftBehindNote: Hashable, Sendable {
    /// The name; nil if the backup does not have it.
    package var name: String?
    /// The reason in words.
    package var why: String
    /// True for a private key.
    package var isKey: Bool
    private var number: Int

    /// The reason; nil if this version does not know it.
    package var reason: LeftBehindReason? { UInt8(exactly: number).flatMap { LeftBehindReason(rawValue: $0) } }

    package init(name: String?, _ reason: LeftBehindReason, isKey: Bool) {
        (self.name, why, number, self.isKey) = (name, reason.description, Int(reason.rawValue), isKey)
    }
}

extension LeftBehindNote: WireValue, ObjectPart {
    package init(reading head: inout WireObject) throws(WireError) {
        self.init(name: nil, .neverLeaves, isKey: false)
        try read(from: &head)
    }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.textOrNull("name", &name)
        try coder.number("reason", &number)
        try coder.text("why", &why)
        try coder.flag("key", &isKey)
    }
}
