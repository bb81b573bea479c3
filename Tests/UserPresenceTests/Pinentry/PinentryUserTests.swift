import DeviceModel
import Foundation
import TestSupport
import Testing
import UserPresence

/// Prompts by way of a pinentry that a script plays.
@Suite(.waitsForProcesses) struct PinentryUserTests {
    private func prompt(
        _ kind: PromptContent.Kind, fallback: Bool = false, _ change: (inout PromptContent) -> Void = { _ in }
    ) -> Prompt {
        var content = PromptContent(kind, reason: "read work/token", app: "latchkey", offersFallback: fallback)
        change(&content)
        return Prompt(content)
    }

    @Test func eachAnswerOfAPinentryIsAnAnswerToThePrompt() throws {
        let canceled = "echo 'ERR 83886179 Operation cancelled'"
        let long = String(repeating: "x", count: 511)
        let table: [(kind: PromptContent.Kind, fallback: Bool, pins: [String], answer: GivenAnswer)] = [
            (.passcode, false, ["echo 'D s3cret'; echo OK"], .typed("s3cret")),
            (
                .passcode, false, ["echo 'S PASSWORD_FROM_CACHE'; echo '# x'; echo 'D 100%25 %41'; echo OK"],
                .typed("100% A")
            ),
            (.passcode, false, ["echo 'D one '; echo 'D two'; echo OK"], .typed("one two")),
            (.passcode, false, ["printf 'D s3c'; printf 'ret\\nO'; printf 'K\\n'"], .typed("s3cret")),
            (.passcode, false, ["echo 'D \(long)'; echo OK"], .typed(long)),
            (.passcode, false, ["echo 'D \(long)x'; echo OK", "echo 'D short'; echo OK"], .typed("short")),
            (.passcode, false, ["echo 'D \(long)x'; echo OK", "echo 'D \(long)'; echo 'D x'; echo OK"], .cancel),
            (.passcode, false, ["echo OK"], .cancel), (.passcode, true, ["echo OK"], .fallback),
            (.passcode, false, [canceled], .cancel), (.passcode, true, [canceled], .cancel),
            (.passcode, false, ["echo 'ERR 83886142 Timeout'"], .cancel),
            (.passcode, false, ["echo 'ERR 83886278 fully cancelled'"], .cancel),
            (.applicationPassword, false, ["echo 'D ä'; echo OK"], .typed("ä")),
            (.newPasscode, false, ["echo 'D a'; echo OK", "echo 'D a'; echo OK"], .typed("a")),
            (
                .newPasscode, false,
                ["echo 'D a'; echo OK", "echo 'D b'; echo OK", "echo 'D c'; echo OK", "echo 'D c'; echo OK"],
                .typed("c")
            ),
            (.newSecret, false, ["echo 'D a'; echo OK", canceled], .cancel),
            (.recoveryKey, false, ["echo 'D PJK4-PSF5'; echo OK"], .typed("PJK4-PSF5")),
        ]
        for (kind, fallback, pins, answer) in table {
            let script = try PinentryScript(pins: pins)
            let user = script.user()
            #expect(GivenAnswer(user.answer(prompt(kind, fallback: fallback))) == answer, "\(kind) \(pins)")
            #expect(user.trouble == nil && script.isGone, "\(kind) \(pins)")
        }
    }

    @Test func eachButtonIsAnAnswerToThePrompt() throws {
        let (canceled, other) = ("echo 'ERR 83886179 x'", "echo 'ERR 83886194 x'")
        let table: [(kind: PromptContent.Kind, fallback: Bool, choice: String, answer: GivenAnswer)] = [
            (.companion, true, "echo OK", .confirm), (.companion, true, other, .fallback),
            (.companion, false, other, .cancel), (.companion, true, canceled, .cancel),
            (.permission, false, "echo OK", .confirm), (.permission, false, other, .cancel),
            (.permission, false, canceled, .cancel),
        ]
        for (kind, fallback, choice, answer) in table {
            let script = try PinentryScript(choice: choice)
            defer { withExtendedLifetime(script) {} }
            let user = script.user()
            #expect(GivenAnswer(user.answer(prompt(kind, fallback: fallback))) == answer, "\(kind) \(choice)")
        }
        // A fake sensor sees no finger, so its user names one.
        let fake = try PinentryScript(pins: ["echo 'D right index'; echo OK"])
        defer { withExtendedLifetime(fake) {} }
        #expect(GivenAnswer(fake.user().answer(prompt(.biometry) { $0.isSensorFake = true })) == .touch("right index"))
    }

