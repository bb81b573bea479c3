import AgentProtocol
import Foundation
import PlainText
import Synchronization
import TestSupport
import Testing
import UserPresence

extension AgentTests {
    /// Eight clients send requests of all kinds while another locks and unlocks the vault. A simple model predicts each
    /// secret.
    @Suite(.serialized) struct SoakTests {
        /// One client, with the secrets that it should have.
        private struct Client {
            let number: Int
            let socket: String
            var generator: SeededGenerator
            var model: [String: [UInt8]] = [:]
            var wrong: [String] = []
            var done = 0

            init(_ number: Int, _ socket: String) {
                self.number = number
                self.socket = socket
                generator = SeededGenerator(seed: UInt64(number))
            }

            /// Makes requests until `end`, and a few of them however late it is.
            mutating func work(until end: ContinuousClock.Instant) {
                var isAtWork: Bool { wrong.isEmpty && (done < 50 || ContinuousClock.now < end) }
                while isAtWork {
                    guard let client = try? RawClient(socket) else {
                        wrong.append("no agent listened")
                        return
                    }
                    for _ in 0..<50 where isAtWork {
                        do { try step(client) } catch { wrong.append("\(error)") }
                    }
                }
            }

            private mutating func step(_ client: RawClient) throws {
                let name = "c\(number)/\(Int.random(in: 0..<12, using: &generator))"
                let isLarge = generator.once(in: 100)
                let size = Int.random(in: 0..<(isLarge ? 300_000 : 500), using: &generator)
                let secret = [UInt8](repeating: UInt8.random(in: 0...255, using: &generator), count: size)
                // Half of the secrets can be read while the vault is locked.
                let isOpen = name.utf8.last.map { $0 % 2 == 0 } ?? false
                let accessible = isOpen ? "always" : "whenUnlocked"
                let policy = #""policy":{"accessible":"\#(accessible)","require":[]}"#
                let kept = model[name]
                let frame: RawClient.Frame
                let expected: String?
                var after = kept
                switch Int.random(in: 0..<8, using: &generator) {
                case 0, 1:
                    frame = try client.ask(#"{"do":"add","name":"\#(name)","replace":true,\#(policy)}"#, secret)
                    (expected, after) = (nil, secret)
                case 2:
                    frame = try client.ask(#"{"do":"add","name":"\#(name)",\#(policy)}"#, secret)
                    expected = kept == nil ? nil : "exists"
                    if kept == nil { after = secret }
                case 3:
                    frame = try client.ask(#"{"do":"change","name":"\#(name)","comment":"c"}"#, secret)
                    expected = kept == nil ? "not-found" : nil
                    // Without a secret part, the old secret stays.
                    if kept != nil && !secret.isEmpty { after = secret }
                case 4:
                    frame = try client.ask(#"{"do":"remove","name":"\#(name)"}"#)
                    expected = kept == nil ? "not-found" : nil
                    after = nil
                case 5:
                    frame = try client.ask(#"{"do":"show","name":"\#(name)"}"#)
                    expected = kept == nil ? "not-found" : nil
                default:
                    frame = try client.ask(#"{"do":"read","name":"\#(name)"}"#)
                    expected = kept == nil ? "not-found" : nil
                    if frame.done != nil && frame.secret != kept { wrong.append("\(name) is another") }
                }
                done += 1
                if frame.done != nil { model[name] = after }
                // A locked vault refuses more. Nothing else may keep a request from being fulfilled.
                let isFitting = frame.kind == expected || (!isOpen && frame.kind == "locked")
                if !isFitting { wrong.append("\(name): \(frame.head.text) instead of \(expected ?? "done")") }
            }
        }

        @Test func eightClientsFindWhatTheyKeep() throws {
            let vault = try VaultOfTest(isCostly: true)
            let agent = try RunningAgent(vault, program: Command.built.path)
            let clients = Mutex<[Client]>([])
            let socket = vault.place.socket
            _ = try RawClient(socket).ask(#"{"do":"unlock"}"#, [], RequestTests.answers)
            // On a busy machine the first request can take longer than all of these seconds.
            let middle = ContinuousClock.now + .seconds((Soak.seconds ?? 2) / 2)
            let end = ContinuousClock.now + .seconds(Soak.seconds ?? 2)
            var before = 0
            let isOver = Flag()
            // Use threads: those of a queue may all be waiting already.
            for number in 0..<8 {
                Thread.detachNewThread {
                    var client = Client(number, socket)
                    client.work(until: end)
                    let worked = client
                    clients.withLock { $0.append(worked) }
                    isOver.add()
                }
            }
            repeat {
                let locker = try RawClient(socket)
                #expect(try locker.ask(#"{"do":"lock"}"#).done != nil)
                #expect(try locker.ask(#"{"do":"unlock"}"#, [], RequestTests.answers).done != nil)
                for _ in 0..<4 {
                    if before == 0 || ContinuousClock.now < middle { before = max(before, agent.memory) }
                    usleep(50_000)
                }
            } while ContinuousClock.now < end
            try eventually { isOver.count == 8 }
            let done = clients.withLock { $0.map(\.done).reduce(0, +) }
            for client in clients.withLock({ $0 }) {
                #expect(client.wrong.isEmpty, "\(client.number): \(client.wrong)")
            }
            #expect(clients.withLock { $0.allSatisfy { $0.done > 0 } })
            let reader = try RawClient(socket)
            for (name, secret) in clients.withLock({ $0.flatMap { $0.model.map { ($0.key, $0.value) } } }) {
                #expect(try reader.ask(#"{"do":"read","name":"\#(name)"}"#).secret == secret, "\(name)")
            }
            #expect(try reader.ask(#"{"do":"verify"}"#).done?["findings"] == .number("0"))
            // Memory for checking the passcode is freed after each check.
            try eventually { agent.memory < before + 16 * 1024 }
            print("soak: \(done) requests, \(before) KiB in the first half, \(agent.memory) KiB at the end")
        }
    }
}
