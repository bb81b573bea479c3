import AgentProtocol
import Foundation
import PlainText
import SodiumKit
import Synchronization
import TestSupport
import Testing
import UserPresence

extension AgentTests {
    /// Prompts that go over the wire, and their endings.
    @Suite(.serialized) struct PromptTests {
        let vault: VaultOfTest
        let agent: RunningAgent
        private let read = #"{"do":"read","name":"guarded"}"#
        /// A request that asks for the passcode while the vault is locked.
        private let unlock = #"{"do":"unlock"}"#

        init() throws {
            vault = try VaultOfTest()
            agent = try RunningAgent(vault)
        }

        /// Returns the client of an owner who has unlocked the vault and stored a secret behind the passcode.
        private func owner() throws -> RawClient {
            let owner = try RawClient(vault.place.socket)
            _ = try owner.ask(unlock, [], RequestTests.answers)
            _ = try owner.ask(#"{"do":"add","name":"guarded","policy":\#(RequestTests.passcode)}"#, [7])
            return owner
        }

        private var failedAttempts: JSON? {
            get throws { try RawClient(vault.place.socket).ask(#"{"do":"status"}"#).done?["failed-attempts"] }
        }

        /// Requests the guarded secret, and returns the number of the prompt.
        private func promptOf(_ client: RawClient, _ request: String) throws -> Int64 {
            client.send(request)
            var head = try client.receive().head
            var content = try #require(try head.consumeHeadIfPresent("ask"))
            return try content.consumeNumber("number")
        }

        @Test func aLockEndsAPromptAtTheClientAndDenies() throws {
            let owner = try owner()
            let client = try RawClient(vault.place.socket)
            let number = try promptOf(client, read)
            #expect(try owner.ask(#"{"do":"lock"}"#).done != nil)
            let over = try client.receive().head
            #expect(over["over"] == .object(["number": .number("\(number)"), "ending": .string("locked")]))
            #expect(try client.receive().kind == "dismissed")
            // A late answer is ignored.
            client.send(#"{"answer":"typed","number":\#(number)}"#, Array(VaultOfTest.passcode.utf8))
            client.send(#"{"end":"cancelled","number":\#(number)}"#)
            #expect(try client.ask(read).kind == "locked")
        }

        @Test func aClientOfOursSaysThatAPromptWasTakenAway() throws {
            let owner = try owner()
            let client = try vault.client()
            let isShown = DispatchSemaphore(value: 0)
            let ending = Mutex<Prompt.Ending?>(nil)
            let user = ClosureUser { prompt in
                let isOver = DispatchSemaphore(value: 0)
                prompt.whenOver { isOver.signal() }
                isShown.signal()
                isOver.wait()
                ending.withLock { $0 = prompt.ending }
                return .cancel
            }
            let socket = vault.place.socket
            Thread.detachNewThread {
                isShown.wait()
                _ = try? RawClient(socket).ask(#"{"do":"lock"}"#)
            }
            let fault = #expect(throws: AgentError.self) { _ = try client.ask(ReadCall("guarded"), of: user) }
            #expect(fault?.kind == .dismissed)
            #expect(ending.withLock { $0 } == .systemCanceled)
            withExtendedLifetime(owner) {}
        }

        @Test func answersWithOtherNumbersAreNone() throws {
            let client = try RawClient(vault.place.socket)
            let number = try promptOf(client, unlock)
            for other in [number + 1, number - 1, -number, Int64.max] {
                client.send(#"{"answer":"typed","number":\#(other)}"#, Array("wrong".utf8))
                client.send(#"{"end":"fallback","number":\#(other)}"#)
            }
            client.send(#"{"answer":"typed","number":\#(number)}"#, Array(VaultOfTest.passcode.utf8))
            // A second answer comes when the prompt is over.
            client.send(#"{"answer":"cancel","number":\#(number)}"#)
            #expect(try client.answer().done != nil)
            #expect(try failedAttempts == .number("0"))
        }

        /// An invalid answer ends the prompt and the connection, and nothing else.
        @Test func nonsenseAtAPromptEndsIt() throws {
            let long = [UInt8](repeating: 1, count: 64 * 1024 + 1)
            for (head, secret) in [
                (#"{"do":"status"}"#, []), (#"{"answer":"typed"}"#, []), (#"{"answer":1,"number":1}"#, []),
                (#"{"answer":"shrug","number":1}"#, []), (#"{"answer":"cancel","number":1,"and":2}"#, []),
                (#"{"answer":"typed","number":1}"#, long), ("[]", []), ("{", []),
            ] as [(String, [UInt8])] {
                let client = try RawClient(vault.place.socket)
                _ = try promptOf(client, unlock)
                client.send(head, secret)
                #expect(client.isClosed(), "\(head)")
            }
            // The secret part may be empty. That is the same as dismissing the prompt.
            let client = try RawClient(vault.place.socket)
            let number = try promptOf(client, unlock)
            client.send(#"{"answer":"typed","number":\#(number)}"#)
            #expect(try client.answer().kind == "dismissed")
            // A gesture that does not fit the wish authenticates nothing.
            for gesture in ["confirm", "touch", "fallback"] {
                let number = try promptOf(client, unlock)
                client.send(#"{"answer":"\#(gesture)","number":\#(number)}"#)
                #expect(try client.answer().done == nil, "\(gesture)")
            }
            #expect(try failedAttempts == .number("0"))
        }

        @Test func whoeverIsGoneFromAPromptFreesEverything() throws {
            let first = try RawClient(vault.place.socket)
            _ = try promptOf(first, unlock)
            first.send(#"{"answer":"cancel","number":1}"#)
            #expect(try first.answer().kind == "dismissed")
            var (threads, open) = (0, 0)
            try eventually {
                (threads, open) = (agent.status("Threads") ?? 0, descriptors())
                // One waits for clients, one for sleep, seven do chores, three keep folders, and one serves this client.
                return threads == 13
            }
            for _ in 0..<20 { _ = try promptOf(try RawClient(vault.place.socket), unlock) }
            // A client that is killed closes its socket, like one that ends by itself.
            try eventually { agent.status("Threads") == threads && descriptors() == open }
            #expect(try first.ask(#"{"do":"status"}"#).done != nil)
        }

        private func descriptors() -> Int {
            (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(agent.process)/fd").count) ?? 0
        }

        @Test func whoeverIsAtAPromptWhenTheAgentIsKilledHearsOfIt() throws {
            let owner = try owner()
            let client = try vault.client()
            let process = agent.process
            let user = ClosureUser { prompt in
                let isOver = DispatchSemaphore(value: 0)
                prompt.whenOver { isOver.signal() }
                kill(process, SIGKILL)
                isOver.wait()
                return .cancel
            }
            let fault = #expect(throws: AgentError.self) { _ = try client.ask(ReadCall("guarded"), of: user) }
            #expect(fault?.kind == .agent)
            #expect(fault?.message.contains("ended before it answered") == true)
            agent.wait()
            let next = try RunningAgent(vault)
            let again = try vault.client()
            _ = try again.ask(UnlockCall(bySensor: false), of: ClosureUser.typing())
            let reply = try again.ask(ReadCall("guarded"), of: ClosureUser.typing())
            #expect(reply.secret?.array() == [7])
            #expect(next.isAlive)
            withExtendedLifetime(owner) {}
        }

        /// Many open prompts do not delay the next one.
        @Test func openPromptsKeepNobodyWaiting() throws {
            var waiting: [RawClient] = []
            for _ in 0..<200 {
                let client = try RawClient(vault.place.socket)
                client.send(unlock)
                waiting.append(client)
            }
            for client in waiting.suffix(3) { #expect(try client.receive().head["ask"] != nil) }
            #expect(try RawClient(vault.place.socket).ask(unlock, [], RequestTests.answers).done != nil)
            withExtendedLifetime(waiting) {}
        }

        /// A client that does not read the end of its prompt does not delay a lock.
        @Test func aClientThatReadsNothingHoldsUpNoLock() throws {
            let owner = try owner()
            // For at least one client, the frames up to the end of the prompt fill the socket completely.
            let deaf = try (0..<120).map { count in
                let client = try RawClient(vault.place.socket)
                for _ in 0..<(100 + 2 * count) { client.send(#"{"do":"status"}"#) }
                client.send(read)
                return client
            }
            var before: [Int32] = []
            try eventually {
                usleep(100_000)
                let now = deaf.map(\.unread)
                defer { before = now }
                return now == before
            }
            var frame: RawClient.Frame?
            let time = try ContinuousClock().measure { frame = try owner.ask(#"{"do":"lock"}"#) }
            #expect(frame?.done != nil)
            #expect(time < Patience.withoutWaiting)
            withExtendedLifetime(deaf) {}
        }
    }
}

/// Waits until a condition in another process holds.
func eventually(_ condition: () throws -> Bool, at place: SourceLocation = #_sourceLocation) throws {
    if try !Patience.wait(until: condition) { Issue.record("it did not come about", sourceLocation: place) }
}
