import AgentProtocol
import Foundation
import LatchkeyAgent
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

/// `latchkey doctor`: each problem is found, with its repair.
@Suite(.serialized, .waitsInOrder) struct DoctorTests {
    private let vault: UnlockedVault
    /// The folder of a machine without PAM services, logind and fprintd.
    private let machine: String

    init() throws {
        vault = try UnlockedVault()
        machine = vault.path("machine")
    }

    private struct Finding: Decodable {
        let what: String
        let says: String
        let fix: String?
        let state: String
    }

    private func findings(_ changes: [String: String] = [:]) throws -> [Finding] {
        let run = try vault.sh("latchkey doctor --json", ["LATCHKEY_DOCTOR_ROOT": machine].merging(changes) { $1 })
        let findings = try JSONDecoder().decode([Finding].self, from: Data(run.output.utf8))
        #expect(run.status == (findings.contains { $0.fix != nil } ? 1 : 0))
        return findings
    }

    private var path: String { vault.environment["LATCHKEY_HOME"] ?? "" }

    @Test func aVaultThatIsInOrderHasOnlyWhatTheMachineLacks() throws {
        let findings = try findings()
        #expect(
            Set(findings.map(\.what)).isSuperset(of: [
                "files", "settings", "PAM", "limits", "socket", "agent", "clock",
            ]))
        // A machine without logind cannot say when it sleeps.
        #expect(findings.filter { $0.fix != nil }.allSatisfy { $0.what == "sleep" })
        let text = try vault.sh("latchkey doctor", ["LATCHKEY_DOCTOR_ROOT": machine]).output
        for finding in findings where finding.what != "disk" { #expect(text.contains(finding.says)) }
        #expect(
            findings.first { $0.what == "disk" }?.says.hasSuffix(" free, and 192 KiB set aside for unlocking") == true)
    }

    @Test func whatIsNotInUseIsOffAndPromptsHaveALine() throws {
        for place in [[:], ["LATCHKEY_HOME": vault.path("none")]] {
            let findings = try findings(place)
            #expect(findings.allSatisfy { ($0.state == "bad") == ($0.fix != nil) }, "\(findings)")
            #expect(findings.contains { $0.what == "prompts" }, "\(findings)")
            let notThere = ["cannot be protected", "does not unlock", "none: ", "not used: ", "programs keep no"]
            for finding in findings where notThere.contains(where: { finding.says.contains($0) }) {
                #expect(finding.state == "off", "\(finding)")
            }
            // One word, or the state once more, would be a riddle.
            #expect(findings.allSatisfy { $0.says.contains(" ") && !$0.says.hasPrefix($0.state) }, "\(findings)")
            // Without a bus, nothing tells the agent that the machine sleeps.
            #expect(findings.first { $0.what == "sleep" }?.state == "bad", "\(findings)")
        }
    }

    @Test(arguments: ["vault.db", "device", "lock"]) func aFileThatIsOpenToOthersIsFound(_ name: String) throws {
        let file = "\(path)/\(name)"
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file) }
        let finding = try #require(try findings().first { $0.what == "files" })
        #expect(finding.says.contains("\(name) is open to other users"))
        #expect(finding.fix?.hasPrefix("chmod 600 ") == true)
    }

    /// Nothing shows what the owner chose before the first passcode, so doctor does not call that good.
    @Test func settingsThatAreNotCheckedAreNotCalledGood() throws {
        #expect(try findings().first { $0.what == "settings" }?.says == "they are as you chose them")
        let run = try vault.sh("latchkey agent stop >/dev/null; latchkey doctor; latchkey status")
        let line = try #require(run.output.split(separator: "\n").first { $0.contains("settings") })
        #expect(line.contains("open") && !line.contains("good"), "\(line)")
        #expect(line.contains("not checked until the next unlock"))
        #expect(run.output.split(separator: "\n").count { $0.contains("not checked until the next unlock") } == 2)
        try vault.unlockAnew()
    }

    /// A program of the user can change such a service, and the agent would run what is there then.
    @Test(.needsOrdinaryUser) func aPAMServiceOfTheUserIsRefused() throws {
        let stack = try PAMStack(passcode: UnlockedVault.passcode)
        let error = #expect(throws: (any Error).self) { try vault.change([.pamService: .text(stack.serviceFile)]) }
        #expect("\(String(describing: error))".contains("by others than root"))
    }

    @Test func aFolderOfTheSocketThatOthersMayEnterIsFound() throws {
        let folder = (vault.environment["XDG_RUNTIME_DIR"] ?? "") + "/latchkey"
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder) }
        let found = try findings()
        #expect(found.first { $0.what == "socket" }?.fix != nil)
        #expect(found.first { $0.what == "agent" }?.fix != nil, "a client trusts no such folder either")
    }

    /// A limit that is too low for the agent is reported once, with one remedy.
    @Test func littleLockedMemoryIsFoundOnce() throws {
        _ = try vault.sh("latchkey agent stop")
        try Privileges.give(URL(filePath: path).deletingLastPathComponent())
        let words = (Privileges.words() + ["prlimit", "--memlock=1048576:1048576", "sh", "-c"]).joined(separator: " ")
        let run = try vault.sh("\(words) 'latchkey doctor --json; latchkey agent stop >/dev/null'")
        let findings = try JSONDecoder().decode([Finding].self, from: Data(run.output.utf8))
        let said = findings.filter { $0.says.contains("locked memory") || $0.what == "locked memory" }
        #expect(said.count == 1 && said.first?.fix != nil, "\(run)")
    }

    /// Before there is a vault, what one will need is examined.
    @Test func withoutAVaultTheMachineIsExamined() throws {
        let none = vault.path("none")
        let findings = try findings(["LATCHKEY_HOME": none])
        #expect(
            Set(findings.map(\.what)).isSuperset(of: [
                "vault", "files", "PAM", "limits", "session", "sleep", "sensor",
            ]))
        #expect(findings.first?.says.contains("latchkey init") == true && findings.first?.fix == nil)
        #expect(findings.filter { $0.fix != nil }.allSatisfy { $0.what == "sleep" }, "\(findings)")
        #expect(!FileManager.default.fileExists(atPath: none))
        for name in ["/run/systemd/seats", "/run/dbus/system_bus_socket", "/etc/pam.d"] {
            try FileManager.default.createDirectory(atPath: machine + name, withIntermediateDirectories: true)
        }
        try Data("auth optional pam_latchkey.so\n".utf8).write(to: URL(filePath: machine + "/etc/pam.d/some"))
        let other = try self.findings(["LATCHKEY_HOME": none])
        #expect(other.first { $0.what == "sleep" }?.state == "good", "\(other)")
        #expect(other.first { $0.what == "login" }?.says.contains("some") == true, "\(other)")
        let named = try vault.sh("latchkey doctor --vault /nowhere/at/all", ["LATCHKEY_DOCTOR_ROOT": machine])
        #expect(named.status == 1 && named.output.contains("there is none at /nowhere/at/all"), "\(named)")
    }

    @Test func whatKeepsAVaultFromWorkingIsFoundBeforeThereIsOne() throws {
        let open = vault.path("open")
        try FileManager.default.createDirectory(atPath: open, withIntermediateDirectories: false)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: open)
        let below = try findings(["LATCHKEY_HOME": open + "/vault"])
        #expect(below.first { $0.what == "files" }?.fix?.hasPrefix("chmod go-w ") == true, "\(below)")
        let folder = (vault.environment["XDG_RUNTIME_DIR"] ?? "") + "/latchkey"
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder) }
        #expect(try findings(["LATCHKEY_HOME": vault.path("none")]).first { $0.what == "session" }?.fix != nil)
    }
}
