import AccessPolicy
import AgentProtocol
import Foundation
import LatchkeyAgent
import TestSupport
import Testing

/// `latchkey secret-service` on a machine without a bus.
@Suite(.waitsForProcesses) struct SecretServiceCommandTests {
    @Test func statusAndExplainNeverPrompt() throws {
        let vault = try UnlockedVault()
        let off = try vault.sh("latchkey secret-service status")
        #expect(
            off.status == 0 && off.output.contains("off: turn it on with `latchkey secret-service enable`"), "\(off)")
        #expect(off.output.contains("login: 0 items"), "\(off)")
        let none = try vault.sh("latchkey secret-service explain")
        #expect(none.status == 0 && none.output.isEmpty && none.errors.contains("No request"), "\(none)")
        try vault.lock()
        let json = try vault.sh("latchkey secret-service status --json")
        #expect(json.status == 0 && json.output.contains("\"locked\":true"), "\(json)")
        #expect(json.output.contains("\"enabled\":false") && json.output.contains("\"state\":\"off\""), "\(json)")
    }

    @Test func withoutABusTheServiceSaysSoAndTriesAgain() throws {
        let vault = try UnlockedVault()
        try vault.change([.secretService: true])
        #expect(
            try TestSupport.Patience.wait(everyMilliseconds: 50) {
                try vault.sh("latchkey secret-service status").output.contains("on, but not on a bus")
            })
        let doctor = try vault.sh("latchkey doctor")
        #expect(doctor.output.contains("secret-service") && doctor.output.contains("not on a bus"), "\(doctor)")
        // The setting lasts.
        _ = try vault.sh("latchkey agent stop")
        #expect(try vault.sh("latchkey secret-service status --json").output.contains("\"enabled\":true"))
        try vault.unlockAnew()
    }

    @Test func rulesAreCheckedSealedAndShown() throws {
        let vault = try UnlockedVault()
        let good = "# mine\\napplication=chromium -> once-per-session\\n"
        let checked = try vault.sh("printf '\(good)' > \"$HOME/r\"; latchkey secret-service rules --check \"$HOME/r\"")
        #expect(checked.status == 0 && checked.errors.contains("is valid: 1 rule."), "\(checked)")
        let wrong = try vault.sh("printf 'a=b ->\\n' > \"$HOME/w\"; latchkey secret-service rules \"$HOME/w\"")
        #expect(wrong.status == 2 && wrong.errors.contains("line 1, column 5: say how often to ask"), "\(wrong)")
        // A change takes the passcode, and there is nowhere to ask.
        let refused = try vault.sh("latchkey secret-service rules \"$HOME/r\"")
        #expect(refused.status == 8, "\(refused)")
        #expect(try vault.sh("latchkey secret-service rules").errors.contains("No rules"))
        try vault.change([.secretRules: "application=chromium -> once-per-session"])
        let shown = try vault.sh("latchkey secret-service rules")
        #expect(shown.output == "application=chromium -> once-per-session\n", "\(shown)")
        let config = try vault.sh("latchkey config --json")
        #expect(config.output.contains("secret-service-rules"), "\(config)")
    }

    @Test func foldersAreSharedHiddenAndUnshared() throws {
        let vault = try UnlockedVault()
        try vault.set("work/token", "t")
        try vault.set("private", "p")
        let shared = try vault.sh("latchkey secret-service share work/")
        #expect(shared.status == 0 && shared.errors.contains("see work now"), "\(shared)")
        #expect(try vault.sh("latchkey secret-service status").output.contains("work: 1 item\n"))
        #expect(try vault.sh("latchkey secret-service share --hidden work").status == 0)
        #expect(try vault.sh("latchkey secret-service status").output.contains("hidden while the vault is locked"))
        try vault.set("work/other", "o")
        #expect(try vault.sh("latchkey secret-service status").output.contains("work: 2 items"))
        try vault.lock()
        let locked = try vault.sh("latchkey secret-service status").output
        #expect(!locked.contains("work") && locked.contains("locked: programs see items"), "\(locked)")
        let refused = try vault.sh("latchkey secret-service share other")
        #expect(refused.status == 5 || refused.status == 8, "\(refused)")
        try vault.unlock()
        #expect(try vault.sh("latchkey secret-service unshare work").status == 0)
        let gone = try vault.sh("latchkey secret-service unshare work")
        #expect(gone.status == 4 && gone.errors.contains("no collection"), "\(gone)")
        #expect(try vault.get("work/token") == "t")
        #expect(try vault.sh("latchkey secret-service share ../x").status == 2)
    }
}
