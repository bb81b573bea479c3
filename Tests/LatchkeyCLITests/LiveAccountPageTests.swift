import AccessPolicy
import Foundation
import TestSupport
import Testing

/// The live page of a scenario with several devices of one account.
@Suite(.waitsForProcesses) struct LiveAccountPageTests {
    private static let text = """
        name: a seed reaches the pad
        devices: { phone: iPhoneWithFaceID, pad: { passcode: "9999", lockGrace: 0s } }
        items:
          seed: { synchronizable: true }
          here: { synchronizable: true, accessible: whenUnlockedThisDeviceOnly }
        steps:
          - settle:
            expect: { happens, moved: [sync.sent, sync.this-device-only, sync.arrived] }
          - { leaveCircle: , on: pad }
          - join: { passcode: "0000", of: phone }
            on: pad
            expect: { refused: wrongPasscode }
          - { join: { sponsor: phone }, on: pad }
          - { update: seed, secret: two }
        """

    private func serving(_ body: (SimulateTests.Serving) throws -> Void) throws {
        let folder = try TemporaryFolder(inMemory: true)
        try Data(Self.text.utf8).write(to: URL(filePath: folder.path("a.yaml")))
        let serving = try SimulateTests.Serving(folder.path("a.yaml"), "--drive")
        try body(serving)
        #expect(try serving.stop().status == 0)
    }

    @Test(.enabled(if: SimulateTests.hasPython, "skipped: needs python3"))
    func everyReplyIsAsTheSchemaSays() throws {
        let folder = try TemporaryFolder(inMemory: true)
        try serving { serving in
            var replies: [[Any]] = []
            func note(_ name: String, _ reply: (status: Int, text: String)) throws {
                #expect(reply.status == 200, "\(reply.text.prefix(200))")
                replies.append([name, try JSONSerialization.jsonObject(with: Data(reply.text.utf8))])
            }
            try note("state", serving.get("state"))
            try note("history", serving.get("history"))
            let steps = #"[{"offline":true,"on":"pad"},"settle",{"lock":null,"on":"pad"}]"#
            try note("played", serving.post("steps", steps))
            let devices = #"{"one":"mac","two":{"passcode":"1"}}"#
            let body = #"{"devices":\#(devices),"items":{"a":{"synchronizable":true}}}"#
            try note("history", serving.post("device", body))
            try JSONSerialization.data(withJSONObject: replies).write(to: URL(filePath: folder.path("replies")))
            let wrong = try serving.post("steps", #"{"lock":null,"on":"pda"}"#)
            #expect(wrong.status == 400)
            #expect(wrong.text.contains(#"unknown device \"pda\": use one or two"#), "\(wrong.text)")
        }
        try Data(try Command.run("simulate", "--schema").output.utf8).write(to: URL(filePath: folder.path("schema")))
        let script = Repository.root.appending(path: "Tests/Support/LiveClient/check_replies.py").path
        let check = try Command.run(
            [script, folder.path("schema"), folder.path("replies")], program: SimulateTests.python)
        #expect(check.output == "4 replies are valid; used: history, played, state\n", "\(check.errors)")
    }

    @Test(.enabled(if: LivePageReport.obstacle == nil, "\(LivePageReport.obstacle ?? "")"))
    func aPersonSeesTheDevicesSideBySide() throws {
        try serving { serving in
            let report = try LivePageReport(of: serving.address)
            #expect(report.title == "a seed reaches the pad")
            #expect(report.panelsBefore?.map(\.name) == ["phone", "pad"])
            #expect(
                report.panelsBefore?.map(\.items) == [["✓ stored", "✓ stored"], ["– not stored", "– not stored"]])
            let delivered = try #require(report.delivered)
            let (sent, arrived) = (SyncRule.sent.facts.summary, SyncRule.arrived.facts.summary)
            let moves = [["✓ seed: \(sent) [sync.sent]"], ["✓ seed: \(arrived) [sync.arrived]"]]
            #expect(delivered.map(\.moves) == moves)
            #expect(delivered.map(\.isAtHand) == [true, false])
            let panels = try #require(report.panels)
            #expect(panels.map(\.lock) == ["Unlocked", "Locked"] && panels.map(\.isAtHand) == [false, true])
            #expect(panels[1].items == ["✓ stored", "– not stored"])
            #expect(report.members?.count == 2 && report.members?[1].contains("offline") == true)
            #expect(report.movements?.contains("phone: ✓ seed: \(sent) [sync.sent]") == true)
            #expect(
                report.met == [
                    "✓ as expected: moved: sync.sent, sync.this-device-only, sync.arrived",
                    "✓ as expected: refused: wrongPasscode",
                ])
            #expect(report.outcomes.contains { $0.hasPrefix("✗ refused: wrongPasscode") })
            #expect(report.label == "After step 9 of 9: read seed on pad by owner")
            // Side by side in a wide window, one below the other in a narrow one.
            let (wide, narrow) = (try #require(report.wide), try #require(report.narrow))
            #expect(wide[0][1] == wide[1][1] && wide[0][0] < wide[1][0])
            #expect(narrow[0][0] == narrow[1][0] && narrow[0][1] < narrow[1][1])
            #expect(report.overflow.isEmpty, "the page is wider than a window of this width")
            #expect(report.nameless.isEmpty && report.foreign.isEmpty && report.errors.isEmpty, "\(report)")
        }
    }
}
