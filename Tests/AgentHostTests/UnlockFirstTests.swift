import AgentProtocol
import Foundation
import PlainText
import TestSupport
import Testing

extension AgentTests {
    /// Requests that have the vault unlocked first.
    @Suite struct UnlockFirstTests {
        private let vault: VaultOfTest
        private let agent: RunningAgent
        private let client: RawClient

        init() throws {
            vault = try VaultOfTest(settings: VaultSettings([.history: 86_400]))
            agent = try RunningAgent(vault)
            client = try RawClient(vault.place.socket)
            for name in ["first", "second"] {
                let added = try client.ask(
                    #"{"do":"add","name":"\#(name)","policy":\#(RequestTests.always),"unlock":true}"#,
                    Array("the \(name)".utf8), RequestTests.answers)
                try #require(added.done != nil, "\(added.head.text)")
            }
            _ = try client.ask(#"{"do":"lock"}"#)
        }

        @Test func onePromptServesBoth() throws {
            client.send(#"{"do":"read","name":"second","unlock":true,"reason":"read it"}"#)
            var prompt = try #require(try client.prompt())
            #expect(try prompt.consumeText("wish") == "passcode")
            #expect(try prompt.consumeText("reason").contains("read it"))
            client.send(#"{"answer":"typed","number":2}"#, Array(VaultOfTest.passcode.utf8))
            let read = try client.answer()
            #expect(read.secret == Array("the second".utf8), "\(read.head.text)")
        }

        @Test func withoutTheMemberOrAUserItIsLocked() throws {
            for members in ["", #","ask":false"#, #","ask":false,"unlock":true"#, #","unlock":false"#] {
                let read = try client.ask(#"{"do":"read","name":"first"\#(members)}"#)
                #expect(read.kind == "locked", "\(members): \(read.head.text)")
            }
            let dismissed = try client.ask(#"{"do":"read","name":"first","unlock":true}"#)
            #expect(dismissed.kind == "dismissed", "\(dismissed.head.text)")
            #expect(try client.ask(#"{"do":"read","name":"first","unlock":7}"#).kind == "request")
        }

        @Test func aSecretIsStoredOnceAndAsItWasSent() throws {
            let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
            let added = try client.ask(
                #"{"do":"add","name":"third","policy":\#(RequestTests.always),"unlock":true}"#, bytes,
                RequestTests.answers)
            #expect(added.done != nil, "\(added.head.text)")
            #expect(try client.ask(#"{"do":"read","name":"third"}"#).secret == bytes)
            let list = try client.ask(#"{"do":"history","name":"third"}"#)
            #expect(list.done != nil, "\(list.head.text)")
        }

        @Test(arguments: ["list", "deleted"]) func aListIsWhole(_ request: String) throws {
            if request == "deleted" {
                _ = try client.ask(#"{"do":"unlock"}"#, [], RequestTests.answers)
                for name in ["first", "second"] { _ = try client.ask(#"{"do":"remove","name":"\#(name)"}"#) }
                _ = try client.ask(#"{"do":"lock"}"#)
            }
            let hidden = try client.ask(#"{"do":"\#(request)"}"#)
            #expect(hidden.head.text.contains(#""locked":2"#), "\(hidden.head.text)")
            client.send(#"{"do":"\#(request)","unlock":true}"#)
            var frames = [try client.answer(RequestTests.answers)]
            while frames.last?.head["more"] != nil { frames.append(try client.answer()) }
            #expect(frames.count == 2 && frames[1].head.text.contains(#""locked":0"#), "\(frames.map(\.head.text))")
            #expect(frames[0].head.text.contains("second"), "\(frames[0].head.text)")
        }
    }
}
