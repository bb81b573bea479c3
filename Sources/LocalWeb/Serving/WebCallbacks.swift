internal import CMicroHTTPD
internal import Glibc

// The functions that the library calls. Each gets the server as `closure`.

/// A request whose body arrives.
private final class Exchange {
    let accepted: WebCore.Accepted
    var body: [UInt8] = []

    init(_ accepted: WebCore.Accepted) { self.accepted = accepted }
}

private func core(_ closure: UnsafeMutableRawPointer?) -> WebCore? {
    closure.map { Unmanaged<WebCore>.fromOpaque($0).takeUnretainedValue() }
}

/// Answers a request: first for its head, then for each part of its body, and last for its end.
let answerCallback: MHD_AccessHandlerCallback = { closure, connection, url, method, version, part, size, place in
    guard let core = core(closure), let connection, let size, let place else { return .NO }
    guard let known = place.pointee else {
        let head = WebHead(connection, url, method, version)
        do throws(WebCore.Refusal) {
            let exchange = Exchange(try core.check(head))
            place.pointee = Unmanaged.passRetained(exchange).toOpaque()
            return .YES
        } catch {
            return send(WebCore.reply(to: error), on: connection, core)
        }
    }
    let exchange = Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
    if size.pointee > 0 {
        guard let part, exchange.body.count + size.pointee <= exchange.accepted.size else { return .NO }
        exchange.body += UnsafeRawBufferPointer(start: part, count: size.pointee)
        size.pointee = 0
        return .YES
    }
    guard exchange.body.count == exchange.accepted.size else { return .NO }
    core.arrivals.end(connection)
    return send(core.reply(to: exchange.accepted, exchange.body), on: connection, core)
}

/// Frees what a request has kept.
let endCallback: MHD_RequestCompletedCallback = { _, _, place, _ in
    guard let place, let known = place.pointee else { return }
    place.pointee = nil
    Unmanaged<Exchange>.fromOpaque(known).release()
}

/// Notes that a connection begins or ends.
let noticeCallback: MHD_NotifyConnectionCallback = { closure, connection, _, notice in
    guard let core = core(closure), let connection else { return }
    if notice == .CONNECTION_NOTIFY_STARTED {
        core.arrivals.begin(connection, on: latchkey_web_socket(connection))
    } else {
        core.arrivals.end(connection)
    }
}

extension WebHead {
    init(
        _ connection: OpaquePointer, _ url: UnsafePointer<CChar>?, _ method: UnsafePointer<CChar>?,
        _ version: UnsafePointer<CChar>?
    ) {
        func text(_ bytes: UnsafePointer<CChar>?) -> String { bytes.map { String(cString: $0) } ?? "" }
        var fields: [(name: String, value: String)] = []
        withUnsafeMutablePointer(to: &fields) { fields in
            _ = MHD_get_connection_values(
                connection, .HEADER_KIND,
                { closure, _, name, value in
                    let fields = closure?.assumingMemoryBound(to: [(name: String, value: String)].self)
                    fields?.pointee.append(
                        (name.map { String(cString: $0) } ?? "", value.map { String(cString: $0) } ?? ""))
                    return .YES
                }, fields)
        }
        self.init(
            method: text(method), version: text(version), path: text(url),
            hasQuery: MHD_get_connection_values(connection, .GET_ARGUMENT_KIND, nil, nil) > 0, fields: fields)
    }
}

// MARK: - Sending

/// The fields of every answer. No page of another origin can read, frame or guess it, and no copy stays in a cache.
private let fields: [(String, String)] = [
    ("Connection", "close"), ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    (
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; "
            + "form-action 'none'; frame-ancestors 'none'"
    ),
]

private func send(_ reply: LocalReply, on connection: OpaquePointer, _ core: WebCore) -> MHD_Result {
    let response: OpaquePointer?
    switch reply.content {
    case .bytes(let bytes):
        response = bytes.withUnsafeBytes {
            MHD_create_response_from_buffer(
                $0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), .RESPMEM_MUST_COPY)
        }
    case .events(let stream):
        guard core.begin(stream) else {
            stream.close()
            let refusal = WebCore.Refusal(status: 503, what: "Too many pages watch already: close one.")
            return send(WebCore.reply(to: refusal), on: connection, core)
        }
        response = MHD_create_response_from_callback(
            .max, 16 << 10,
            { closure, _, buffer, size in
                guard let closure, let buffer else { return -1 }
                let stream = Unmanaged<EventStream>.fromOpaque(closure).takeUnretainedValue()
                return stream.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size)) ?? -1
            }, Unmanaged.passRetained(stream).toOpaque(),
            { closure in
                guard let closure else { return }
                let stream = Unmanaged<EventStream>.fromOpaque(closure)
                stream.takeUnretainedValue().close()
                stream.release()
            })
    }
    guard let response else { return .NO }
    defer { MHD_destroy_response(response) }
    for (name, value) in fields + [("Content-Type", reply.kind.rawValue)] {
        guard MHD_add_response_header(response, name, value) == .YES else { return .NO }
    }
    if reply.status == 405 { _ = MHD_add_response_header(response, "Allow", "GET, POST") }
    return MHD_queue_response(connection, reply.status, response)
}
