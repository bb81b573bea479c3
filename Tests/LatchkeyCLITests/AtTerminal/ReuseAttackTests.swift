import Foundation
import TestSupport
import Testing

/// Programs that try to use an authentication that is not theirs, or that is over. Each attack is a program in Python
/// that speaks the protocol of the agent itself.
@Suite(.waitsForProcesses) struct ReuseAttackTests {
    /// A client of the agent, as the attacks import it.
    private static let client = #"""
        import json, os, socket, struct, sys, time
        HOME, PASSCODE = os.environ["HOME"], b"correct horse"
        class Client:
            def __init__(self):
                self.s = socket.socket(socket.AF_UNIX)
                self.s.connect(open(os.environ["LATCHKEY_HOME"] + "/agent.lock").read().splitlines()[1])
            def greeted(self):
                self.frame()
                return self
            def bytes(self, n):
                b = b""
                while len(b) < n:
                    c = self.s.recv(n - len(b))
                    if not c: sys.exit("closed")
                    b += c
                return b
            def frame(self):
                a, b = struct.unpack(">II", self.bytes(8))
                return json.loads(self.bytes(a)), self.bytes(b)
            def send(self, head, secret=b""):
                h = json.dumps(head).encode()
                self.s.sendall(struct.pack(">II", len(h), len(secret)) + h + secret)
            def ask(self, head, typed=PASSCODE, secret=b""):
                self.send(head, secret)
                while True:
                    h, s = self.frame()
                    if "ask" in h: self.send({"answer": "typed", "number": h["ask"]["number"]}, typed)
                    elif "over" not in h: return h, s
            def gets(self):
                h, s = self.ask({"do": "read", "name": "once", "ask": False})
                return s.decode() or h["error"]["kind"]
        def wait_for(name):
            end = time.monotonic() + 120
            while not os.path.exists(f"{HOME}/{name}"):
                if time.monotonic() > end: sys.exit(f"no {name}")
                time.sleep(.02)
        def say(name, text):
            open(f"{HOME}/{name}.new", "w").write(text)
            os.rename(f"{HOME}/{name}.new", f"{HOME}/{name}")
        """#

    /// Runs a script at a terminal with these programs in its home folder. Types the passcode at every prompt.
    private static func attack(
        _ program: String, _ script: String, _ vault: VaultAtTerminal
    ) throws -> (prompts: Int, shown: String) {
        let home = vault.place.path("home")
        try client.write(toFile: home + "/client.py", atomically: true, encoding: .utf8)
        try ("from client import *\n" + program).write(toFile: home + "/a.py", atomically: true, encoding: .utf8)
        return try ReuseTests.session(
            "attack() { python3 \"$HOME/a.py\"; }; said() { until test -e \"$HOME/$1\"; do sleep 0.02; done; cat \"$HOME/$1\"; }; "
                + script, vault)
    }

    /// The process that connected counts, as long as it runs and stays in its session.
    @Test func aConnectionThatLeftTheSessionIsNotOfIt() throws {
        let vault = try ReuseTests.vault()
        let session = try Self.attack(
            #"""
            c = Client().greeted()
            if os.fork(): sys.exit()
            os.setsid()
            wait_for("go")
            say("got", c.gets())
            """#, "attack; latchkey get once | cat; : >\"$HOME/go\"; said got", vault)
        #expect(session.prompts == 1 && session.shown.contains("nobody-there"), "\(session.shown)")
    }

    @Test func aProcessThatLeavesTheSessionLosesIt() throws {
        let vault = try ReuseTests.vault()
        let session = try Self.attack(
            #"""
            if os.fork(): wait_for("got"); sys.exit()
            c = Client().greeted()
            c.ask({"do": "unlock"})
            before = c.gets()
            d = Client().greeted()
            here = d.gets()
            os.setsid()
            say("got", f"{before} {here} {d.gets()}")
            """#, "attack; said got", vault)
        #expect(session.shown.contains("s3cret s3cret nobody-there"), "\(session.shown)")
    }

    /// The number of a process that has connected and ended can pass to one of another session before the agent looks.
    @Test(
        .enabled(
            if: access("/proc/sys/kernel/ns_last_pid", W_OK) == 0 && geteuid() == 0,
            "skipped: needs root, to choose the numbers of processes"))
    func aNumberThatWasPassedOnProvesNothing() throws {
        let vault = try ReuseTests.vault()
        let session = try Self.attack(
            #"""
            import signal
            agent = Client().greeted().ask({"do": "status"})[0]["done"]["process"]
            if os.fork() == 0:
                os.setsid()
                os.kill(agent, signal.SIGSTOP)
                try:
                    a, b = socket.socketpair()
                    p = os.fork()
                    if p == 0:
                        c = Client()
                        socket.send_fds(a, [b"x"], [c.s.fileno()])
                        os._exit(0)
                    os.waitpid(p, 0)
                    fd = socket.recv_fds(b, 1, 1)[1][0]
                    say("number", str(p))
                    wait_for("taken")
                finally:
                    os.kill(agent, signal.SIGCONT)
                c = object.__new__(Client)
                c.s = socket.socket(fileno=fd)
                say("got", c.greeted().gets())
                os._exit(0)
            wait_for("number")
            p = int(open(f"{HOME}/number").read())
            taken = False
            for _ in range(1000):
                open("/proc/sys/kernel/ns_last_pid", "w").write(str(p - 1))
                q = os.fork()
                if q == 0: wait_for("got"); os._exit(0)
                if q == p:
                    taken = True
                    break
                os.kill(q, 9)
                os.waitpid(q, 0)
            say("taken", "")
            print("TAKEN" if taken else "MISSED")
            wait_for("got")
            """#, "latchkey unlock; latchkey get once | cat; attack; said got", vault)
        #expect(session.shown.contains("MISSED") || session.shown.contains("nobody-there"), "\(session.shown)")
    }

    /// A prompt for something else does not renew what the user proved before.
    @Test func whatIsOverStaysOver() throws {
        let vault = try ReuseTests.vault()
        #expect(try vault.at("config", "--reuse", "1s", asked: vault.typingPasscode).status == 0)
        let session = try Self.attack(
            #"""
            c = Client().greeted()
            c.ask({"do": "unlock"})
            time.sleep(2)
            policy = {"accessible": "whenUnlocked", "require": ["applicationPassword"]}
            added = c.ask({"do": "add", "name": "a", "policy": policy}, b"another", b"x")[0]
            print("ADDED" if "done" in added else added, Client().greeted().gets())
            """#, "attack", vault)
        #expect(session.shown.contains("ADDED nobody-there"), "\(session.shown)")
    }

    /// Looking at a secret is no use of it.
    @Test func aLookRenewsNothing() throws {
        let vault = try ReuseTests.vault()
        #expect(try vault.at("config", "--reuse", "2s", asked: vault.typingPasscode).status == 0)
        let session = try ReuseTests.session(
            "latchkey get once | cat; sleep 1.2; latchkey show once >/dev/null; sleep 1.2; latchkey get once | cat",
            vault
        )
        #expect(session.prompts == 2, "\(session.shown)")
    }

    /// While a request holds the vault, the agent still forgets what is over, admits clients and locks.
    @Test func forgettingHoldsUpNoLock() throws {
        let vault = try ReuseTests.vault()
        #expect(try vault.at("config", "--reuse", "1s", asked: vault.typingPasscode).status == 0)
        let session = try Self.attack(
            #"""
            import fcntl
            c = Client().greeted()
            c.ask({"do": "unlock"})
            c.s.close()
            writer = Client().greeted()
            with open(os.environ["LATCHKEY_HOME"] + "/lock", "r+") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                writer.send({"do": "add", "name": "n", "policy": {"accessible": "always", "require": []}}, b"x")
                time.sleep(2)
                begun = time.monotonic()
                Client().greeted().ask({"do": "lock"})
                took = time.monotonic() - begun
            print("AT ONCE" if took < 4 else f"after {took}")
            """#, "attack", vault)
        #expect(session.shown.contains("AT ONCE"), "\(session.shown)")
    }
}
