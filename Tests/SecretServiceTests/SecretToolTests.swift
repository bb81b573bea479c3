import Glibc
import SecretService
import TestSupport
import Testing

private let tool = "/usr/bin/secret-tool"

/// The command secret-tool of libsecret.
@Suite(.enabled(if: Desktop.has(tool), "skipped: needs dbus-daemon and secret-tool"), .waitsForProcesses)
struct SecretToolTests {
    @Test func aSecretIsStoredFoundReplacedAndCleared() throws {
        let desktop = try Desktop()
        try desktop.storeSecret("first", "service", "mail", "user", "me")
        try desktop.storeSecret("second", "service", "mail", "user", "me")
        #expect(desktop.store.all.count == 1, "equal attributes replace an item")
        #expect(desktop.store.all[0].label == "Sample")
        let found = try desktop.bus.run(tool, ["lookup", "service", "mail"])
        #expect((found.status, found.output) == (0, "second"))
        #expect(desktop.store.prompts.count == 1)
        // libsecret deletes only items that say that they are unlocked.
        desktop.store.needsPrompt = false
        let cleared = try desktop.bus.run(tool, ["clear", "service", "mail"])
        #expect(cleared.status == 0, "\(cleared.errors)")
        #expect(desktop.store.all.isEmpty)
        let none = try desktop.bus.run(tool, ["lookup", "service", "mail"])
        #expect((none.status, none.output) == (1, ""))
    }

    @Test func aSearchGetsSeveralSecretsWithOnePrompt() throws {
        let desktop = try Desktop()
        try desktop.storeSecret("first", "service", "mail", "user", "me")
        try desktop.storeSecret("second", "service", "mail", "user", "you")
        let found = try desktop.bus.run(tool, ["search", "--all", "--unlock", "service", "mail"])
        #expect(found.status == 0, "\(found.errors)")
        #expect(found.output.contains("secret = first\n") && found.output.contains("secret = second\n"))
        #expect(desktop.store.prompts.count == 1)
    }

    @Test(arguments: [StoreInMemory.Answer.dismissed, .none])
    func aDismissedPromptEndsTheCommand(_ answer: StoreInMemory.Answer) throws {
        let desktop = try Desktop(millisecondsToAnswer: 300)
        try desktop.storeSecret("s3cret", "service", "mail")
        desktop.store.answer = answer
        let client = try desktop.bus.begin(tool, ["lookup", "service", "mail"])
        if answer == .none {
            // A prompt has no limit but its own: nothing is answered before the user, or the service, ends it.
            #expect(Patience.wait { desktop.store.asking == 1 })
            desktop.stop()
        }
        let run = try client.end()
        #expect(run.status == 1)
        #expect(run.output == "")
        #expect(desktop.store.all.count == 1)
    }

    @Test func aLockedCollectionTakesASecretAfterAPrompt() throws {
        let desktop = try Desktop()
        desktop.store.lockCollection()
        try desktop.storeSecret("s3cret", "service", "mail")
        #expect(desktop.store.all.map { $0.label } == ["Sample"])
        #expect(desktop.store.prompts == [[.collection(StoreInMemory.login)]])
        desktop.store.lockCollection()
        desktop.store.answer = .dismissed
        let run = try desktop.bus.run(tool, ["store", "--label=Other", "service", "other"], input: "x")
        // The command ends with success all the same.
        #expect(run.status != 124, "\(run.errors)")
        #expect(desktop.store.all.map { $0.label } == ["Sample"])
    }

    @Test func theCommandLocksACollection() throws {
        let desktop = try Desktop()
        try desktop.storeSecret("s3cret", "service", "mail")
        let run = try desktop.bus.run(tool, ["lock", "--collection=login"])
        // Version 0.20.5 frees its list twice at its end, after the service has answered.
        #expect([0, SIGSEGV, SIGABRT].contains(run.status), "\(run.errors)")
        #expect(desktop.store.isLocked(StoreInMemory.login))
    }

    @Test func aServiceThatWasKilledAndRestartedServesAgain() throws {
        let desktop = try Desktop()
        try desktop.storeSecret("s3cret", "service", "mail")
        desktop.store.answer = .none
        let client = try desktop.bus.begin(tool, ["lookup", "service", "mail"])
        #expect(Patience.wait { desktop.store.asking == 1 })
        desktop.stop()
        #expect(try client.end().status == 1)
        desktop.store.answer = .granted
        try desktop.restart()
        #expect(try desktop.bus.run(tool, ["lookup", "service", "mail"]).output == "s3cret")
        #expect(desktop.store.all.count == 1)
    }

    @Test func theSessionCollectionIsTheDefaultOne() throws {
        let desktop = try Desktop()
        let run = try desktop.bus.run(
            tool, ["store", "--label=Sample", "--collection=session", "service", "mail"], input: "x")
        #expect(run.status == 0, "\(run.errors)")
        #expect(desktop.store.all.map { $0.id.collection } == [StoreInMemory.login])
    }

    @Test(.timeLimit(.minutes(20))) func manyClientsAtOnceGetWhatTheyAskFor() throws {
        let desktop = try Desktop()
        desktop.store.needsPrompt = false
        for number in 0..<8 { try desktop.storeSecret("secret \(number)", "number", "\(number)") }
        let clients = try (0..<8).map { try desktop.bus.begin(tool, ["lookup", "number", "\($0)"]) }
        for (number, client) in clients.enumerated() { #expect(try client.end().output == "secret \(number)") }
    }
}
