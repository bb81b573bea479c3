import Foundation
import TestSupport
import Testing

/// The traces of a command that a signal ends while it holds a secret, as seen by another process of the same ordinary
/// user.
@Suite(.waitsForProcesses) struct CommandCrashTests {
    /// A script that creates a vault, starts each command, waits until it holds the secret, looks into it, and ends it.
    private static let driver = """
        import ctypes, fcntl, json, os, pty, resource, select, signal, struct, subprocess, sys, termios, time
        binary, place = sys.argv[1:3]
        os.chdir(place)
        resource.setrlimit(resource.RLIMIT_CORE, (resource.getrlimit(resource.RLIMIT_CORE)[1],) * 2)
        # The threads of tests hold signals back, and ignore some.
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        for number in (signal.SIGQUIT, signal.SIGPIPE): signal.signal(number, signal.SIG_DFL)
        secret = b"S3CRET-of-the-crash-test-" * 4

        def run(words, text=b""):
            done = subprocess.run([binary] + words, input=text, capture_output=True)
            if done.returncode: raise SystemExit(f"{words}: {done}")
            return done.stdout

        def answer(words, answers):
            process, terminal = pty.fork()
            if process == 0: os.execv(binary, [binary] + words)
            shown = b""
            for question, line in answers:
                shown = b""
                while question not in shown:
                    try: shown += os.read(terminal, 4096)
                    except OSError: raise SystemExit(f"{words}: {shown} instead of {question}")
                os.write(terminal, line)
            try:
                while os.read(terminal, 4096): pass
            except OSError: pass
            if os.waitpid(process, 0)[1]: raise SystemExit(f"{words} failed")

        def waiting(pipe):
            return struct.unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, b"    "))[0]

        def eventually(condition, what):
            end = time.monotonic() + 120
            while not condition():
                if time.monotonic() > end: raise SystemExit(f"never: {what}")
                time.sleep(0.005)

        def can_look(process):
            try:
                open(f"/proc/{process}/mem", "rb").close()
                return True
            except OSError: pass
            try:
                os.readlink(f"/proc/{process}/exe")
                return True
            except OSError: return False

        def crash(words, text, number):
            child = subprocess.Popen([binary] + words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            if text is None:
                # It wants to write more than the pipe holds.
                child.stdin.close()
                eventually(lambda: waiting(child.stdout) >= 65536, "a full pipe")
            else:
                child.stdin.write(text)
                child.stdin.flush()
                eventually(lambda: waiting(child.stdin) == 0, "its input is read")
            looked = can_look(child.pid)
            os.kill(child.pid, number)
            # Popen would take what says whether there was a core.
            status = os.waitpid(child.pid, 0)[1]
            said = child.stderr.read()
            print(json.dumps({
                "words": words, "signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0, "sent": int(number),
                "core": os.WCOREDUMP(status) if os.WIFSIGNALED(status) else False, "looked": looked,
                "said": said.decode(errors="replace")[:2000]}))
            child.returncode = 0

        answer(["init", "--own-passcode", "--default-policy", "every-time"], [(b"New passcode: ", b"correct horse\\n"), (b"again: ", b"correct horse\\n"), (b"to skip this: ", b"\\n")])
        try:
            run(["set", "big", "--preset", "open"], secret * 2000)
            git = b"protocol=https\\nhost=example.com\\nusername=a\\npassword=" + secret
            docker = b'{"ServerURL":"a","Username":"b","Secret":"' + secret
            csv = b"name,password\\na," + secret
            cases = [
                (["get", "big"], None), (["set", "n"], secret), (["edit", "big"], secret),
                (["git-credential", "store"], git), (["git-credential", "erase"], git),
                (["docker-credential", "store"], docker), (["import", "csv"], csv), (["import", "csv", "--dry-run"], csv),
                (["run", "--env", "P=small", "--", "yes"], None),
            ]
            run(["set", "small", "--preset", "open"], secret)
            for words, text in cases:
                # run hands SIGQUIT on to what it has started.
                crash(words, text, signal.SIGABRT if words[0] == "run" else signal.SIGQUIT)
            for number in (signal.SIGABRT, signal.SIGSEGV): crash(["get", "big"], None, number)
            print(json.dumps([json.loads(line) for line in run(["log", "--json"]).splitlines()]))
        finally:
            subprocess.run([binary, "agent", "stop"], capture_output=True)
        """

