import AgentProtocol
import Foundation
import PlainText
import SodiumKit
import TestSupport
import Testing
import UserPresence

extension AgentTests {
    /// Hostile clients. They are processes of the same user, who could end the agent anyway. But they get no secret, do
    /// not crash
    /// the agent, and every other client is served within a second.
    @Suite(.serialized) struct HostileClientTests {
        let vault: VaultOfTest
        let agent: RunningAgent

        /// The most memory that the agent may use, in kibibytes: 64 MiB for large secrets and lists, as much again for
        /// what is made of
        /// them, and what it needs for itself and for each client.
        static let bound = 256 * 1024

        init() throws {
            vault = try VaultOfTest()
            agent = try RunningAgent(vault)
        }

        /// Expects that an honest client is served without waiting for the others, and that the agent keeps within its
        /// bounds.
        ///
        /// The client tries again, as commands do when their place is taken. A busy machine may delay single tries.
        private func expectService(_ what: String, at place: SourceLocation = #_sourceLocation) {
            let isServed = Patience.isQuick(Patience.withoutWaiting, tries: 6) {
                for _ in 0..<20 where isHonestServed() { return }
                usleep(useconds_t(Patience.withoutWaiting.components.seconds) * 1_000_000)
            }
            #expect(isServed, "\(what)", sourceLocation: place)
            #expect(agent.isAlive, "\(what)", sourceLocation: place)
            #expect(agent.memory < Self.bound, "\(what): \(agent.memory) KiB", sourceLocation: place)
        }

