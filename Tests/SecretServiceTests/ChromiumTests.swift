import Foundation
import SecretService
import TestSupport
import Testing

private let browser = "/usr/bin/chromium"

/// Chromium, which keeps the key of a profile in the Secret Service.
@Suite(.enabled(if: Desktop.has(browser), "skipped: needs dbus-daemon and chromium"), .waitsForProcesses)
struct ChromiumTests {
    private func start(on desktop: Desktop) throws -> PrivateBus.Run {
        try desktop.bus.run(
            browser,
            [
                "--headless", "--no-sandbox", "--disable-gpu", "--password-store=gnome-libsecret",
                "--user-data-dir=\(desktop.bus.folder.path("profile"))", "--dump-dom", "data:text/html,ready",
            ])
    }

    @Test func aProfileKeepsItsKeyOverRestartsAndDismissals() throws {
        let desktop = try Desktop()
        #expect(try start(on: desktop).output.contains("ready"))
        #expect(desktop.store.all.map { $0.label } == ["Chromium Safe Storage"])
        let key = desktop.store.all.first.flatMap { desktop.store.text(of: $0.id) }
        let count = desktop.store.prompts.count
        for answer in [StoreInMemory.Answer.granted, .dismissed]
            + [StoreInMemory.Answer](repeating: .granted, count: Soak.isExhaustive ? 10 : 1)
        {
            desktop.store.answer = answer
            try desktop.restart(afterStopping: true)
            #expect(try start(on: desktop).output.contains("ready"))
            #expect(desktop.store.all.map { $0.label } == ["Chromium Safe Storage"])
            #expect(desktop.store.all.first.flatMap { desktop.store.text(of: $0.id) } == key)
        }
        #expect(desktop.store.prompts.count >= count + 3, "each start asks for the key")
    }
}
