import Courier
import Foundation
import Synchronization
import TestSupport
import Testing

/// A server of other protocols: it passes bytes on, and ends connections.
@Suite struct StreamServerTests {
    /// A connected pair: the end of the host, and a descriptor for the server, which does not block.
    private static func pair() throws -> (host: TestSocket, descriptor: Int32) {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        return (try TestSocket(ends[0]), ends[1])
    }

    /// A server that passes everything to one host.
    private static func passing(to descriptor: Int32) throws -> (server: StreamServer, port: UInt16) {
        let (listener, port) = try TestSocket.listen()
        let server = try StreamServer(listener: listener) { $0.pass(to: descriptor) }
        server.start()
        return (server, port)
    }

    /// More than a socket holds goes both ways at once.
    @Test func allBytesArePassedOn() throws {
        let (host, descriptor) = try Self.pair()
        let (server, port) = try Self.passing(to: descriptor)
        defer { server.end() }
        let client = try TestSocket(port: port)
        let bytes = (0..<4_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let echo = Background {
            var count = 0
            while count < bytes.count, let part = host.part() {
                count += part.count
                guard host.send(part) else { break }
            }
        }
        let sending = Background { client.send(bytes) }
        var got: [UInt8] = []
        while got.count < bytes.count, let part = client.part() { got += part }
        #expect(got == bytes)
        #expect(try sending.value)
        _ = try echo.value
        // The end of the host is that of the client.
        #expect(host.send("bye"))
        host.close()
        #expect(client.rest() == "bye")
    }

    @Test func anInterruptionEndsConnectionsAndNotTheServer() throws {
        let (host, descriptor) = try Self.pair()
        let (server, port) = try Self.passing(to: descriptor)
        let client = try TestSocket(port: port)
        #expect(client.send("a") && host.part() == [97])
        server.interrupt()
        #expect(client.rest().isEmpty && host.rest().isEmpty)
        server.end()
    }

    @Test func theEndOfAClientIsThatOfTheHost() throws {
        let (host, descriptor) = try Self.pair()
        let (server, port) = try Self.passing(to: descriptor)
        defer { server.end() }
        let client = try TestSocket(port: port)
        #expect(client.send("a") && host.part() == [97])
        client.close()
        #expect(host.rest().isEmpty)
    }

    @Test func aMessageIsReadWholeOrNotAtAll() throws {
        let (listener, port) = try TestSocket.listen()
        let server = try StreamServer(listener: listener) { client in
            while let bytes = client.read(3) { guard client.write(bytes.reversed()) else { return } }
        }
        server.start()
        defer { server.end() }
        let client = try TestSocket(port: port)
        #expect(client.send("ab") && client.send("cde"))
        #expect(client.wait(for: "cba") == "cba")
        #expect(client.send("f") && client.wait(for: "fed") == "fed")
        _ = client.send("x")
        shutdown(client.descriptor, Int32(SHUT_WR))
        #expect(client.rest().isEmpty)
    }
}
