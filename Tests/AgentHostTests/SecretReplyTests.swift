import AccessPolicy
import AgentProtocol
import PlainText
import Testing
import VaultService

/// The replies about secrets, the log and the sensor keep their spelling, and each reads what it writes.
@Suite struct SecretReplyTests {
    private func expect<Reply: CallReply & Equatable>(_ reply: Reply, is text: String) throws {
        #expect(reply.head.text == text)
        var head = try WireObject(Array(text.utf8))
        var read = Reply()
        try read.read(from: &head)
        #expect(read == reply)
        try head.end()
    }

    @Test func repliesSurviveTheWire() throws {
        let open = ItemPolicy(.whenUnlocked, [], allowsReuse: true)
        try expect(
            SavedReply(open, isReused: false),
            is: #"{"policy":{"accessible":"whenUnlocked","require":[],"reuse":true}}"#)
        try expect(
            SavedReply(.usual, isReused: true),
            is: #"{"policy":{"accessible":"whenUnlockedThisDeviceOnly","require":["userPresence"]},"reused":true}"#)
        try expect(
            HistoryCall.Reply([SecretVersion(saved: 7, count: 3, fields: ["user"])]),
            is: #"{"versions":[{"bytes":3,"fields":["user"],"saved":7}]}"#)
        try expect(MoveCall.Reply(count: 2), is: #"{"count":2}"#)
        try expect(RemoveCall.Reply(keptFor: nil), is: "{}")
        try expect(RemoveCall.Reply(keptFor: 60), is: #"{"kept-for":60}"#)
        try expect(RemoveFolderCall.Reply(count: 2, keptFor: nil), is: #"{"count":2}"#)
        try expect(RemoveFolderCall.Reply(count: 2, keptFor: 60), is: #"{"count":2,"kept-for":60}"#)
        let entry = Entry(name: "n", policy: open, comment: "c", created: 1, modified: 2)
        for outlook in [Outlook.granted, .asks([[], ["passcode"]]), .denied(rule: "r", message: "m", remedy: "y")] {
            try expect(
                ShowCall.Reply(entry, outlook), is: #"{"item":\#(entry.text),"outlook":\#(outlook.head.text)}"#)
        }
        try expect(LogCall.Reply(last: 4, damagedFrom: nil), is: #"{"last":4}"#)
        try expect(LogCall.Reply(last: 4, damagedFrom: 3), is: #"{"damaged-from":3,"last":4}"#)
        try expect(
            LogSettingsCall.Reply(SettingChanges(.log, [.logSize: 9, .durableLog: false])),
            is: #"{"durable-log":false,"log-size":9}"#)
        try expect(EnrolledCall.Reply([]), is: #"{"enrolled":[]}"#)
        try expect(EnrolledCall.Reply(["right index"]), is: #"{"enrolled":["right index"]}"#)
        try expect(MatchCall.Reply(matched: true), is: #"{"matched":true}"#)
    }

    @Test(arguments: [
        "{}", #"{"item":{},"outlook":{"verdict":"granted"}}"#,
        #"{"item":{"name":"n","policy":{"accessible":"whenUnlocked"},"comment":"","created":1,"modified":1}}"#,
    ])
    func nothingElseIsALook(text: String) throws {
        var head = try WireObject(Array(text.utf8))
        var reply = ShowCall.Reply()
        #expect(throws: WireError.self) { try reply.read(from: &head) }
    }

    /// An agent of a later version may say more.
    @Test func aClientPassesOverWhatItDoesNotKnow() throws {
        func read<Reply: CallReply>(_ text: String, as type: Reply.Type) throws -> Reply {
            var (head, reply) = (try #require(WireObject(try JSON(Array(text.utf8)))), Reply())
            try reply.read(from: &head)
            return reply
        }
        let history = try read(
            #"{"versions":[{"saved":1,"bytes":2,"fields":["a"],"more":{}}],"more":1}"#, as: HistoryCall.Reply.self)
        #expect(history.versions.map(\.fields) == [["a"]])
        let saved = #"{"policy":{"accessible":"whenUnlocked","require":["#
        #expect(try read(saved + "]}}", as: SavedReply.self).policy != nil)
        #expect(try read(saved + #""glance"]}}"#, as: SavedReply.self).policy == nil)
        // A request with more than the agent knows is refused.
        for text in [
            #"{"do":"add","name":"a","policy":{"accessible":"whenUnlocked","require":["glance"]}}"#,
            #"{"do":"add-ssh-key","name":"a","key":"","comment":"","destinations":[{"more":1}]}"#,
        ] {
            #expect(throws: WireError.self) {
                var head = try #require(WireObject(try JSON(Array(text.utf8))))
                _ = try Verb.call(from: &head)
            }
        }
    }
}
