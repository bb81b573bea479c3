internal import CSystemd
internal import Glibc
internal import LinuxSystem

/// The system bus is not available, or was lost.
struct BusError: Error {
    /// The system's error number.
    let code: Int32

    /// Returns the result of a function of sd-bus, or throws if it reports an error.
    @discardableResult
    static func check(_ result: Int32) throws(BusError) -> Int32 {
        if result < 0 { throw BusError(code: -result) }
        return result
    }

    var words: String { SystemError(code).description }
}

/// A connection to a bus. Only the thread that made it may use it.
final class SystemBus {
    private let bus: OpaquePointer

    /// Creates a connection to the bus at `address`, or to the system bus. It connects while messages are fetched.
    init(address: String?) throws(BusError) {
        var made: OpaquePointer?
        if let address {
            try BusError.check(sd_bus_new(&made))
            do throws(BusError) {
                try BusError.check(sd_bus_set_address(made, address))
                try BusError.check(sd_bus_set_bus_client(made, 1))
                try BusError.check(sd_bus_start(made))
            } catch {
                sd_bus_unref(made)
                throw error
            }
        } else {
            try BusError.check(sd_bus_open_system(&made))
        }
        guard let made else { throw BusError(code: ENOMEM) }
        bus = made
    }

    deinit { sd_bus_close_unref(bus) }

    /// A call of a method on the bus, with its text arguments.
    struct Call {
        var destination: String
        var path: String
        var interface: String
        var method: String
        var arguments: [String]
    }

    /// Sends a call, and returns the number that its reply will carry.
    func send(_ call: Call) throws(BusError) -> UInt64 {
        let message = try message(call)
        var cookie: UInt64 = 0
        try BusError.check(sd_bus_send(bus, message.raw, &cookie))
        return cookie
    }

    /// Sends a call and waits for its reply. Throws if there is none in time. Messages that arrive meanwhile are kept.
    func reply(to call: Call, milliseconds: UInt64) throws(BusError) -> BusMessage {
        let message = try message(call)
        var reply: OpaquePointer?
        try BusError.check(sd_bus_call(bus, message.raw, milliseconds * 1000, nil, &reply))
        guard let reply else { throw BusError(code: EBADMSG) }
        return BusMessage(reply)
    }

    private func message(_ call: Call) throws(BusError) -> BusMessage {
        var raw: OpaquePointer?
        try BusError.check(
            sd_bus_message_new_method_call(bus, &raw, call.destination, call.path, call.interface, call.method))
        guard let raw else { throw BusError(code: ENOMEM) }
        let message = BusMessage(raw)
        for argument in call.arguments {
            try BusError.check(sd_bus_message_append_basic(raw, BusMessage.text, argument))
        }
        return message
    }

    /// Returns the next message that has arrived; nil if there is none.
    func next() throws(BusError) -> BusMessage? {
        while true {
            var raw: OpaquePointer?
            if try BusError.check(sd_bus_process(bus, &raw)) == 0 { return nil }
            if let raw { return BusMessage(raw) }
        }
    }

    /// Waits until there may be a message. Returns false if the other end of `wake` was closed.
    func wait(unless wake: Int32) throws(BusError) -> Bool {
        var waited = [
            pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
            pollfd(
                fd: try BusError.check(sd_bus_get_fd(bus)),
                events: Int16(truncatingIfNeeded: try BusError.check(sd_bus_get_events(bus))), revents: 0),
        ]
        var deadline: UInt64 = 0
        try BusError.check(sd_bus_get_timeout(bus, &deadline))
        if poll(&waited, nfds_t(waited.count), Self.milliseconds(until: deadline)) < 0, errno != EINTR {
            throw BusError(code: errno)
        }
        return waited[0].revents == 0
    }

    /// Returns the time until `deadline` in milliseconds, rounded up, as `poll` expects it.
    private static func milliseconds(until deadline: UInt64) -> Int32 {
        if deadline == .max { return -1 }
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let now = UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
        return deadline <= now ? 0 : Int32(clamping: (deadline - now + 999) / 1000)
    }
}

/// A message on the bus, read from its beginning to its end.
final class BusMessage {
    fileprivate let raw: OpaquePointer
    fileprivate static let text = CChar(UInt8(ascii: "s"))

    fileprivate init(_ raw: OpaquePointer) { self.raw = raw }

    deinit { sd_bus_message_unref(raw) }

    /// The sender's name, which the bus assigns. A program cannot send under another's name.
    var sender: String? { sd_bus_message_get_sender(raw).map { String(cString: $0) } }
    /// The object that the message is about.
    var path: String? { sd_bus_message_get_path(raw).map { String(cString: $0) } }

    func isSignal(_ interface: String, _ member: String) -> Bool {
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

    func readText() throws(BusError) -> String {
        var pointer: UnsafePointer<CChar>?
        try readBasic(Self.text, &pointer)
        guard let pointer else { throw BusError(code: EBADMSG) }
        return String(cString: pointer)
    }

    func readBool() throws(BusError) -> Bool {
        var value: Int32 = 0
        try readBasic(CChar(UInt8(ascii: "b")), &value)
        return value != 0
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
    func readDescriptor() throws(BusError) -> Int32 {
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
