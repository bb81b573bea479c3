import AgentProtocol
import Foundation
import PlainText
import TestSupport
import Testing

extension AgentTests {
    /// Secrets that are lent over a connection: who is asked, what one answer counts for, and what ends it.
    @Suite struct LendingTests {
        private static let server = "https://api.example.com"
        private let vault: VaultOfTest
        private let agent: RunningAgent
        private let owner: RawClient

        init() throws {
            vault = try VaultOfTest(settings: VaultSettings([.reuse: 600]))
            agent = try RunningAgent(vault)
            owner = try RawClient(vault.place.socket)
            for (name, policy) in [
                ("each", #"{"accessible":"whenUnlockedThisDeviceOnly","require":["userPresence"]}"#),
                ("leased", #"{"accessible":"whenUnlockedThisDeviceOnly","require":["userPresence"],"reuse":true}"#),
                ("open", RequestTests.always),
            ] {
                let added = try owner.ask(
                    #"{"do":"add","name":"\#(name)","policy":\#(policy),"unlock":true}"#, Array("the \(name)".utf8),
                    RequestTests.answers)
                try #require(added.done != nil, "\(added.head.text)")
            }
        }

        /// Asks over a connection of its own, on which nothing was proved before.
        private func allow(
            _ name: String, _ members: String, _ answers: [String: String] = RequestTests.answers
        ) throws -> RawClient.Frame {
            let owner = try RawClient(vault.place.socket)
            return try owner.ask(#"{"do":"allow-lending","name":"\#(name)",\#(members)}"#, [], answers)
        }

        /// A connection that lends a secret for two uses at a time.
        private func lend(_ name: String) throws -> RawClient {
            _ = try allow(name, #""allow":["\#(Self.server)"]"#)
            let lender = try RawClient(vault.place.socket)
            let lent = try begin(name, at: lender)
            try #require(lent.done != nil, "\(lent.head.text)")
            return lender
        }

        private func begin(_ name: String, at lender: RawClient, _ more: String = "") throws -> RawClient.Frame {
            try lender.ask(
                #"{"do":"lend","name":"\#(name)","borrower":"site","command":"make","target":"\#(Self.server)","uses":2,"minutes":5\#(more)}"#
            )
        }

        private static let use = #"{"do":"use-loan","method":"POST","path":"/v1/messages"}"#

        @Test func onlyThePasscodeAllowsAServer() throws {
            let lender = try RawClient(vault.place.socket)
            #expect(try begin("open", at: lender).kind == "denied")
            #expect(try allow("open", #""allow":["\#(Self.server)"]"#, [:]).kind == "dismissed")
            #expect(try allow("open", #""allow":["\#(Self.server)"],"ask":false"#).kind == "nobody-there")
            #expect(try allow("open", #""allow":["\#(Self.server)"]"#, ["passcode": "another one"]).kind != nil)
            #expect(try begin("open", at: lender).kind == "denied")
            for text in ["http://api.example.com", "api.example.com", "https://a/b", ""] {
                #expect(try allow("open", #""allow":["\#(text)"]"#).kind == "request", "\(text)")
            }
            let allowed = try allow("open", #""allow":["https://API.example.com:443/"]"#)
            #expect(allowed.head.text.contains(#""targets":["https://api.example.com"]"#), "\(allowed.head.text)")
            #expect(try begin("open", at: lender).done != nil)
            #expect(try lender.ask(Self.use).secret == Array("the open".utf8))
            // What is forbidden later ends at once.
            #expect(try allow("open", #""forbid":["\#(Self.server)"]"#).done != nil)
            #expect(try lender.ask(Self.use).kind == "denied")
        }

        @Test func oneAnswerCountsForALease() throws {
            let lender = try lend("leased")
            lender.send(Self.use)
            let prompt = try #require(try lender.prompt())
            for words in [
                #""secret":"leased""#, "send POST /v1/messages to api.example.com", "Lent to site, which runs: make",
                #""counts":{"for":"loan","seconds":300,"uses":2}"#,
            ] {
                #expect(prompt.text.contains(words), "\(prompt.text)")
            }
            lender.send(#"{"answer":"typed","number":1}"#, Array(VaultOfTest.passcode.utf8))
            #expect(try lender.answer().secret == Array("the leased".utf8))
            #expect(try lender.ask(Self.use).secret == Array("the leased".utf8), "the second use asks nothing")
            #expect(try lender.ask(Self.use).kind == "dismissed", "the third use asks")
        }

        @Test func aPolicyThatAsksEachTimeDoesSoAndAnOpenOneNever() throws {
            let lender = try lend("each")
            for _ in 0..<2 {
                lender.send(Self.use)
                let prompt = try #require(try lender.prompt())
                #expect(prompt.text.contains(#""counts":{"for":"loan","seconds":300,"uses":1}"#), "\(prompt.text)")
                let number = try { (prompt: WireObject) in
                    var prompt = prompt; return try prompt.consumeNumber("number")
                }(prompt)
                lender.send(#"{"answer":"typed","number":\#(number)}"#, Array(VaultOfTest.passcode.utf8))
                #expect(try lender.answer().secret == Array("the each".utf8))
            }
            let open = try lend("open")
            for _ in 0..<5 { #expect(try open.ask(Self.use).secret == Array("the open".utf8)) }
        }

        /// An authentication of a terminal never counts for a loan, nor one of a loan for the terminal.
        @Test func aLoanSharesNothing() throws {
            let lender = try lend("leased")
            #expect(
                try owner.ask(#"{"do":"read","name":"leased"}"#, [], RequestTests.answers).secret
                    == Array("the leased".utf8))
            #expect(try lender.ask(Self.use).kind == "dismissed")
            let other = try lend("leased")
            // The borrower is silent for a minute, whatever its connection.
            #expect(try other.ask(Self.use, [], RequestTests.answers).kind == "dismissed")
        }

        @Test func aUseThatSentNothingIsGivenBack() throws {
            let lender = try lend("leased")
            #expect(try lender.ask(Self.use, [], RequestTests.answers).done != nil)
            let second = try lender.ask(Self.use)
            #expect(second.head.text.contains(#""number":2"#), "\(second.head.text)")
            for _ in 0..<2 { #expect(try lender.ask(#"{"do":"give-back-use","number":2}"#).done != nil) }
            #expect(try lender.ask(Self.use).done != nil)
            #expect(try lender.ask(Self.use).kind == "dismissed", "it was given back once")
        }

        /// What belongs to a use is none of its own, also when no use is left. The prompt has the words of git.
        @Test func whatBelongsToAUseCountsWithIt() throws {
            let lender = try lend("leased")
            let push = #"{"do":"use-loan","method":"push","path":"/alice/site.git","refs":["agent/*"]}"#
            lender.send(push)
            let prompt = try #require(try lender.prompt())
            #expect(prompt.text.contains("push agent/* to api.example.com/alice/site.git"), "\(prompt.text)")
            lender.send(#"{"answer":"typed","number":1}"#, Array(VaultOfTest.passcode.utf8))
            #expect(try lender.answer().secret == Array("the leased".utf8))
            #expect(try lender.ask(Self.use).done != nil, "the second use is the last one")
            let following = { (number: Int) in
                #"{"do":"use-loan","method":"push","path":"/alice/site.git","refs":["agent/fix"],"former":\#(number)}"#
            }
            let answer = try lender.ask(following(1))
            #expect(answer.secret == Array("the leased".utf8) && answer.head.text.contains(#""number":1"#))
            #expect(try lender.ask(following(7)).kind == "dismissed", "there was no such use")
            let open = try lend("open")
            for request in [push, following(1), following(1), following(9)] {
                #expect(try open.ask(request).secret == Array("the open".utf8))
            }
            var list = try owner.ask(#"{"do":"loans"}"#)
            #expect(list.head.text.contains(#""count":2,"#), "\(list.head.text)")
            while list.head["more"] != nil { list = try owner.receive() }
            var frame = try owner.ask(#"{"do":"log","after":0}"#)
            var log = frame.head.text
            while frame.head["more"] != nil {
                frame = try owner.receive()
                log += frame.head.text
            }
            #expect(log.contains("lent to site for push https://api.example.com/alice/site.git agent/fix"), "\(log)")
        }

        @Test func aLockEndsTheLeaseAndTheConnection() throws {
            let lender = try lend("leased")
            #expect(try lender.ask(Self.use, [], RequestTests.answers).done != nil)
            #expect(try owner.ask(#"{"do":"lock"}"#).done != nil)
            #expect(throws: RawClient.Trouble.closed) { try lender.receive() }
            let again = try RawClient(vault.place.socket)
            #expect(try begin("leased", at: again).kind == "locked")
            #expect(try owner.ask(#"{"do":"unlock"}"#, [], RequestTests.answers).done != nil)
            #expect(try begin("leased", at: again).done != nil)
            #expect(try again.ask(Self.use).kind == "dismissed", "the next lease needs an answer of its own")
        }

        @Test func loansAreListedAndEnded() throws {
            let lender = try lend("open")
            #expect(try lender.ask(Self.use).done != nil)
            var list = try owner.ask(#"{"do":"loans"}"#)
            for words in [#""borrower":"site""#, #""name":"open""#, #""count":1"#, #""number":1"#] {
                #expect(list.head.text.contains(words), "\(list.head.text)")
            }
            while list.head["more"] != nil { list = try owner.receive() }
            #expect(try owner.ask(#"{"do":"end-loans","number":7}"#).kind == "not-found")
            #expect(try owner.ask(#"{"do":"end-loans","number":1}"#).head.text.contains(#""count":1"#))
            #expect(throws: RawClient.Trouble.closed) { try lender.receive() }
            #expect(try owner.ask(#"{"do":"loans"}"#).head.text.contains(#""count":0"#))
        }

        /// Returns the mark of a new loan.
        private func mark(of lender: RawClient, _ more: String = "") throws -> String {
            var head = try begin("open", at: lender, more).head
            var done = try #require(try head.consumeHeadIfPresent("done"))
            return try done.consumeText("mark")
        }

        /// It does not go on over another connection, however it was ended: while it went on, or between a lock and the next use.
        @Test(arguments: [#"{"do":"end-loans"}"#, #"{"do":"end-loans","number":1}"#], [false, true])
        func aLoanThatWasEndedDoesNotGoOn(end: String, isLocked: Bool) throws {
            _ = try allow("open", #""allow":["\#(Self.server)"]"#)
            let lender = try RawClient(vault.place.socket)
            let mark = try self.mark(of: lender)
            if isLocked {
                #expect(try owner.ask(#"{"do":"lock"}"#).done != nil)
                #expect(throws: RawClient.Trouble.closed) { try lender.receive() }
            }
            #expect(try owner.ask(end).done != nil)
            let again = try RawClient(vault.place.socket)
            #expect(
                try begin("open", at: again, #","former":"\#(mark)""#).kind == "denied", "also if locked"
            )
            #expect(try owner.ask(#"{"do":"unlock"}"#, [], RequestTests.answers).done != nil)
            #expect(try begin("open", at: again, #","former":"\#(mark)""#).kind == "denied")
        }

        @Test func aLoanGoesOnAfterALockAndNoOtherDoes() throws {
            _ = try allow("open", #""allow":["\#(Self.server)"]"#)
            let mark = try self.mark(of: try RawClient(vault.place.socket))
            #expect(try owner.ask(#"{"do":"lock"}"#).done != nil)
            #expect(try owner.ask(#"{"do":"unlock"}"#, [], RequestTests.answers).done != nil)
            let again = try RawClient(vault.place.socket)
            // Another process of the agent may not know what was ended.
            let others = ["", "1", "0-1", "\(mark)0", "\(mark.dropLast(2))--1"]
            for other in others {
                #expect(try begin("open", at: again, #","former":"\#(other)""#).kind == "denied", "\(other)")
            }
            #expect(try begin("open", at: again, #","former":"\#(mark)""#).done != nil)
            #expect(try owner.ask(#"{"do":"end-loans","number":1}"#).kind == "not-found", "it goes on as another one")
        }

        /// Prompts name the servers, also those in another terminal, which have no words of the client.
        @Test func promptsNameTheServer() throws {
            let owner = try RawClient(vault.place.socket)
            owner.send(#"{"do":"allow-lending","name":"open","allow":["https://API.example.com:443"],"reason":"look"}"#)
            var prompt = try #require(try owner.prompt())
            #expect(prompt.text.contains("May be lent for: requests to https://api.example.com\""), "\(prompt.text)")
            try leave(&prompt, at: owner)
            try expectWaiting(["May be lent for: requests to https://api.example.com"])
            let lender = try lend("each")
            let path = "/v1/" + String(repeating: "a", count: 80) + "/erase"
            lender.send(#"{"do":"use-loan","method":"POST","path":"\#(path)"}"#)
            prompt = try #require(try lender.prompt())
            let notes = ["Server: \(Self.server)", "Lent to site, which runs: make", "Request: POST \(path)"]
            for note in notes { #expect(prompt.text.contains(note), "\(prompt.text)") }
            try leave(&prompt, at: lender)
            try expectWaiting(notes)
            let many = (1...5).map { #""https://\#($0).example.com""# }.joined(separator: ",")
            #expect(try allow("open", #""allow":[\#(many)]"#).kind == "request", "one prompt would not show them all")
        }

        /// Leaves a prompt to another terminal.
        private func leave(_ prompt: inout WireObject, at client: RawClient) throws {
            let number = try prompt.consumeNumber("number")
            client.send(#"{"answer":"elsewhere","number":\#(number)}"#)
            #expect(try client.receive().head["waiting"] != nil)
        }

        /// Expects these notes in the prompts that wait for another terminal.
        private func expectWaiting(_ notes: [String]) throws {
            let text = try RawClient(vault.place.socket).ask(#"{"do":"waiting"}"#).head.text
            for note in notes { #expect(text.contains(note), "\(text)") }
        }

        @Test func aBorrowerHasOnePromptAtATime() throws {
            let (first, second) = (try lend("leased"), try lend("each"))
            first.send(Self.use)
            let prompt = try #require(try first.prompt())
            second.send(Self.use)
            #expect(try second.prompt() == nil, "the second use is refused")
            #expect(prompt.text.contains("Lent to site"))
        }

        /// The log tells uses of a loan from other reads, with the borrower and the target.
        @Test func theLogNamesTheBorrower() throws {
            let lender = try lend("open")
            #expect(try lender.ask(Self.use).done != nil)
            var log = ""
            var frame = try owner.ask(#"{"do":"log","after":0}"#)
            log += frame.head.text
            while frame.head["more"] != nil {
                frame = try owner.receive()
                log += frame.head.text
            }
            #expect(log.contains("lent to site for POST https://api.example.com/v1/messages"), "\(log)")
        }

        @Test func aConnectionLendsOneSecret() throws {
            let lender = try RawClient(vault.place.socket)
            for request in [Self.use, #"{"do":"give-back-use","number":1}"#] {
                #expect(try lender.ask(request).kind == "request")
            }
            let lending = try lend("open")
            #expect(try begin("open", at: lending).kind == "request")
            for (uses, minutes) in [(0, 5), (10_001, 5), (1, 0), (1, 721)] {
                let head =
                    #"{"do":"lend","name":"open","borrower":"s","command":"","target":"\#(Self.server)","uses":\#(uses),"minutes":\#(minutes)}"#
                #expect(try lender.ask(head).kind == "request", "\(uses) \(minutes)")
            }
        }
    }
}
