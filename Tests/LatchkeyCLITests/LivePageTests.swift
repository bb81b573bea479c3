import AccessPolicy
import Foundation
import TestSupport
import Testing

/// The live page in Chromium: driven by a person, with a mouse and with keys, at every width.
@Suite(.waitsForProcesses) struct LivePageTests {
    @Test(.enabled(if: LivePageReport.obstacle == nil, "\(LivePageReport.obstacle ?? "")"))
    func aPersonDrivesTheDevice() throws {
        let serving = try SimulateTests.Serving("--drive")
        let report = try LivePageReport(of: serving.address)
        #expect(report.title == "an iPhone with two items" && report.drives)
        #expect(report.connection == "Connected: the page shows what happens.")
        #expect(
            report.steps == [
                "1. read token by owner", "2. enroll left thumb", "3. read token by owner", "4. lock", "5. wait 11s",
            ])
        #expect(
            report.outcomes == [
                "✓ granted by biometry", "✓ happened", "✗ denied by biometry.current-set.changed", "✓ happened",
                "✓ happened",
            ])
        #expect(report.reasons == ["because \(Rule.biometrySetChanged.summary)"], "the reason is there without a click")
        #expect(report.facts.contains("Touch ID") && report.facts.contains("no watch paired"))
        #expect(report.lock == "Locked" && report.drawing == "shut")
        #expect(report.mistake == #"request:1:3: a step has no key "raed": did you mean read?"#)
        #expect(report.beginning?.label == "Before the first step" && report.beginning?.lock == "Unlocked")
        #expect(report.beginning?.items == ["✓ stored", "✓ stored"])
        #expect(report.items == ["– not stored", "✓ stored"])
        #expect(report.closed == 2, "the keys of both classes that close with the lock")
        #expect((report.log ?? 0) > 3)
        #expect(report.overflow.isEmpty, "the page is wider than a window of this width")
        #expect(report.nameless.isEmpty && report.foreign.isEmpty && report.errors.isEmpty, "\(report)")
        #expect(try serving.stop().status == 0)
    }
}
