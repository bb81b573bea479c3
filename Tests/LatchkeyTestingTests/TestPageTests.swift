import Foundation
import LatchkeyFiles
import LatchkeyTesting
import Security
import TestSupport
import Testing

/// The page that a test serves or writes for its device.
@Suite(.waitsForProcesses) struct TestPageTests {
    private func add(_ account: String) -> OSStatus {
        SecItemAdd(
            [
                kSecClass: kSecClassGenericPassword, kSecAttrAccount: account, kSecValueData: Data("s3cret".utf8),
            ] as CFDictionary, nil)
    }

    @Test func aServedPageShowsWhatTheTestDoes() throws {
        let device = SimulatedDevice()
        #expect(device.run { add("before") } == errSecSuccess)
        let page = try device.serve(title: "a test")
        let history = try LoopbackClient.ask(page.url, "history")
        #expect(history.status == 200)
        #expect(
            history.text.hasPrefix(
                #"{"title":"a test","drives":false,"beginning":{"device":{"sensor":"touchID","locked":false,"#))
        #expect(history.text.contains(#""words":"SecItemAdd "#) && history.text.contains(#""outcome":"success""#))
        #expect(history.text.contains(#"{"id":"class.open","#))
        #expect(!history.text.contains("s3cret"))
        #expect(try LoopbackClient.ask(page.url, "").text.contains("<title>Latchkey: a simulated device</title>"))

        // What happens later comes as events.
        let url = try #require(URL(string: page.url))
        let port = try UInt16(#require(url.port))
        let client = try LoopbackClient(port: port)
        client.send("GET \(url.path)/events HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
        #expect(client.wait(for: "event: history\n").contains("text/event-stream"))
        device.lock()
        #expect(client.wait(for: #""words":"lock","outcome":"happened""#).contains("event: history\n"))
        #expect(!device.unlock(passcode: "0000"))
        #expect(
            client.wait(for: #""words":"unlock by passcode","outcome":"wrong passcode","succeeded":false"#).contains(
                "event: history\n"))

        // It shows, and never drives.
        let refused = try LoopbackClient.ask(page.url, "steps", body: #""lock""#)
        #expect(refused.status == 403)
        #expect(
            refused.text
                == #"{"error":"This page shows the device of a test, which alone changes it. See docs/live.md."}"#)
    }

    @Test func theFilesOfTheDeviceAreShown() throws {
        let device = SimulatedDevice()
        #expect(try history(of: device).contains(#""files":[]"#), "looking makes no folder")
        let folder = device.protectedFolder
        try folder.write(Array("today".utf8), to: folder.path + "/journal", .complete)
        let upload = try folder.create(folder.path + "/upload", .completeUnlessOpen)
        try Data("plain".utf8).write(to: URL(filePath: folder.path + "/<b>"))
        let now = try history(of: device)
        let (journal, closed) = (
            #"{"name":"journal","protection":"complete","stored":true,"open":false}"#,
            #"{"name":"upload","protection":"completeUnlessOpen","stored":true,"open":false}"#
        )
        let open = closed.replacingOccurrences(of: #""open":false"#, with: #""open":true"#)
        let plain = #"{"name":"<b>","protection":"not sealed","stored":true,"open":false}"#
        #expect(now.contains("\"files\":[\([plain, journal, open].joined(separator: ","))]"), "\(now)")
        #expect(!now.contains("today"))
        upload.close()
        #expect(try history(of: device).contains("\(journal),\(closed)]"))
        #expect(device.page().contains(journal))
        // A locked device still has the names and classes of its files, and an erased one has no files.
        device.lock()
        device.advance(by: .seconds(11))
        #expect(try history(of: device).contains("\(journal),\(closed)]"))
        #expect(device.unlock(passcode: "1234"))
        #expect(device.erase())
        #expect(try history(of: device).contains(#""files":[]"#))
    }

    private func history(of device: SimulatedDevice) throws -> String {
        let page = try device.serve()
        return try LoopbackClient.ask(page.url, "history").text
    }

    @Test func aPageIsServedAsLongAsItIsHeld() throws {
        let device = SimulatedDevice()
        var page: SimulatedDevice.ServedPage? = try device.serve()
        let url = try #require(page?.url)
        #expect(try LoopbackClient.ask(url, "state").status == 200)
        page = nil
        #expect(throws: LoopbackClient.CannotConnect.self) { try LoopbackClient.ask(url, "state") }
        device.lock()
    }

    @Test(.enabled(if: LivePageReport.obstacle == nil, "\(LivePageReport.obstacle ?? "")"))
    func thePageOfATestIsAFileThatRunsNoForeignScript() throws {
        let hostile = "</script><script>window.hit = 1</script><img src=x onerror='window.hit = 1'>"
        let device = SimulatedDevice(enrolled: [hostile])
        device.run {
            let added = SecItemAdd(
                [kSecClass: kSecClassGenericPassword, kSecAttrAccount: hostile, kSecValueData: Data("s3cret".utf8)]
                    as CFDictionary,
                nil)
            #expect(added == errSecSuccess)
        }
        device.lock()
        let folder = try TemporaryFolder(inMemory: true)
        let path = folder.path("page.html")
        try device.page(title: hostile).write(toFile: path, atomically: true, encoding: .utf8)
        let report = try LivePageReport(of: URL(filePath: path).absoluteString)
        #expect(report.title == hostile && !report.drives && !report.hit)
        #expect(report.connection == "A picture of the device as it was when this file was written.")
        #expect(report.steps.count == 2 && report.steps[1] == "2. lock")
        #expect(report.outcomes == ["✓ success", "✓ happened"])
        #expect(
            report.overflow.isEmpty && report.nameless.isEmpty && report.foreign.isEmpty && report.errors.isEmpty,
            "\(report)")
        #expect(!(try String(contentsOfFile: path, encoding: .utf8)).contains("s3cret"))
    }
}
