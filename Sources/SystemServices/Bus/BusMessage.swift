internal import CSystemd
internal import Glibc

/// A message on the bus, read from its beginning to its end.
package final class BusMessage {
    let raw: OpaquePointer
    static let text = CChar(UInt8(ascii: "s"))

    init(_ raw: OpaquePointer) { self.raw = raw }

    deinit { sd_bus_message_unref(raw) }

    /// The sender's name, which the bus assigns. A program cannot send under another's name.
    package var sender: String? { sd_bus_message_get_sender(raw).map { String(cString: $0) } }
    /// The object that the message is about.
    package var path: String? { sd_bus_message_get_path(raw).map { String(cString: $0) } }

    package func isSignal(_ interface: String, _ member: String) -> Bool {
        sd_bus_message_is_signal(raw, interface, member) > 0
    }

    /// The number of the call that the message replies to.
    var repliesTo: UInt64? {
        var cookie: UInt64 = 0
        return sd_bus_message_get_reply_cookie(raw, &cookie) < 0 ? nil : cookie
    }

    /// The name and text of the error that the message reports.
    var error: (name: String, words: String)? {
        guard let error = sd_bus_message_get_error(raw), let name = error.pointee.name else { return nil }
        let text = String(cString: name)
        return (text, error.pointee.message.map { String(cString: $0) } ?? text)
    }

    /// The longest text that is read unless the reader gives another limit, in bytes.
    package static let longestText = 64 << 10

    /// Reads a text, or the path of an object.
    ///
    /// - Throws: ``BusError`` with ``BusError/tooLarge`` if it has more than `limit` bytes.
    package func readText(atMost limit: Int = BusMessage.longestText) throws(BusError) -> String {
        var type: CChar = 0
        guard try BusError.check(sd_bus_message_peek_type(raw, &type, nil)) > 0,
            type == Self.text || type == CChar(UInt8(ascii: "o"))
        else { throw BusError(code: EBADMSG) }
        var pointer: UnsafePointer<CChar>?
        try readBasic(type, &pointer)
        guard let pointer else { throw BusError(code: EBADMSG) }
        guard strnlen(pointer, limit + 1) <= limit else { throw BusError(code: BusError.tooLarge) }
        return String(cString: pointer)
    }

    package func readBool() throws(BusError) -> Bool {
        var value: Int32 = 0
        try readBasic(CChar(UInt8(ascii: "b")), &value)
        return value != 0
    }

    /// Enters a container, whose content is read next.
    func enter(_ kind: Unicode.Scalar, _ types: String) throws(BusError) {
        guard try BusError.check(sd_bus_message_enter_container(raw, CChar(UInt8(ascii: kind)), types)) > 0 else {
            throw BusError(code: EBADMSG)
        }
    }

    /// Leaves a container, all of whose content was read.
    func leave() throws(BusError) { try BusError.check(sd_bus_message_exit_container(raw)) }

    /// True if the array that was entered has another element.
    var hasNext: Bool {
        get throws(BusError) { try BusError.check(sd_bus_message_at_end(raw, 0)) == 0 }
    }

    package func readTexts() throws(BusError) -> [String] {
        var texts: [String] = []
        try enter("a", "s")
        while try hasNext { texts.append(try readText()) }
        try leave()
        return texts
    }

    /// Reads a number without a sign.
    package func readNumber() throws(BusError) -> UInt32 {
        var value: UInt32 = 0
        try readBasic(CChar(UInt8(ascii: "u")), &value)
        return value
    }

    package func readTextOfVariant() throws(BusError) -> String {
        try BusError.check(sd_bus_message_enter_container(raw, CChar(UInt8(ascii: "v")), "s"))
        return try readText()
    }

    /// Reads a variant that holds a number with a sign.
    package func readIntegerOfVariant() throws(BusError) -> Int32 {
        try BusError.check(sd_bus_message_enter_container(raw, CChar(UInt8(ascii: "v")), "i"))
        var value: Int32 = 0
        try readBasic(CChar(UInt8(ascii: "i")), &value)
        return value
    }

    /// Reads the number that comes first in a variant of number and object.
    func readNumberOfVariant() throws(BusError) -> UInt32 {
        var value: UInt32 = 0
        try BusError.check(sd_bus_message_enter_container(raw, CChar(UInt8(ascii: "v")), "(uo)"))
        try BusError.check(sd_bus_message_enter_container(raw, CChar(UInt8(ascii: "r")), "uo"))
        try readBasic(CChar(UInt8(ascii: "u")), &value)
        return value
    }

    /// Reads a descriptor, and returns a copy that belongs to the caller and is closed when a program starts.
    package func readDescriptor() throws(BusError) -> Int32 {
        var lent: Int32 = -1
        try readBasic(CChar(UInt8(ascii: "h")), &lent)
        let own = fcntl(lent, F_DUPFD_CLOEXEC, 3)
        if own < 0 { throw BusError(code: errno) }
        return own
    }

    private func readBasic<Value: BitwiseCopyable>(_ type: CChar, _ value: inout Value) throws(BusError) {
        guard try BusError.check(sd_bus_message_read_basic(raw, type, &value)) > 0 else {
            throw BusError(code: EBADMSG)
        }
    }
}
