import Foundation
import LinuxSystem
import Sandbox
import TestSupport
import Testing

/// The end of a command and of all that it has started.
@Suite(.needsUserNamespaces) struct EndTests {
    let work: TemporaryFolder

    init() throws { work = try TemporaryFolder() }

    @Test(arguments: [("exit 7", 7), ("kill -TERM $$", 143), ("true", 0), ("/nowhere", 127)] as [(String, Int32)])
    func theStatusIsThatOfTheCommand(script: String, status: Int32) throws {
        #expect(try SandboxRun(script: script, in: work.url.path).result().status == status)
    }

    @Test func aCommandThatIsMissingIsAnError() throws {
        let result = try SandboxRun(["no-program-has-this-name"], in: work.url.path).result()
        #expect(result.status != 0 && result.text.contains("no-program-has-this-name"))
    }

    @Test func whatItLeftBehindEndsWithIt() throws {
        // The reader waits until the last process has closed the pipe.
        let run = try SandboxRun(script: "setsid -f sleep 1000000; echo gone; exit 3", in: work.url.path)
        let result = try run.result()
        #expect(result.text == "gone\n" && result.status == 3)
    }

    @Test func itEndsFromAnotherThreadAndBeforeItsStart() throws {
        let run = try SandboxRun(script: "sleep 1000000", in: work.url.path)
        let sandbox = run.sandbox
        try sandbox.start()
        let waiting = Background { sandbox.wait() }
        sandbox.end()
        #expect(try waiting.value == 137)
        #expect(sandbox.wait() == 137)
        let held = try SandboxRun(script: "true", in: work.url.path).sandbox
        held.end()
        #expect(held.wait() == 137)
        #expect(throws: SandboxError.self) { try held.start() }
    }

    @Test func itWaitsForItsStart() throws {
        let run = try SandboxRun(script: "touch started", in: work.url.path)
        _ = run.sandbox.check()
        #expect(ClosedOnExec.text(of: work.path("started")) == nil)
        run.sandbox.end()
        #expect(run.sandbox.wait() == 137)
        #expect(ClosedOnExec.text(of: work.path("started")) == nil)
    }

    @Test func itEndsWithTheProcessThatMadeIt() throws {
        var program = try SpawnedProgram(
            "sandbox-exerciser", [work.url.path, "sh", "-c", "setsid -f sleep 1000000; echo up; sleep 1000000"])
        #expect(program.line() == "up")
        program.kill()
        // The pipe has an end once every process inside is gone.
        #expect(program.line() == nil)
        #expect(program.end() == -SIGKILL)
    }

    @Test func itEndsWithTheProcessThatMadeItAlsoBeforeItsStart() throws {
        var program = try SpawnedProgram("sandbox-exerciser", ["--held", work.url.path, "touch", "started"])
        #expect(program.line() == "held")
        program.kill()
        #expect(program.line() == nil)
        #expect(program.end() == -SIGKILL)
        #expect(ClosedOnExec.text(of: work.path("started")) == nil)
    }
}
