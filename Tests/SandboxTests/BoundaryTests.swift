import CSandbox
import Foundation
import LinuxSystem
import Sandbox
import TestSupport
import Testing

/// The things that a command in a sandbox has, and those that it has not.
@Suite(.needsUserNamespaces) struct BoundaryTests {
    let work: TemporaryFolder

    init() throws { work = try TemporaryFolder() }

    private func run(_ script: String, change: (inout SandboxPlan) -> Void = { _ in }) throws -> (
        text: String, status: Int32
    ) {
        try SandboxRun(script: script, in: work.url.path, change: change).result()
    }

    @Test func itSeesItsWorkAndTheSystemAndNothingElse() throws {
        let other = try TemporaryFolder()
        try ClosedOnExec.write("secret", to: other.path("secret"))
        try ClosedOnExec.write("mine", to: work.path("file"))
        let path = other.path("secret")
        #expect(try run("cat file; pwd; echo more >new").text == "mine\(work.url.path)\n")
        #expect(ClosedOnExec.text(of: work.path("new")) == "more\n")
        #expect(try run("cat \(path)").status == 1)
        #expect(try run("ls \"$HOME\"").text == "")
        let root = try run("ls /").text.split(separator: "\n").map(String.init)
        let known = [
            "bin", "dev", "etc", "lib", "lib32", "lib64", "libx32", "proc", "run", "sbin", "tmp", "usr", "var",
        ]
        let above = ["/tmp", ProcessInfo.processInfo.environment["HOME"] ?? "", work.url.path]
            .compactMap { $0.split(separator: "/").first.map(String.init) }
        #expect(Set(root).isSubset(of: Set(known + above + ["home", "root"])), "\(root)")
        #expect(try run("touch /usr/x || touch /x || touch /etc/x || touch /run/x").status != 0)
        #expect(try run("cut -d: -f1 /etc/passwd | wc -l; ls /proc | grep -c '^[0-9]'").text.hasPrefix("1\n"))
    }

    @Test func aPathThatIsReadCannotBeWritten() throws {
        let other = try TemporaryFolder()
        try ClosedOnExec.write("known", to: other.path("file"))
        let result = try run("cat \(other.path("file")); touch \(other.path("new"))") { $0.reads = [other.url.path] }
        #expect(result.text.hasPrefix("known") && result.status != 0)
        #expect(ClosedOnExec.text(of: other.path("new")) == nil)
    }

    @Test func aLinkToAFileIsThereUnderItsName() throws {
        let other = try TemporaryFolder()
        try ClosedOnExec.write("known", to: other.path("file"))
        let link = other.path("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: other.path("file"))
        #expect(try run("cat \(link)") { $0.reads = [link] }.text == "known")
        #expect(try run("cat \(link)") { $0.reads = [other.url.path, link] }.text == "known")
    }

    @Test func aFolderThatIsReplacedMeanwhileIsNotGiven() throws {
        let vault = try TemporaryFolder()
        try ClosedOnExec.write("secret", to: vault.path("secret"))
        let folder = work.path("in")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: work.path("link"), withDestinationPath: vault.url.path)
        // Another program exchanges the folder and a link to the vault, over and over.
        let exchanging = """
            import ctypes, os, sys
            os.chdir(sys.argv[1])
            exchange = ctypes.CDLL(None).renameat2
            print("up", flush=True)
            while True: exchange(-100, b"in", -100, b"link", 2)
            """
        var program = try SpawnedProgram(path: "/usr/bin/python3", ["-c", exchanging, work.url.path])
        #expect(program.line() == "up")
        let place = try TemporaryFolder()
        for _ in 0..<30 {
            // Most tries are refused, for one of several reasons.
            let run = try? SandboxRun(script: "cat \(folder)/secret", in: place.url.path) {
                $0.guarded = [vault.url.path]
                $0.reads = [folder]
            }
            if let run { #expect(try !run.result().text.hasPrefix("secret")) }
        }
        program.kill()
        program.end()
    }

    @Test func theSocketsOfAFolderCanBeUsedAndNotReplaced() throws {
        let other = try TemporaryFolder()
        try ClosedOnExec.write("x", to: other.path("file"))
        let result = try run("ls /run/lend; rm /run/lend/file") { $0.sockets = other.url.path }
        #expect(result.text.hasPrefix("file\n") && result.status != 0)
        #expect(ClosedOnExec.text(of: other.path("file")) == "x")
    }

    @Test func aSettingIsReadAndNotChanged() throws {
        let result = try run("cat /etc/ssh/ssh_config; echo more >>/etc/ssh/ssh_config; ls /etc/ssh") {
            $0.settings = [("ssh/ssh_config", "Host a\n")]
        }
        #expect(result.text.hasPrefix("Host a\n") && result.text.hasSuffix("ssh_config\n"), "\(result.text)")
    }

    @Test func theEnvironmentIsTheList() throws {
        let result = try run("exec /usr/bin/env") { $0.environment = [("TOKEN", "a b=c"), ("LANG", "C")] }
        let lines = result.text.split(separator: "\n").map(String.init)
        let names = Set(lines.map { $0.prefix { $0 != "=" } }.map(String.init))
        #expect(names == ["PATH", "HOME", "PWD", "USER", "LOGNAME", "SHELL", "LANG", "TERM", "TOKEN"])
        #expect(lines.contains("TOKEN=a b=c") && lines.contains("LANG=C") && lines.contains("PWD=\(work.url.path)"))
    }

    @Test func noOtherDescriptorArrives() throws {
        // Without the close-on-exec flag, every child inherits an open file.
        let careless = LinuxSystem.open("/dev/null", O_RDONLY)
        defer { close(careless) }
        let listing = "for file in /proc/$$/fd/*; do n=${file##*/}; [ $n -gt 2 ] && [ -L $file ] && echo $n; done; true"
        let text = try run(listing).text
        // The shell lists the folder by one of its own.
        #expect(
            text.split(separator: "\n").allSatisfy { Int($0).map { $0 != careless && $0 < 20 } ?? false }, "\(text)")
        #expect(try run("readlink /proc/self/fd/* | grep -c -v -e pipe -e null -e /proc || true").text == "0\n")
    }

