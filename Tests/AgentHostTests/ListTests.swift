import AccessPolicy
import AgentProtocol
import Foundation
import PlainText
import SecretVault
import SodiumKit
import TestSupport
import Testing

/// The reader of lists takes what an agent writes, and leaves every other spelling to the reader of JSON.
@Suite struct EntryReaderTests {
    private static let entries = [
        Entry(name: "a", policy: .usual, comment: "", created: 0, modified: 1),
        Entry(
            name: "ä\"\\/\u{1F600}\u{7F}", policy: ItemPolicy(.whenUnlocked, []), comment: "\n{}", created: -1,
            modified: .max),
        Entry(
            name: "work/token", policy: ItemPolicy(.whenUnlocked, .userPresence, allowsReuse: true), comment: "]}}",
            created: 1_700_000_000, modified: .min),
    ]

    private func read(_ text: String) throws -> [Entry]? {
        var reader = EntryReader()
        var found: [Entry] = []
        let isRead = try reader.read(Array(text.utf8)) { found.append($0) }
        if !isRead { #expect(found.isEmpty, "none is passed on twice") }
        return isRead ? found : nil
    }

    private func frame(_ entries: [String]) -> String { "{\"more\":{\"items\":[\(entries.joined(separator: ","))]}}" }

    @Test func itReadsWhatAnAgentWrites() throws {
        #expect(try read(frame(Self.entries.map(\.text))) == Self.entries)
        #expect(try read(frame(Self.entries.map(\.head.text))) == Self.entries)
    }

    /// A frame that begins as a list and goes on otherwise is left as a whole.
    @Test func everythingElseIsLeft() throws {
        let good = Self.entries.map(\.text)
        let whole = frame(good)
        for count in 0..<whole.utf8.count {
            #expect(try read(String(decoding: whole.utf8.prefix(count), as: UTF8.self)) == nil)
        }
        let others = [
            frame([]), "{\"done\":{}}", "{\"more\":{\"findings\":[]}}", whole + " ", frame(good + ["{}"]),
            frame([good[0].replacing("\"created\":0", with: "\"created\":01")]),
            frame([good[0].replacing("\"created\":0", with: "\"created\":1e3")]),
            frame([good[0].replacing("\"created\":0", with: "\"created\":")]),
            frame([good[0].replacing(",", with: ", ")]), frame([good[0].replacing("\"a\"", with: "\"a\nb\"")]),
            frame([good[0].replacing("\"a\"", with: "\"\\u00zz\"")]),
            frame([good[0].replacing("userPresence", with: "magic")]),
            frame([good[0].dropLast() + ",\"more\":1}"]),
        ]
        for text in others { #expect(try read(text) == nil, "\(text)") }
        var reader = EntryReader()
        var bytes = Array(frame([good[0]]).utf8)
        bytes[try #require(bytes.firstIndex(of: UInt8(ascii: "a")))] = 0xFF
        #expect(try !reader.read(bytes) { _ in })
    }
}

extension AgentTests {
    /// The list that an agent sends.
    @Suite(.serialized) struct ListTests {
        /// Creates a vault with passwords of latchkey under these names, and others among them.
        private static func vault(_ names: [String], comment: (Int) -> String = { _ in "" }) throws -> VaultOfTest {
            let vault = try VaultOfTest()
            let opened = try Vault.open(at: vault.path)
            defer { opened.close() }
            try opened.enter(passcode: SecureBytes(VaultOfTest.passcode))
            let items = names.enumerated().map { place, name in
                ItemDescription(
                    .genericPassword,
                    [
                        "acct": .string(name), "svce": .string(place % 10 == 9 ? "other" : "latchkey"),
                        "icmt": .string(comment(place)), "labl": .data([1]), "crtr": .number(7),
                    ], AccessControl(place % 2 == 0 ? .whenUnlocked : .afterFirstUnlock), group: "latchkey")
            }
            let isGranted = try opened.addAll(items, for: Caller("test", groups: ["latchkey"])) { _ in
                try SecureBytes(count: 8)
            }.isGranted
            try #require(isGranted)
            return vault
        }

        private static func entries(_ client: RawClient, isBrief: Bool) throws -> (entries: [Entry], done: WireObject) {
            client.send(isBrief ? #"{"do":"list","brief":true}"# : #"{"do":"list"}"#)
            var entries: [Entry] = []
            while true {
                let frame = try client.receive()
                if let done = frame.done { return (entries, WireObject(done)) }
                guard case .object(let more) = frame.head["more"], case .array(let items) = more["items"] else {
                    continue
                }
                for item in items {
                    var head = try #require(WireObject(item))
                    entries.append(try Entry(reading: &head))
                }
            }
        }

        /// Names in any script, in the order in which texts are compared, beside those of other programs.
        @Test(arguments: [false, true]) func itIsSortedAndComplete(isForeign: Bool) throws {
            var names = (0..<3000).map { "folder \($0 % 7)/name \($0 * 7919 % 3001)" }
            if isForeign { names += ["é", "e\u{301}x", "ключ", "名前", "Z", "a", "z/ä", "\u{1F600}"] }
            let vault = try Self.vault(names) { "comment \($0)" }
            let agent = try RunningAgent(vault)
            defer { withExtendedLifetime(agent) {} }
            let client = try RawClient(vault.place.socket)
            let locked = try Self.entries(client, isBrief: true)
            #expect(locked.entries.isEmpty)
            #expect(try client.ask(#"{"do":"unlock"}"#, [], RequestTests.answers).done != nil)
            let expected = names.enumerated().filter { $0.offset % 10 != 9 }.map(\.element).sorted()
            for isBrief in [true, false] {
                let (entries, done) = try Self.entries(client, isBrief: isBrief)
                #expect(entries.map(\.name) == expected)
                #expect(done["count"] == .number("\(expected.count)") && done["locked"] == .number("0"))
                #expect(entries.allSatisfy { $0.comment.isEmpty == isBrief })
                #expect(Set(entries.map(\.policy)).count == 2)
            }
            #expect(try client.ask(#"{"do":"lock"}"#).done != nil)
            let (rest, done) = try Self.entries(client, isBrief: true)
            #expect(rest.allSatisfy { $0.policy.protection == .afterFirstUnlock } && !rest.isEmpty)
            #expect(done["locked"] == .number("\(expected.count - rest.count)"))
        }

        /// More comments than an agent keeps are read again as they are sent.
        @Test func manyLongCommentsArriveWhole() throws {
            let names = (0..<40).map { "n\($0)" }
            let vault = try Self.vault(names) { place in String(repeating: "\(place % 10)", count: 600_000) }
            let agent = try RunningAgent(vault)
            defer { withExtendedLifetime(agent) {} }
            let client = try RawClient(vault.place.socket)
            #expect(try client.ask(#"{"do":"unlock"}"#, [], RequestTests.answers).done != nil)
            let (entries, done) = try Self.entries(client, isBrief: false)
            #expect(done["count"] == .number("36"))
            for entry in entries {
                #expect(entry.comment.utf8.count == 600_000 && entry.comment.last == entry.name.last, "\(entry.name)")
            }
        }
    }
}