    private struct Crash: Decodable {
        let words: [String]
        let signal: Int32
        let sent: Int32
        let core: Bool
        let looked: Bool
        let said: String
    }

    private struct Record: Decodable {
        struct Caller: Decodable { let executable: String? }
        let action: String
        let caller: Caller
    }

    /// The user for the commands if root runs the tests.
    private static let user = 65_534
    private static let canDrop = getuid() != 0 || FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")

    private func look(at binary: String, backtrace: String) throws {
        let place = try TemporaryFolder()
        let copy = try Command.copy(URL(filePath: binary), into: place.url.path, mode: 0o755).path
        try FileManager.default.createDirectory(atPath: place.path("run"), withIntermediateDirectories: false)
        #expect(chmod(place.path("run"), 0o700) == 0)
        var words = ["/usr/bin/python3", "-c", Self.driver, copy, place.url.path]
        if getuid() == 0 {
            for path in ["", "/run"] + Command.programs.map({ "/" + $0 }) {
                #expect(chown(place.url.path + path, uid_t(Self.user), gid_t(Self.user)) == 0)
            }
            words = ["/usr/bin/setpriv", "--reuid=\(Self.user)", "--regid=\(Self.user)", "--clear-groups"] + words
        }
        let run = try Command.run(
            Array(words.dropFirst()),
            environment: [
                "LATCHKEY_HOME": place.path("vault"), "XDG_RUNTIME_DIR": place.path("run"), "HOME": place.url.path,
                "SWIFT_BACKTRACE": backtrace,
            ], program: URL(filePath: words[0]))
        let lines = run.output.split(separator: "\n").map { Data($0.utf8) }
        try #require(run.status == 0 && lines.count == 12, "\(run)")
        for line in lines.dropLast() {
            let crash = try JSONDecoder().decode(Crash.self, from: line)
            #expect(crash.signal == crash.sent && !crash.core, "\(crash)")
            #expect(crash.said.isEmpty && !crash.looked, "\(crash)")
        }
        // A process that closed itself to others had named itself before.
        let records = try JSONDecoder().decode([Record].self, from: lines[11])
        let ofCommands = records.filter { ["add", "readData", "inventory"].contains($0.action) }
        #expect(ofCommands.count > 3 && ofCommands.allSatisfy { $0.caller.executable == copy }, "\(records)")
        let left = try FileManager.default.contentsOfDirectory(atPath: place.url.path)
        #expect(!left.contains { $0.hasPrefix("core") }, "\(left)")
    }

    @Test(.enabled(if: canDrop, "skipped: needs setpriv to become an ordinary user"))
    func nothingIsLeftOfACommandThatASignalEnds() throws {
        try look(at: Command.built.path, backtrace: "enable=yes,color=no")
    }

    private static let installable = ProcessInfo.processInfo.environment["LATCHKEY_INSTALLABLE"]

    @Test(.enabled(if: canDrop && installable != nil, "skipped: needs the static build, which make soak has"))
    func nothingIsLeftOfTheStaticBuildEither() throws {
        // Its runtime looks beside the command for the program that prints, and finds it where it is told.
        let path = try Command.run(["-c", Self.whereBacktracerIs], program: URL(filePath: "/bin/sh")).output
        try look(
            at: #require(Self.installable),
            backtrace: "enable=yes,color=no,swift-backtrace=\(path.trimmingCharacters(in: .newlines))")
    }

    private static let whereBacktracerIs =
        "dirname \"$(dirname \"$(readlink -f \"$(command -v swift)\")\")\" | sed 's,$,/libexec/swift/linux/swift-backtrace-static,'"

    /// `latchkey run` passes its own signals and limits on to the program.
    @Test func whatRunStartsHasItsSignalsAndLimits() throws {
        let vault = try UnlockedVault()
        try vault.set("a", "a secret")
        let look = "ulimit -S -c; grep -E '^Sig(Ign|Cgt|Blk)' /proc/self/status; trap"
        for ignored in ["", "trap '' QUIT INT ABRT;"] {
            for line in ["--env A=a", "--env A=a --no-masking", ""] {
                let run = try vault.sh(
                    "\(ignored) ulimit -S -c $(ulimit -H -c); sh -c \"$LOOK\"; latchkey run \(line) -- sh -c \"$LOOK\"",
                    ["LOOK": look])
                let lines = run.output.split(separator: "\n")
                #expect(lines.count == 8 && lines.prefix(4) == lines.suffix(4), "\(line): \(run)")
            }
        }
    }
}
