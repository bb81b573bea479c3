import Foundation
import SecretService
import TestSupport
import Testing

private let browser = "/usr/bin/chromium"

/// Chromium, which keeps the key of a profile in the Secret Service.
@Suite(.enabled(if: Desktop.has(browser), "skipped: needs dbus-daemon and chromium"), .waitsForProcesses)
struct ChromiumTests {
    /// Starts it until it has asked for its key: a page that is written at once may end it before that.
    private func start(on desktop: Desktop, until hasAsked: () -> Bool) throws {
        for _ in 1...10 {
            let run = try desktop.bus.run(
                browser,
                [
                    "--headless", "--no-sandbox", "--disable-gpu", "--password-store=gnome-libsecret",
                    "--user-data-dir=\(desktop.bus.folder.path("profile"))", "--dump-dom", "data:text/html,ready",
                ])
            try #require(run.output.contains("ready"))
            if hasAsked() { return }
        }
        Issue.record("ten starts did not ask for the key")
    }

    @Test func aProfileKeepsItsKeyOverRestartsAndDismissals() throws {
        let desktop = try Desktop()
        try start(on: desktop) { !desktop.store.all.isEmpty }
        #expect(desktop.store.all.map { $0.label } == ["Chromium Safe Storage"])
        let key = desktop.store.all.first.flatMap { desktop.store.text(of: $0.id) }
        for answer in [StoreInMemory.Answer.granted, .dismissed]
            + [StoreInMemory.Answer](repeating: .granted, count: Soak.isExhaustive ? 10 : 1)
        {
            desktop.store.answer = answer
            try desktop.restart(afterStopping: true)
            let count = desktop.store.prompts.count
            try start(on: desktop) { desktop.store.prompts.count > count }
            #expect(desktop.store.all.map { $0.label } == ["Chromium Safe Storage"])
            #expect(desktop.store.all.first.flatMap { desktop.store.text(of: $0.id) } == key)
        }
    }
}