        private func isHonestServed() -> Bool {
            let seconds = Int(Patience.withoutWaiting.components.seconds)
            guard let client = try? RawClient(vault.place.socket, seconds: seconds),
                let frame = try? client.ask(#"{"do":"status"}"#), frame.done != nil
            else { return false }
            let add = #"{"do":"add","name":"honest","replace":true,"policy":\#(HostileClientTests.open)}"#
            return (try? client.ask(add, [1, 2, 3]))?.done != nil
        }

        /// A policy under which a secret can be stored and read while the vault is locked.
        static let open = #"{"accessible":"always","require":[]}"#

        @Test func framesThatAreNoneAreRefusedAtOnce() throws {
            let deep = String(repeating: "[", count: 30_000) + String(repeating: "]", count: 30_000)
            let objects = String(repeating: #"{"a":"#, count: 10_000) + "1" + String(repeating: "}", count: 10_000)
            let long = #"{"do":"status","x":"\#(String(repeating: "x", count: 65_000))"}"#
            let names = "{" + (0..<6000).map { "\"\($0)\":1" }.joined(separator: ",") + "}"
            let frames: [(String, [UInt8])] = [
                ("4 GiB of head", RawClient.lengths(.max, 0)), ("4 GiB of secret", RawClient.lengths(2, .max)),
                ("nothing", RawClient.lengths(0, 0)), ("one byte", RawClient.lengths(1, 0) + [0x7B]),
                ("a sign", RawClient.lengths(0x8000_0000, 0x8000_0000)),
                ("a head too long by one", RawClient.lengths(65_537, 0)),
                ("a secret too long by one", RawClient.lengths(15, 16 * 1024 * 1024 + 1)),
                ("no UTF-8", RawClient.frame([0x22, 0xFF, 0xFE, 0x22])),
                (
                    "no UTF-8 in a name",
                    RawClient.frame(Array(#"{"do":"read","name":""#.utf8) + [0xC0, 0xAF, 0x22, 0x7D])
                ),
                ("half a character", RawClient.frame(#"{"do":"read","name":"\ud800"}"#)),
                ("a text", RawClient.frame(#""status""#)), ("a list", RawClient.frame("[1,2]")),
                ("null", RawClient.frame("null")), ("no JSON", RawClient.frame("{do:status}")),
                ("two values", RawClient.frame(#"{"do":"status"}{}"#)), ("depth", RawClient.frame(deep)),
                ("depth of objects", RawClient.frame(objects)), ("a long head", RawClient.frame(long)),
                ("many names", RawClient.frame(names)),
                ("a name twice", RawClient.frame(#"{"do":"status","do":"stop"}"#)),
                ("a name twice, otherwise written", RawClient.frame(#"{"do":"status","\u0064o":"stop"}"#)),
                ("the other end of numbers", RawClient.frame(#"{"do":"log","after":1e999999999}"#)),
                ("zero bytes", [UInt8](repeating: 0, count: 4096)),
                ("HTTP", Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8)),
            ]
            for (name, bytes) in frames {
                let client = try RawClient(vault.place.socket)
                client.write(bytes)
                let frame = try? client.receive()
                #expect(frame?.kind == "request", "\(name)")
                #expect(client.isClosed(), "\(name)")
            }
            expectService("after that")
        }

        @Test func thoseWhoNeverFinishAreServedLast() throws {
            let frame = RawClient.frame(#"{"do":"status"}"#, [])
            var clients: [RawClient] = []
            for count in 0..<400 {
                guard let client = try? RawClient(vault.place.socket, greeted: false) else { continue }
                client.write(Array(frame.prefix(1 + count % (frame.count - 1))))
                clients.append(client)
            }
            expectService("half a frame each")
            for byte in 0..<3 {
                for client in clients { client.write([frame[byte]]) }
                expectService("another byte each")
            }
        }

        @Test func largeSecretsDoNotFillTheMemory() throws {
            let size = 16 * 1024 * 1024
            let head = #"{"do":"add","name":"x","policy":\#(Self.open)}"#
            var clients: [RawClient] = []
            for _ in 0..<20 {
                let client = try RawClient(vault.place.socket)
                client.write(RawClient.lengths(UInt32(head.utf8.count), UInt32(size)) + Array(head.utf8))
                client.write([UInt8](repeating: 1, count: 64 * 1024))
                clients.append(client)
            }
            expectService("many who begin a large secret")
            // Four find room, and the agent refuses the others.
            try eventually { clients.filter { $0.unread > 0 }.count == 16 }
            #expect(try #require(clients.first { $0.unread > 0 }).receive().kind == "agent")
            clients = []
            // The same limit holds for answers that the clients leave unread.
            try eventually {
                (try? RawClient(vault.place.socket).ask(head, [UInt8](repeating: 7, count: size)))?.done != nil
            }
            for _ in 0..<16 {
                let client = try RawClient(vault.place.socket)
                client.send(#"{"do":"read","name":"x"}"#)
                clients.append(client)
            }
            expectService("many who leave a large secret lie")
            #expect(agent.peak() < 3 * Self.bound, "\(agent.peak()) KiB")
        }

        @Test func thoseWhoDoNotReadAreServedLast() throws {
            let owner = try RawClient(vault.place.socket)
            let comment = String(repeating: "x", count: 50_000)
            for count in 0..<8 {
                let head = #"{"do":"add","name":"n\#(count)","comment":"\#(comment)","policy":\#(Self.open)}"#
                #expect(try owner.ask(head, [1]).done != nil)
            }
            var deaf: [RawClient] = []
            for _ in 0..<270 {
                let client = try RawClient(vault.place.socket)
                client.send(#"{"do":"list"}"#)
                deaf.append(client)
            }
            expectService("no client reads its list")
            deaf = []
            try eventually { agent.status("Threads") ?? 999 < 14 }
            // A client that reads gets all of it, page by page.
            let reader = try RawClient(vault.place.socket)
            reader.send(#"{"do":"list"}"#)
            var (pages, bytes) = (0, 0)
            while true {
                let frame = try reader.receive()
                if let done = frame.done {
                    #expect(done["count"] == .number("8") || done["count"] == .number("9"))
                    break
                }
                pages += 1
                bytes += frame.head.text.utf8.count
            }
            #expect(pages > 1 && bytes > 8 * 50_000)
        }

        @Test func aFloodOfRequestsLeavesRoomForOthers() throws {
            let flood = (0..<8).map { _ in try? RawClient(vault.place.socket) }.compactMap { $0 }
            let isOver = Flag()
            for client in flood {
                Thread.detachNewThread { [socket = client.socket] in
                    let bytes = (0..<200).flatMap { _ in RawClient.frame(#"{"do":"status"}"#) }
                    while !isOver.isUp {
                        if bytes.withUnsafeBytes({
                            Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                        }) < 0 {
                            break
                        }
                    }
                    isOver.add()
                }
                Thread.detachNewThread { [socket = client.socket] in
                    var room = [UInt8](repeating: 0, count: 65_536)
                    while recv(socket, &room, room.count, 0) > 0 {}
                    isOver.add()
                }
            }
            expectService("a flood")
            isOver.raise()
            for client in flood { shutdown(client.socket, Int32(SHUT_RDWR)) }
            try eventually { isOver.count == 2 * flood.count }
            expectService("after it")
        }

        /// Ten thousand connections, from several processes.
        @Test func thousandsOfConnectionsKeepNobodyOut() throws {
            let holder = """
                import socket, sys
                held = []
                for number in range(int(sys.argv[2])):
                    try:
                        one = socket.socket(socket.AF_UNIX)
                        one.connect(sys.argv[1])
                        held.append(one)
                    except OSError:
                        pass
                print(len(held), flush=True)
                sys.stdin.read()
                """
            let count = 20
            let holders = try (0..<count).map { _ in
                let process = Process()
                process.executableURL = URL(filePath: "/usr/bin/python3")
                process.arguments = ["-c", holder, vault.place.socket, "500"]
                process.standardInput = Pipe()
                process.standardOutput = Pipe()
                try process.run()
                return process
            }
            expectService("while they come")
            for holder in holders {
                let said = try (holder.standardOutput as? Pipe)?.fileHandleForReading.read(upToCount: 4) ?? Data()
                #expect(String(decoding: said, as: UTF8.self) == "500\n")
            }
            expectService("while ten thousand are held")
            #expect(try #require(agent.status("Threads")) < 600)
            for holder in holders { try (holder.standardInput as? Pipe)?.fileHandleForWriting.close() }
            for holder in holders { holder.waitUntilExit() }
            try eventually { agent.status("Threads") ?? 999 < 14 }
        }

        /// Random bytes from a seed.
        @Test func framesOfNonsenseDoNothing() throws {
            var generator = SeededGenerator(seed: 2)
            let valid = [
                #"{"do":"status"}"#, #"{"do":"read","name":"x"}"#, #"{"do":"log","after":3,"latest":2}"#,
                #"{"do":"add","name":"y","policy":\#(Self.open),"comment":"c"}"#, #"{"do":"list"}"#,
                #"{"do":"change","name":"y","new-name":"z"}"#, #"{"answer":"typed","number":1}"#, #"{"do":"enrolled"}"#,
                #"{"do":"unlock","ask":false}"#, #"{"end":"cancelled","number":1}"#, #"{"do":"show","name":"y"}"#,
            ].map { Array($0.utf8) }
            var client = try RawClient(vault.place.socket, greeted: false)
            var broken = 0
            let frames = Soak.isExhaustive ? 1_000_000 : 20_000
            for _ in 0..<frames {
                var head = generator.pick(valid)
                switch Int.random(in: 0..<8, using: &generator) {
                case 0:
                    head[Int.random(in: head.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
                case 1: head.remove(at: Int.random(in: head.indices, using: &generator))
                case 2: head = (0..<20).map { _ in UInt8.random(in: 0...255, using: &generator) }
                default: break
                }
                var bytes = RawClient.frame(head, generator.once(in: 4) ? [1, 2, 3] : [])
                if generator.once(in: 50) { bytes[Int.random(in: 0..<8, using: &generator)] ^= 1 << 2 }
                if !client.write(bytes) {
                    broken += 1
                    client = try RawClient(vault.place.socket, greeted: false)
                }
                client.drop()
            }
            #expect(broken > 10)
            expectService("after the nonsense")
            #expect(try RawClient(vault.place.socket).ask(#"{"do":"verify"}"#).done?["findings"] == .number("0"))
        }
    }
}
