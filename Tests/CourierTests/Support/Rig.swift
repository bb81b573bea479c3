import Foundation
import HTTPWire
import TestSupport
import Testing

@testable import Courier

/// A courier between clients and a scripted server.
final class Rig: Sendable {
    let server: ScriptedServer
    let keeper: TestKeeper
    let courier: Courier
    let port: UInt16

    init(
        _ server: ScriptedServer, keeper: TestKeeper = TestKeeper(), limits: CourierLimits = CourierLimits(),
        at path: String? = nil, _ change: (inout LentService) -> Void = { _ in }
    ) throws {
        let origin = try #require(WireOrigin(.https, host: "api.example.com"))
        var service = LentService(name: "model", origin: origin, field: "authorization")
        change(&service)
        let (listening, port) = try path.map { (try TestSocket.listen(at: $0), 80) } ?? TestSocket.listen()
        let base = try #require(WireOrigin(.http, host: "127.0.0.1", port: port))
        let upstream = server.port
        courier = try Courier(service, listener: listening, base: base, keeper: keeper, limits: limits) {
            () throws(UpstreamError) in try PlainStream(port: upstream)
        }
        self.server = server
        self.keeper = keeper
        self.port = port
        courier.start()
    }

    deinit {
        courier.end()
        server.end()
    }

    func client() throws -> TestSocket { try TestSocket(port: port) }

    /// Returns the whole answer to a request on a connection of its own.
    func ask(_ request: String) throws -> String {
        let client = try client()
        client.send(request)
        return client.message(isHead: request.hasPrefix("HEAD")) ?? ""
    }

    /// Returns a request of a client, with more fields if there are any.
    func get(_ path: String = "/v1", _ fields: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(fields)\r\n"
    }

    /// Waits until the keeper has been told of so many ends of exchanges.
    func waitForEnds(_ count: Int = 1) -> Bool {
        Patience.wait {
            keeper.notes.filter { note in
                switch note {
                case .sent, .notSent: true
                case .asked, .echoed: false
                }
            }.count >= count
        }
    }
}
