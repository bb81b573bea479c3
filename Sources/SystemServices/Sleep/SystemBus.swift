internal import CSystemd
internal import Glibc
internal import LinuxSystem

/// The system bus cannot be had, or is gone.
struct BusError: Error {
    /// The system's number for why.
    let code: Int32

    /// What a function of sd-bus has returned, where that is no failure.
    @discardableResult
    static func check(_ result: Int32) throws(BusError) -> Int32 {
        if result < 0 { throw BusError(code: -result) }
        return result
    }

    var words: String { SystemError(code).description }
}

/// A connection to a bus. It belongs to the thread that made it.
final class SystemBus {
    private let bus: OpaquePointer

    /// A connection to the bus at `address`, or to the system's; it is made while messages are fetched.
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

    /// A method of somebody on the bus, with the texts that it takes.
    struct Call {
        var destination: String
        var path: String
        var interface: String
        var method: String
        var arguments: [String]
    }

    /// Sends a call, and says by which number its reply will be known.
    func send(_ call: Call) throws(BusError) -> UInt64 {
        let message = try message(call)
        var cookie: UInt64 = 0
        try BusError.check(sd_bus_send(bus, message.raw, &cookie))
        return cookie
    }

    /// Sends a call and waits for its reply, which is an error if there is none in time. What comes meanwhile is kept.
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

    /// The next message that has come; nil where there is none for now.
    func next() throws(BusError) -> BusMessage? {
        while true {
            var raw: OpaquePointer?
            if try BusError.check(sd_bus_process(bus, &raw)) == 0 { return nil }
            if let raw { return BusMessage(raw) }
        }
    }

    /// Waits until there may be a message, or until the other end of `wake` is closed: then it says no.
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

    /// What is left until `deadline`, rounded up, as poll wants to have it.
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

    /// Whose it is, by the name that the bus gave; nobody can send under another's.
    var sender: String? { sd_bus_message_get_sender(raw).map { String(cString: $0) } }
    /// The object that it is about.
    var path: String? { sd_bus_message_get_path(raw).map { String(cString: $0) } }

    func isSignal(_ interface: String, _ member: String) -> Bool {
        sd_bus_message_is_signal(raw, interface, member) > 0
    }

    /// The number of the call that it replies to.
    var repliesTo: UInt64? {
        var cookie: UInt64 = 0
        return sd_bus_message_get_reply_cookie(raw, &cookie) < 0 ? nil : cookie
    }

    /// The error that it reports: its name, and what it says.
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

    /// The number that stands first in a variant of number and object.
    func readNumberOfVariant() throws(BusError) -> UInt32 {
        var value: UInt32 = 0
        try BusError.check(sd_bus_message_enter_container(raw, CChar(UInt8(ascii: "v")), "(uo)"))
        try BusError.check(sd_bus_message_enter_container(raw, CChar(UInt8(ascii: "r")), "uo"))
        try readBasic(CChar(UInt8(ascii: "u")), &value)
        return value
    }

    /// A descriptor of the caller's own, closed when a program is started.
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
