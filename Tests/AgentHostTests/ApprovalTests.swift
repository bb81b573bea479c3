import AgentProtocol
import PlainText
import TestSupport
import Testing

extension AgentTests {
    /// Requests that wait for `latchkey approve`, from clients that do as they like.
    @Suite(.serialized) struct ApprovalTests {
        private static let passcode = #"{"accessible":"whenUnlockedThisDeviceOnly","require":["devicePasscode"]}"#

        /// Sends a request and leaves its prompt to another terminal.
        private func leave(_ head: String, _ client: RawClient) throws {
            client.send(head)
            var prompt = try #require(try client.prompt())
            let number = try prompt.consumeNumber("number")
            client.send(#"{"answer":"elsewhere","number":\#(number)}"#)
        }

        /// A client cannot pass its own words off as those of the agent, or the agent's as its own.
        @Test func theTitleHasThePurposeWhateverTheReason() throws {
            let vault = try VaultOfTest()
            let agent = try RunningAgent(vault)
            defer { withExtendedLifetime(agent) {} }
            let client = try RawClient(vault.place.socket)
            #expect(try client.ask(#"{"do":"unlock"}"#, [], ["passcode": VaultOfTest.passcode]).done != nil)
            for reason in ["make a recovery key of the vault", "replace the recovery key of the vault"] {
                let client = try RawClient(vault.place.socket)
                try leave(#"{"do":"replace-recovery-key","reason":"\#(reason)"}"#, client)
                #expect(try client.receive().head["waiting"] != nil)
                let list = try RawClient(vault.place.socket).ask(#"{"do":"waiting"}"#).head.text
                #expect(list.contains(#""reason":"replace the recovery key of the vault""#), "\(list)")
                #expect(!list.contains("In the words of the program"), "\(list)")
            }
        }

        @Test func atMostFourRequestsOfAProcessWait() throws {
            let vault = try VaultOfTest()
            let agent = try RunningAgent(vault)
            defer { withExtendedLifetime(agent) {} }
            let first = try RawClient(vault.place.socket)
            #expect(try first.ask(#"{"do":"unlock"}"#, [], ["passcode": VaultOfTest.passcode]).done != nil)
            #expect(try first.ask(#"{"do":"add","name":"a","policy":\#(Self.passcode)}"#, [1]).done != nil)
            let clients = try (0..<5).map { _ in try RawClient(vault.place.socket) }
            for client in clients.prefix(4) {
                try leave(#"{"do":"read","name":"a"}"#, client)
                #expect(try client.receive().head["waiting"] != nil)
            }
            try leave(#"{"do":"read","name":"a"}"#, clients[4])
            #expect(try clients[4].answer().kind == "nobody-there")
        }
    }
}