    @Test func itHasNoKeyOfTheSession() throws {
        let key = latchkey_add_session_key("latchkey-test-\(UUID().uuidString)")
        defer { latchkey_revoke_key(key) }
        guard key > 0 else { return }  // a machine without keyrings has none to protect
        // KEYCTL_READ returns the size of the key.
        let reading = """
            import ctypes, os
            keyctl = {"x86_64": 250, "aarch64": 219}[os.uname().machine]
            print(ctypes.CDLL(None).syscall(keyctl, 11, \(key), 0, 0))
            """
        #expect(try Self.outside(["python3", "-c", reading]) == "5\n")
        #expect(try SandboxRun(python: reading, in: work.url.path).result().text == "-1\n")
    }

    /// Runs a command outside, by the present thread, and returns what it writes.
    private static func outside(_ words: [String]) throws -> String {
        let pipe = try LinuxSystem.Pipe()
        defer { close(pipe.reading) }
        var child = Child()
        child.output = .descriptor(pipe.writing)
        let process = try child.start(words[0], isSearched: true, words, environment: ["PATH=/usr/bin:/bin"])
        close(pipe.writing)
        let text = SandboxRun.everything(from: pipe.reading)
        while waitpid(process, nil, 0) < 0 && errno == EINTR {}
        return text
    }

    @Test func itHasNoRightsAndCannotMakeNamespaces() throws {
        let text = try run("grep -E '^(Cap(Eff|Prm|Bnd)|NoNewPrivs)' /proc/self/status; unshare -Ur true || echo none")
            .text
        #expect(text.contains("CapEff:\t0000000000000000") && text.contains("CapBnd:\t0000000000000000"))
        #expect(text.contains("NoNewPrivs:\t1") && text.hasSuffix("none\n"))
    }

    @Test func theSwitchesOfTheSystemAreOutOfReach() throws {
        let writing = """
            import os, socket
            for path in ["/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/proc/kcore"]:
                try: os.write(os.open(path, os.O_WRONLY), b"x"); print("written", path)
                except OSError: pass
            for family in [38, 40, 31, 17]:
                try: socket.socket(family, socket.SOCK_RAW if family == 17 else socket.SOCK_SEQPACKET); print("made", family)
                except OSError: pass
            try: print("read", open("/proc/keys").read())
            except OSError: pass
            for family in [1, 2, 10]: socket.socket(family).close()
            print("over")
            """
        #expect(try SandboxRun(python: writing, in: work.url.path).result().text == "over\n")
    }

    @Test func itCannotTypeIntoATerminal() throws {
        let terminal = try Terminal()
        let typing = """
            import fcntl, termios
            try: fcntl.ioctl(0, termios.TIOCSTI, b"x"); print("typed")
            except OSError as error: print(error.errno)
            """
        let slave = LinuxSystem.open(terminal.path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        defer { close(slave) }
        let result = try SandboxRun(python: typing, in: work.url.path) { $0.input = .descriptor(slave) }.result()
        #expect(["\(EPERM)\n", "\(EIO)\n"].contains(result.text), "\(result.text)")
    }
}