    @Test func thePromptNamesTheProgramTheSecretAndHowLongItCounts() throws {
        let script = try PinentryScript(pins: ["echo 'D x'; echo OK"])
        let user = script.user()
        _ = user.answer(
            prompt(.passcode) {
                $0.reason = "log git in to example.org as me"
                $0.caller = .init(path: "/usr/bin/git\nGETPIN", process: 4711)
                $0.secret = "git/https/example.org/me"
                $0.reach = .session(seconds: 600)
                $0.attempt = 2
            })
        let description = try #require(script.heard.last { $0.hasPrefix("SETDESC ") })
        #expect(
            description
                == "SETDESC \"latchkey\" wants to log git in to example.org as me.%0ASecret: git/https/example.org/me%0A"
                + "Program: /usr/bin/git?GETPIN (process 4711)%0A"
                + "Counts for reading and signing in this session, until 10 minutes after its last use.%0AWrong passcode. This is attempt 2."
        )
        #expect(script.heard.contains("SETPROMPT Passcode:") && script.heard.contains("SETTITLE Latchkey"))
        // These would keep the passcode elsewhere, or send it back and forth.
        #expect(!script.heard.contains { $0.contains("QUALITY") || $0.contains("cache") })
        let reaches: [(PromptContent.Reach, String)] = [
            (.command, "this command only"),
            (.session(seconds: 3600), "reading and signing in this session, until 1 hour after its last use"),
            (.program(seconds: 90), "this program and secret, until 1 minute and 30 seconds after its last use"),
            (.loan(uses: 1, minutes: 30), "this use only"), (.loan(uses: 3, minutes: 30), "3 uses within 30 minutes"),
            (.loan(uses: nil, minutes: 60), "any number of uses within 1 hour"),
            (
                .otherSecrets(seconds: 60),
                "this command, and reading and signing in this session until 1 minute after its last use"
            ),
        ]
        for (reach, words) in reaches {
            let script = try PinentryScript()
            _ = script.user().answer(prompt(.passcode) { $0.reach = reach })
            #expect(script.heard.contains { $0.hasSuffix("%0ACounts for \(words).") }, "\(script.heard)")
        }
    }

    @Test func aLongListIsShownWholeWindowByWindow() throws {
        let lines = (0..<100).map { "work/\($0)/" + String(repeating: "ä%", count: 30) }
        let script = try PinentryScript()
        #expect(script.user().announce(lines))
        let shown = script.heard.filter { $0.hasPrefix("SETDESC ") }
        #expect(shown.allSatisfy { $0.utf8.count < PinentryLine.longest } && shown.count > 5)
        let text = shown.map { $0.dropFirst("SETDESC ".count) }.joined(separator: "%0A")
        #expect(text.components(separatedBy: "%0A") == lines.map { $0.replacing("%", with: "%25") })
        #expect(script.heard.filter { $0 == "CONFIRM" }.count == shown.count)
        // A line that is too long for any window is cut into several.
        let whole = try PinentryScript()
        #expect(whole.user().announce([String(repeating: "%", count: 2000)]))
        #expect(whole.heard.filter { $0.hasPrefix("SETDESC ") }.joined().matches(of: /%25/).count == 2000)
        // The user reads no further.
        for (choice, isYes) in [("echo 'ERR 83886179 x'", false), ("echo 'ERR 83886194 x'", false), ("echo OK", true)] {
            let script = try PinentryScript(choice: choice)
            defer { withExtendedLifetime(script) {} }
            #expect(script.user().announce(lines) == isYes && script.user().confirm(["Hand them over?"]) == isYes)
        }
    }

    @Test func aPinentryThatMisbehavesGivesNoAnswer() throws {
        let greeting = "echo OK hello; "
        let upToPin = greeting + "while read -r line; do case $line in GETPIN) break ;; *) echo OK ;; esac; done; "
        let bodies = [
            "exit 0", "exit 1", "kill -9 $$", "echo nonsense", "echo ERR 1", "echo 'D s3cret'", "printf OK",
            greeting + "exit 0", greeting + "read -r line; echo nonsense; sleep 600",
            greeting + "exec 0<&-; exec 1>&-; sleep 600", upToPin + "exit 0", upToPin + "kill -9 $$",
            upToPin + "echo 'D half'; exit 0", upToPin + "echo 'D %G1'; echo OK; sleep 600",
            upToPin + "echo 'INQUIRE QUALITY x'; sleep 600", upToPin + "echo 'ERR 83918950 no tty'; sleep 600",
            upToPin + "echo 'ERR 99999999999'; sleep 600",
            upToPin + "printf 'D a\\0b'; printf '\\377\\n'; echo; sleep 600",
            upToPin + "yes D | tr -d '\\n'", upToPin + "while :; do printf xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done",
        ]
        for body in bodies {
            let script = try PinentryScript(body)
            let user = script.user()
            #expect(GivenAnswer(user.answer(prompt(.passcode))) == .cancel, "\(body)")
            #expect(user.trouble?.hasPrefix("\(script.path) shows no prompt: ") == true, "\(body)")
            #expect(script.isGone, "\(body)")
        }
    }

    @Test func aPinentryThatHangsIsEnded() throws {
        for body in [
            "sleep 600", "trap '' TERM HUP; echo OK; while :; do sleep 600; done", "echo '# wait'; sleep 600 & wait",
        ] {
            let script = try PinentryScript(body)
            let user = script.user(command: 500)
            #expect(GivenAnswer(user.answer(prompt(.passcode))) == .cancel, "\(body)")
            #expect(user.trouble == "\(script.path) shows no prompt: it does not answer" && script.isGone, "\(body)")
        }
    }

    @Test func theNextPinentryIsTriedIfOneShowsNothing() throws {
        let broken = try PinentryScript("exit 1")
        let missing = try PinentryScript("exit 1")
        try FileManager.default.removeItem(atPath: missing.path)
        let good = try PinentryScript(pins: ["echo 'D s3cret'; echo OK"])
        let user = broken.user(then: [missing, good])
        for _ in 0..<2 {
            #expect(GivenAnswer(user.answer(prompt(.passcode))) == .typed("s3cret"))
            #expect(user.trouble == nil)
            // The broken one is not started again.
            try? FileManager.default.removeItem(atPath: broken.folder.path("process"))
        }
        #expect(broken.process == nil)
        // A user who cancels is not asked again by another program.
        let canceled = try PinentryScript()
        defer { withExtendedLifetime(canceled) {} }
        let other = try PinentryScript(pins: ["echo 'D s3cret'; echo OK"])
        #expect(GivenAnswer(canceled.user(then: [other]).answer(prompt(.passcode))) == .cancel)
        #expect(other.process == nil)
    }

    @Test func aPromptThatEndsElsewhereClosesItsWindow() throws {
        for ending in [Prompt.Ending.systemCanceled, .timedOut, .answered] {
            let script = try PinentryScript(pins: ["sleep 600 & wait"])
            let user = script.user()
            let prompt = prompt(.passcode)
            let answered = Background { GivenAnswer(user.answer(prompt)) }
            #expect(Patience.wait { script.heard.contains("GETPIN") })
            prompt.end(ending)
            #expect(try answered.value == .cancel)
            #expect(script.isGone && prompt.ending == ending && user.trouble == nil)
        }
    }

    @Test func aMatchClosesTheWindowAtTheSensor() throws {
        let script = try PinentryScript(choice: "sleep 600 & wait")
        let user = script.user()
        let prompt = prompt(.biometry, fallback: true) {
            $0.sensor = .touchID
            $0.enrolled = ["right index"]
        }
        // The sensor begins before there is a window.
        #expect(GivenAnswer(user.answer(prompt)) == .touch(nil) && script.process == nil)
        let over = Background { user.standBy(prompt) }
        #expect(Patience.wait { script.heard.contains("CONFIRM") })
        #expect(
            script.heard.contains { $0.hasPrefix("SETDESC ") && $0.hasSuffix("Touch the sensor with right index.") })
        #expect(script.heard.contains("SETOK Enter Passcode"))
        prompt.end(.answered)
        try over.value
        #expect(script.isGone && prompt.ending == .answered)
    }

    @Test func theWindowAtTheSensorTakesTheFallbackAndCancels() throws {
        let table: [(fallback: Bool, choice: String, ending: Prompt.Ending)] = [
            (true, "echo OK", .fallback), (true, "echo 'ERR 83886179 x'", .canceled),
            (true, "echo 'ERR 83886194 x'", .canceled), (false, "echo OK", .canceled),
            (false, "echo 'ERR 83886179 x'", .canceled), (true, "exit 1", .canceled),
        ]
        for (fallback, choice, ending) in table {
            let script = try PinentryScript(choice: choice)
            let prompt = prompt(.biometry, fallback: fallback)
            script.user().standBy(prompt)
            #expect(prompt.ending == ending, "\(choice)")
            #expect(script.heard.contains(fallback ? "CONFIRM" : "CONFIRM --one-button"))
        }
    }

    @Test func aPinentryGetsTheDisplayAndNothingElse() throws {
        let script = try PinentryScript(pins: ["echo 'D x'; echo OK"])
        let place = PinentryPlace(
            ["DISPLAY": ":7", "LC_CTYPE": "C.UTF-8", "LD_PRELOAD": "/evil.so", "SECRET": "x"], home: "/home/me",
            runtime: "/nowhere")
        _ = script.user(place: place).answer(prompt(.passcode))
        // The shell adds these three itself.
        let rest = script.environment.filter { entry in !["PWD=", "SHLVL=", "_="].contains { entry.hasPrefix($0) } }
        #expect(rest.sorted() == ["DISPLAY=:7", "HOME=/home/me", "LC_CTYPE=C.UTF-8", "PATH=/usr/bin:/bin"])
        #expect(script.heard.contains("OPTION lc-ctype=C.UTF-8") && !script.heard.contains { $0.contains("ttyname") })
    }
}
