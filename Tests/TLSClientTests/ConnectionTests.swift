import CTLS
import Foundation
import LinuxSystem
import SodiumKit
import TLSClient
import TestSupport
import Testing

/// A connection after its handshake.
@Suite(.enabled(if: CertificateMaker.isThere, "skipped: needs the Debian package openssl"), .waitsForProcesses)
struct ConnectionTests {
    /// One thread writes while another reads, more than all buffers hold. New keys in between change nothing.
    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION]) func bothDirectionsAreUsedAtOnce(version: Int32) throws {
        let server = try TestServer(.init(versions: (version, version))) { peer in
            var count = 0
            while let bytes = peer.read(), peer.write(bytes) {
                count += 1
                // Once only: OpenSSL fails if a second renewal comes while a write is half done.
                if count == 100 { peer.renewKeys() }
            }
            peer.end()
        }
        let connection = try TLSClient.ofTests().connect(server)
        let sent = Sodium.randomBytes(8 << 20)
        let writing = Background {
            error {
                // Pieces of all sizes, from one byte to many records.
                var (place, size) = (0, 1)
                while place < sent.count {
                    let end = min(sent.count, place + size)
                    try connection.write(Array(sent[place..<end]))
                    (place, size) = (end, size > 1 << 20 ? 1 : size * 3)
                }
            }
        }
        #expect(try connection.read(exactly: sent.count) == sent)
        #expect(try writing.value == nil)
        connection.close()
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION]) func oneConnectionCarriesManyExchanges(version: Int32) throws {
        let server = try TestServer(.init(versions: (version, version))) { peer in
            while let bytes = peer.read(), peer.write(bytes) { peer.renewKeys() }
        }
        let connection = try TLSClient.ofTests().connect(server)
        for number in 0..<200 {
            let bytes = Sodium.randomBytes(number * 7 + 1)
            try connection.write(bytes)
            #expect(try connection.read(exactly: bytes.count) == bytes)
        }
        try connection.write([])
        #expect(server.noted.connections == 1)
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION]) func aProperEndIsNoError(version: Int32) throws {
        let server = try TestServer(.init(versions: (version, version))) { peer in
            peer.write([1, 2, 3])
            peer.end()
        }
        let connection = try TLSClient.ofTests().connect(server)
        #expect(try connection.read(exactly: 10) == [1, 2, 3])
        #expect(try connection.read() == [])
        #expect(try connection.read() == [])
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION]) func anEndWithoutNoticeIsAnError(version: Int32) throws {
        let server = try TestServer(.init(versions: (version, version))) { $0.write([1, 2, 3]) }
        let connection = try TLSClient.ofTests().connect(server)
        #expect(try connection.read(exactly: 3) == [1, 2, 3])
        for _ in 0..<3 { #expect(error { _ = try connection.read() } == .endedEarly) }
    }

    /// The host sees the end, and a write to a host that is gone ends no process.
    @Test func closingTellsTheHost() throws {
        let ends = DispatchSemaphore(value: 0)
        let server = try TestServer { peer in if peer.waitForEnd() { ends.signal() } }
        let client = try TLSClient.ofTests()
        let connection = try client.connect(server)
        connection.close()
        connection.close()
        #expect(ends.wait(timeout: .now() + .seconds(Patience.seconds)) == .success)
        #expect(error { try connection.write([1]) } == .cut)
        #expect(error { _ = try connection.read() } == .cut)
        // So does the end of the object's life.
        _ = try client.connect(server)
        #expect(ends.wait(timeout: .now() + .seconds(Patience.seconds)) == .success)
    }

    @Test func writingToAHostThatIsGoneFails() throws {
        let server = try TestServer { _ in }
        let connection = try TLSClient.ofTests().connect(server)
        var failure: TLSError?
        #expect(
            Patience.wait {
                failure = error { try connection.write([1, 2, 3]) }; return failure != nil
            })
        #expect(failure == .endedEarly)
        #expect(error { try connection.write([1]) } == .endedEarly)
    }

    /// A host that answers before it has read everything is heard, though it reads no more.
    @Test func anEarlyAnswerIsRead() throws {
        let server = try TestServer { peer in
            peer.write(Array("too large".utf8))
            peer.end()
            _ = peer.waitForEnd()
        }
        let connection = try TLSClient.ofTests().connect(server)
        try connection.write(Sodium.randomBytes(4 << 20))
        #expect(try connection.read(exactly: 100) == Array("too large".utf8))
    }

    // MARK: - Time

    @Test func aReadThatTimesOutCanBeRepeated() throws {
        let server = try TestServer()
        let connection = try TLSClient.ofTests().connect(server)
        for time in [0, 1, 30] {
            #expect(error { _ = try connection.read(withinMilliseconds: time) } == .timedOut)
        }
        try connection.write([7])
        #expect(try connection.read() == [7])
    }

    /// Only a part of a record may have been sent, so nothing else can follow.
    @Test func aWriteThatTimesOutIsTheLast() throws {
        let over = DispatchSemaphore(value: 0)
        let server = try TestServer { _ in over.wait() }
        defer { over.signal() }
        let connection = try TLSClient.ofTests().connect(server)
        let bytes = [UInt8](repeating: 1, count: 64 << 20)
        #expect(error { try connection.write(bytes.span.bytes, withinMilliseconds: 100) } == .timedOut)
        #expect(error { try connection.write([2]) } == .timedOut)
        #expect(error { _ = try connection.read(withinMilliseconds: 1) } == .timedOut)
    }

    /// A host that accepts a connection and says nothing.
    @Test func aSilentHostTimesOut() throws {
        let silent = try SilentServer()
        #expect(
            error {
                _ = try TLSClient.ofTests().connect(
                    to: "localhost", port: silent.port, addresses: .any, withinMilliseconds: 100)
            } == .timedOut)
    }

    /// A socket for another protocol goes to permitted addresses alone, too.
    @Test func aPlainSocketIsConnected() throws {
        let server = try SilentServer(saying: "SSH-2.0-test")
        func connect(_ host: String, _ limit: AddressLimit) throws(TLSError) -> Int32 {
            try PlainSocket.connect(to: host, port: server.port, addresses: limit, withinMilliseconds: patience)
        }
        #expect(error { _ = try connect("localhost", .publicOnly) } == .addressNotPermitted(host: "localhost"))
        guard case .nameNotFound = error(of: { _ = try connect("a b", .any) }) else {
            Issue.record("it is no name of a host")
            return
        }
        let socket = try connect("localhost", .any)
        defer { close(socket) }
        var waited = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        #expect(poll(&waited, 1, Int32(patience)) == 1)
        var bytes = [UInt8](repeating: 0, count: 12)
        #expect(recv(socket, &bytes, bytes.count, 0) == 12 && bytes == Array("SSH-2.0-test".utf8))
    }

    @Test func aPortWithoutAServerIsRefused() throws {
        let server = try SilentServer(listens: false)
        let failure = error {
            _ = try TLSClient.ofTests().connect(
                to: "127.0.0.1", port: server.port, addresses: .any, withinMilliseconds: patience)
        }
        guard case .unreachable(host: "127.0.0.1", let reason) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(reason.code == ECONNREFUSED)
    }

    /// A server that does not speak TLS.
    @Test func plainTextIsNoTLS() throws {
        let silent = try SilentServer(saying: "HTTP/1.1 400 Bad Request\r\n\r\n")
        let failure = error {
            _ = try TLSClient.ofTests().connect(
                to: "localhost", port: silent.port, addresses: .any, withinMilliseconds: patience)
        }
        #expect(failure?.isOfProtocol == true, "\(String(describing: failure))")
    }

    // MARK: - Cutting

    @Test(arguments: ["cut", "close"]) func aCallThatWaitsIsEnded(by name: String) throws {
        let over = DispatchSemaphore(value: 0)
        let server = try TestServer { _ in over.wait() }
        defer { over.signal() }
        let connection = try TLSClient.ofTests().connect(server)
        let reading = Background { error { _ = try connection.read() } }
        // The buffers between the two ends are full before this is sent.
        let writing = Background { error { try connection.write([UInt8](repeating: 1, count: 64 << 20)) } }
        usleep(50_000)  // The calls usually wait by now; the test holds if they do not.
        #expect(!reading.isOver && !writing.isOver)
        let started = ContinuousClock.now
        if name == "cut" { connection.cut() } else { connection.close() }
        #expect(try reading.value == .cut)
        #expect(try writing.value == .cut)
        #expect(ContinuousClock.now - started < Patience.withoutWaiting)
        connection.cut()
        #expect(error { try connection.write([1]) } == .cut)
    }

    /// Every connection gives its descriptor back, however it ends.
    @Test func nothingIsLeftOpen() throws {
        let server = try TestServer()
        let client = try TLSClient.ofTests()
        let connection = try client.connect(server)
        let number = try #require(Self.descriptor(of: server.port))
        #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0)
        connection.cut()
        #expect(Self.descriptor(of: server.port) == nil)
        for _ in 0..<3 { _ = try client.connect(server) }
        #expect(Self.descriptor(of: server.port) == nil)
        let expired = try TestServer(.init(certificate: "expired"))
        #expect(error { _ = try client.connect(expired) } != nil)
        #expect(Self.descriptor(of: expired.port) == nil)
    }

    /// Returns the descriptor of this process that is connected to a port.
    private static func descriptor(of port: UInt16) -> Int32? {
        (3..<4096).first { number in
            var address = sockaddr_in()
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let code = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(number, $0, &size) }
            }
            return code == 0 && address.sin_family == sa_family_t(AF_INET) && address.sin_port == port.bigEndian
        }
    }
}
