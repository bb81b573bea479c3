internal import PlainText

extension JSON {
    static func number(_ number: Int) -> JSON { .number("\(number)") }
}

extension [String: JSON] {
    /// Sets a member. Without copies of this code at every place, the engine of the page is smaller.
    @inline(never) mutating func set(_ name: String, to value: JSON) { self[name] = value }
}
