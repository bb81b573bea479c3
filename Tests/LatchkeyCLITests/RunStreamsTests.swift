import Foundation
import TestSupport
import Testing

/// The streams and signals of `latchkey run`. What a shell can show of them is in Fixtures/transcripts/run.txt.
@Suite(.waitsForProcesses) struct RunStreamsTests {
    private let vault: UnlockedVault
    private static let run = "latchkey run --env P=secret --"

    init() throws {
        vault = try UnlockedVault()
        try vault.set("secret", "alphasecret")
    }

    @Test func muchIsCarriedWithoutGrowing() throws {
        let script =
            "\(Self.run) sh -c 'head -c 1073741824 /dev/zero; grep VmHWM /proc/$PPID/status >&2' | tail -c +1 | wc -c"
        let run = try vault.sh(script)
        #expect(run.output == "1073741824\n")
        let peak = try #require(run.errors.firstMatch(of: /VmHWM:\s+(\d+) kB/).flatMap { Int($0.1) })
        #expect(peak < 64 * 1024, "\(peak) KiB")
    }

    @Test func whoeverDoesNotReadHoldsUpTheChildAndNotASignal() throws {
        // The pipe has a reading end, but no reader: first the child blocks, and then the thread that carries its output.
        let script = """
            cd; mkfifo stuck said; exec 3<>stuck
            \(Self.run) sh -c 'echo ready >&2; exec head -c 10000000 /dev/zero' >stuck 2>said & own=$!
            read word <said; echo $word
            while kill $own 2>/dev/null; do sleep 0.05; done; wait $own; echo $?
            """
        #expect(try vault.sh(script).output == "ready\n143\n")
    }

    @Test func aQuestionIsSeenThoughItEndsLikeASecret() throws {
        let terminal = try CommandAtTerminal(
            ["run", "--env", "P=secret", "--", "sh", "-c", "printf 'drive a'; read x; echo \"<$x>\""],
            environment: vault.environment)
        try terminal.wait(for: "drive a")
        terminal.type("b\n")
        try terminal.wait(for: "<b>")
        #expect(terminal.end() == 0)
    }

    /// The child records each signal that it gets, and prints a line when it is ready for the next.
    private static let listener = """
        import signal,sys,os
        names = sys.argv[2:]
        wanted = {getattr(signal, "SIG" + name) for name in names}
        signal.pthread_sigmask(signal.SIG_BLOCK, wanted)
        open(sys.argv[1], "w").write(str(os.getppid()))
        print("ready", flush=True)
        for _ in names: print(signal.Signals(signal.sigwait(wanted)).name, flush=True)
        """

    @Test func signalsArePassedOn() throws {
        let names = ["INT", "TERM", "HUP", "QUIT", "USR1", "USR2", "WINCH", "CONT", "TSTP"]
        let script = """
            cd; mkfifo said; printf '%s' "$LISTENER" >listener.py
            env --default-signal=INT,QUIT \(Self.run) python3 listener.py parent \(names.joined(separator: " ")) >said & own=$!
            exec 3<said; read word <&3; [ "$(cat parent)" = $own ] || echo "$own is not $(cat parent)"
            for name in \(names.joined(separator: " ")); do kill -$name $own; read word <&3; echo $word; done
            wait $own; echo $?
            """
        let run = try vault.sh(script, ["LISTENER": Self.listener])
        #expect(run.output == (names.map { "SIG\($0)" } + ["0"]).joined(separator: "\n") + "\n", "\(run)")
    }

    @Test func theKeysOfTheTerminalReachTheChildOnce() throws {
        let child =
            "n=0; trap 'n=$((n+1)); echo int$n' INT; trap 'exit 7' TERM; echo ready; while :; do sleep 0.05; done"
        let terminal = try CommandAtTerminal(
            ["run", "--env", "P=secret", "--", "sh", "-c", child], environment: vault.environment)
        try terminal.wait(for: "ready")
        for count in 1...3 {
            terminal.type("\u{3}")
            try terminal.wait(for: "int\(count)")
        }
        terminal.type("\u{1C}")
        #expect(terminal.end() == -SIGQUIT)
        #expect(!terminal.shown.contains("int4"))
    }

    @Test func itIsStoppedAndGoesOnWithTheChild() throws {
        // A shell that is about to start a program cannot be stopped, so the child is not a shell.
        let child = """
            import os, signal
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            signal.signal(signal.SIGCONT, lambda *_: os.write(1, b"goes-on "))
            os.write(1, b"ready ")
            while True: signal.pause()
            """
        let terminal = try CommandAtTerminal(
            ["--norc", "--noprofile", "-i"], program: "/bin/bash",
            environment: vault.environment.merging(["CHILD": child, "PS1": "$ ", "HISTFILE": ""]) { $1 })
        terminal.type("\(Self.run) python3 -c \"$CHILD\"\n")
        try terminal.wait(for: "ready")
        terminal.type("\u{1A}")
        try terminal.wait(for: "Stopped")
        terminal.type("fg\n")
        try terminal.wait(for: "goes-on")
        terminal.type("\u{3}")
        terminal.type("echo status=$?=\n")
        try terminal.wait(for: "status=130=")
        terminal.type("exit\n")
        _ = terminal.end()
    }
}
