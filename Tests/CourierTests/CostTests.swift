import Foundation
import TestSupport
import Testing

@testable import Courier

/// Measures what a courier costs, and prints it. Nothing is expected of the numbers, which depend on the machine.
@Suite(.serialized, .enabled(if: Soak.isExhaustive, "skipped: needs LATCHKEY_SOAK_STEPS"))
struct CostTests {
    @Test func ofAnExchange() throws {
        let answer = "HTTP/1.1 200 OK\r\ncontent-length: 200\r\n\r\n" + String(repeating: "x", count: 200)
        let server = try ScriptedServer(readsBodies: false) { client, _, _ in client.send(answer) }
        let rig = try Rig(server)
        let request = Array(rig.get("/v1/models", "Authorization: Bearer lend_0123456789abcdef\r\n").utf8)
        let direct = try TestSocket(port: server.port)
        let lent = try rig.client()
        var times: [[Double]] = [[], []]
        for round in 0..<3000 {
            for (place, client) in [direct, lent].enumerated() {
                let start = ContinuousClock.now
                client.send(request)
                var count = 0
                while count < answer.utf8.count, let part = client.part() { count += part.count }
                let time = (ContinuousClock.now - start) / .microseconds(1)
                if round >= 200 { times[place].append(time) }
            }
        }
        for (name, times) in zip(["direct", "lent"], times.map { $0.sorted() }) {
            print("\(name): p50 \(Int(times[times.count / 2])) us, p99 \(Int(times[times.count * 99 / 100])) us")
        }
    }

    @Test func ofALongAnswer() throws {
        let size = 64 << 20
        let piece = (0..<65_536).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 7) }
        let server = try ScriptedServer(readsBodies: false) { client, _, _ in
            client.send("HTTP/1.1 200 OK\r\ncontent-length: \(size)\r\n\r\n")
            return (0..<size / piece.count).allSatisfy { _ in client.send(piece) }
        }
        let rig = try Rig(server)
        for (name, port) in [("direct", server.port), ("lent", rig.port)] {
            let client = try TestSocket(port: port)
            let start = ContinuousClock.now
            client.send(rig.get())
            var count = 0
            while count < size, let part = client.part() { count += part.count }
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            print("\(name): \(Int(Double(size) / seconds / 1e6)) MB/s")
        }
    }

    @Test func ofACut() throws {
        let server = try ScriptedServer(readsBodies: false) { client, _, _ in
            client.send("HTTP/1.1 200 OK\r\n\r\n")
            while client.send("data: tick\n\n") { usleep(1000) }
            return false
        }
        let rig = try Rig(server)
        let clients = try (0..<32).map { _ in try rig.client() }
        for client in clients {
            client.send(rig.get())
            _ = client.wait(for: "tick")
        }
        let start = ContinuousClock.now
        rig.courier.cut()
        print("cut: returns after \(Int((ContinuousClock.now - start) / .microseconds(1))) us")
        for client in clients { _ = client.rest() }
        print("cut: last of 32 streams after \(Int((ContinuousClock.now - start) / .microseconds(1))) us")
    }

    /// The memory of the process before and after 32 endless answers at once, of 64 MiB each.
    @Test func inMemory() throws {
        let piece = [UInt8](repeating: 0x78, count: 65_536)
        let server = try ScriptedServer(readsBodies: false) { client, _, _ in
            client.send("HTTP/1.1 200 OK\r\n\r\n")
            while client.send(piece) {}
            return false
        }
        let rig = try Rig(server)
        let before = Self.residentKilobytes
        let clients = try (0..<32).map { _ in try rig.client() }
        for client in clients { client.send(rig.get()) }
        var most = 0
        var room = [UInt8](repeating: 0, count: 65_536)
        for round in 0..<1024 {
            for client in clients { _ = recv(client.descriptor, &room, room.count, 0) }
            if round % 64 == 0 { most = max(most, Self.residentKilobytes) }
        }
        print("memory: \(before) KiB before, at most \(most) KiB with 32 answers")
    }

    private static var residentKilobytes: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        return status.firstMatch(of: /VmRSS:\s+([0-9]+)/).flatMap { Int($0.1) } ?? 0
    }
}
