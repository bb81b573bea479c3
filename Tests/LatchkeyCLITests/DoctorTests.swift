import AgentProtocol
import Foundation
import TestSupport
import Testing

/// The agent of another version of the command.
@Suite(.serialized, .waitsInOrder) struct OtherVersionTests {
    private let vault: UnlockedVault

    init() throws { vault = try UnlockedVault() }

    /// Greets as an agent of another version does: one of 0.1 has the number of today and names what it knows.
    @Test(arguments: [#"{"knows":[],"latchkey":1,"process":1,"vault":"/"}"#, #"{"latchkey":2}"#])
    func anAgentOfAnotherVersionIsNotTalkedTo(_ greeting: String) throws {
        let other = """
            import fcntl, os, signal, socket, sys
            ready, done = os.pipe()
            if os.fork():
                os._exit(len(os.read(ready, 1)) - 1)
            signal.alarm(300)
            for shared in range(3):
                os.close(shared)
            path = os.environ["LATCHKEY_HOME"]
            lock = os.open(path + "/agent.lock", os.O_RDWR | os.O_CREAT, 0o600)
            fcntl.flock(lock, fcntl.LOCK_EX)
            os.ftruncate(lock, 0)
            os.write(lock, f"{os.getpid()}\\n{path}/other.socket\\n".encode())
            listener = socket.socket(socket.AF_UNIX)
            listener.bind(path + "/other.socket")
            listener.listen()
            os.write(done, b"1")
            while True:
                client, head = listener.accept()[0], sys.argv[1].encode()
                client.sendall(len(head).to_bytes(4, "big") + bytes(4) + head)
                client.recv(1)
            """
        let run = try vault.sh(
            """
            latchkey agent stop >/dev/null; rm -f "$LATCHKEY_HOME/other.socket"
            /usr/bin/python3 -c '\(other)' '\(greeting)' && latchkey status; echo $?
            latchkey agent stop && latchkey status >/dev/null && echo started
            """)
        #expect(run.output == "13\nStopped the agent.\nstarted\n", "\(run)")
        #expect(
            run.errors
                == "latchkey: another version of Latchkey started the agent that runs: run `latchkey agent stop`, "
                + "then try again\n")
    }
}

/// `latchkey doctor` and limits that the shell of a transcript cannot set. Everything else is in Fixtures/transcripts/doctor.txt.
@Suite(.serialized, .waitsInOrder) struct DoctorTests {
    private let vault: UnlockedVault

    init() throws { vault = try UnlockedVault() }

    /// A program of the user can change such a service, and the agent would run what is there then.
    @Test(.needsOrdinaryUser) func aPAMServiceOfTheUserIsRefused() throws {
        let stack = try PAMStack(passcode: UnlockedVault.passcode)
        let error = #expect(throws: (any Error).self) { try vault.change([.pamService: .text(stack.serviceFile)]) }
        #expect("\(String(describing: error))".contains("by others than root"))
    }

    /// A limit that is too low for the agent is reported once, with one remedy.
    @Test func littleLockedMemoryIsFoundOnce() throws {
        struct Finding: Decodable { let what, says: String, fix: String? }
        _ = try vault.sh("latchkey agent stop")
        let path = vault.environment["LATCHKEY_HOME"] ?? ""
        try Privileges.give(URL(filePath: path).deletingLastPathComponent())
        let words = (Privileges.words() + ["prlimit", "--memlock=1048576:1048576", "sh", "-c"]).joined(separator: " ")
        let run = try vault.sh("\(words) 'latchkey doctor --json; latchkey agent stop >/dev/null'")
        let findings = try JSONDecoder().decode([Finding].self, from: Data(run.output.utf8))
        let said = findings.filter { $0.says.contains("locked memory") || $0.what == "locked memory" }
        #expect(said.count == 1 && said.first?.fix != nil, "\(run)")
    }
}
