import AgentProtocol
import Foundation
import Latchkey
import SecretService
import TestSupport
import Testing
import VaultService

/// The prompts that one program can show, and all of them together.
extension SecretStoreTests {
    private static func connection(_ number: Int) -> SecretCaller {
        SecretCaller(connection: ":3.\(number)", process: getpid())
    }

    /// The program of a test is one, whatever its connections are.
    @Test func aDismissalSilencesEveryConnectionOfTheProgramForAMinute() throws {
        let test = try StoreOfTest()
        let item = try test.create("Token", Self.app)
        test.answer = .dismiss
        for number in 0..<70 { #expect(try test.read([item], for: Self.connection(number)).isEmpty) }
        #expect(try test.store.unlock([.item(item)], for: StoreOfTest.bob, CallLifetime()).isEmpty)
        #expect(test.prompts.count == 1)
        let denied = test.store.report.requests.last
        #expect(
            denied?.outcome == .denied && denied?.detail?.contains("secret-service status") == true,
            "\(String(describing: denied))")
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path
        let silence = try #require(test.store.report.silences.first)
        #expect(test.store.report.silences.count == 1 && silence.program == program)
        #expect((0...61).contains(silence.end - Int(Date.now.timeIntervalSince1970)))
        // Another program is asked about, and those that cannot be told are one.
        _ = try test.read([item], for: SecretCaller(connection: ":4.1", process: 0))
        _ = try test.read([item], for: SecretCaller(connection: ":4.2", process: 0))
        #expect(test.prompts.count == 2 && test.store.report.silences.map(\.program) == [program, "unknown"])
        test.skip(milliseconds: 60_000)
        test.answer = .passcode
        #expect(try test.read([item]) == ["s3cret"] && test.prompts.count == 3 && test.store.report.silences.isEmpty)
    }

    @Test func whileAPromptIsOpenTheOtherConnectionsOfItsProgramGetNone() throws {
        let test = try StoreOfTest(rules: "n=2 -> require=nothing accessible=whenUnlocked")
        let item = try test.create("Token", Self.app)
        let open = try test.create("Open", ["n": "2"], "open")
        test.answer = .wait
        let asking = CallLifetime()
        let reading = Background { [test] in Result { try test.read([item], asking) } }
        test.isAsked.wait()
        for number in 0..<70 { #expect(try test.read([item, open], for: Self.connection(number)) == ["open"]) }
        #expect(throws: Never.self) { try test.store.setLabel("x", of: test.login, for: StoreOfTest.bob) }
        #expect(test.prompts.count == 1)
        asking.end()
        #expect(try reading.value.get().isEmpty)
        // One prompt that ended without the user is no dismissal.
        test.answer = .passcode
        #expect(try test.read([item]) == ["s3cret"] && test.prompts.count == 2)
    }

    @Test func aLockThatClosesAPromptIsNoDismissal() throws {
        let test = try StoreOfTest()
        let item = try test.create("Token", Self.app)
        test.answer = .wait
        for _ in 0..<5 {
            let reading = Background { [test] in Result { try test.read([item]) } }
            test.isAsked.wait()
            try test.lock()
            #expect(try reading.value.get().isEmpty)
            #expect(test.store.report.silences.isEmpty)
            try test.unlock()
        }
        test.answer = .passcode
        #expect(try test.read([item]) == ["s3cret"] && test.prompts.count == 6)
    }

    /// A program that withdraws its prompts shows four of them at most, and then none for a minute.
    @Test func aProgramThatWithdrawsItsPromptsIsSilentAfterFour() throws {
        let test = try StoreOfTest()
        let item = try test.create("Token", Self.app)
        test.answer = .wait
        for number in 0..<4 {
            let asking = CallLifetime()
            let reading = Background { [test] in
                Result { try test.read([item], for: Self.connection(number), asking) }
            }
            test.isAsked.wait()
            asking.end()
            _ = try reading.value.get()
        }
        #expect(try test.read([item], for: Self.connection(9)).isEmpty && test.prompts.count == 4)
        // The owner is there, and lets programs prompt again.
        test.answer = .passcode
        test.store.limits.endSilences()
        #expect(try test.read([item]) == ["s3cret"] && test.prompts.count == 5)
    }
}
