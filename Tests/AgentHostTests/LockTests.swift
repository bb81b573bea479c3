import AgentProtocol
import Foundation
import PlainText
import TestSupport
import Testing
import UserPresence

extension AgentTests {
    /// Locking and ending while clients are busy, and while another program holds the vault's files.
    @Suite(.serialized) struct LockTests {
        /// The time within which a lock has to happen. Waiting for the file lock takes ten seconds. The figure is
        /// `lock.contended.ms`.
        private static let atOnce = Duration.seconds(3)

        /// Clients at work, each with a thread: most of them read, and six write.
        private final class BusyClients {
            private let group = DispatchGroup()
            private let isOver = Flag()
            /// A flag that is raised when the agent has answered a lock. It counts secrets that were requested after
            /// that and released.
            let answers = Flag()

            init(_ vault: VaultOfTest, count: Int) {
                let isConnected = DispatchSemaphore(value: 0)
                for number in 0..<count {
                    group.enter()
                    Thread.detachNewThread { [group, isOver, answers, socket = vault.place.socket] in
                        defer { group.leave() }
                        let client = try? RawClient(socket)
                        isConnected.signal()
                        while !isOver.isUp, let client {
                            let isLocked = answers.isUp
                            let frame = try? client.ask(
                                number < 6 ? Self.writing(number) : Self.reading, number < 6 ? [1] : [])
                            guard let frame else { return }
                            if isLocked && number >= 6 && frame.kind != "locked" { answers.add() }
                        }
                    }
                    isConnected.wait()
                }
            }

            private static let reading = #"{"do":"read","name":"there"}"#

            private static func writing(_ number: Int) -> String {
                #"{"do":"add","name":"n\#(number)","policy":{"accessible":"always","require":[]},"replace":true}"#
            }

            func end() {
                isOver.raise()
                group.wait()
            }
        }

        private func unlocked(_ vault: VaultOfTest) throws -> RawClient {
            let client = try RawClient(vault.place.socket)
            #expect(try client.ask(#"{"do":"unlock"}"#, [], RequestTests.answers).done != nil)
            let head = #"{"do":"add","name":"there","policy":{"accessible":"whenUnlockedThisDeviceOnly","require":[]}}"#
            #expect(try client.ask(head, [1, 2, 3]).done != nil)
            return client
        }

        private func holdingFile(of vault: VaultOfTest, _ body: () throws -> Void) throws {
            let file = open(vault.path + "/lock", O_RDWR | O_CLOEXEC)
            try #require(file >= 0)
            defer { close(file) }
            while flock(file, LOCK_EX | LOCK_NB) != 0 { usleep(100) }
            try body()
        }

        /// Runs SQL statements on the vault's database, as another program would.
        private func edit(_ vault: VaultOfTest, _ statements: String) throws {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/python3")
            process.arguments = [
                "-c",
                "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.executescript(sys.argv[2]); c.commit()",
                vault.path + "/vault.db", statements,
            ]
            try process.run()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
        }

        /// An error would look as if the vault were still unlocked.
        @Test func aLockThatCannotBeRecordedSaysThatItLocked() throws {
            let vault = try VaultOfTest()
            let agent = try RunningAgent(vault)
            defer { withExtendedLifetime(agent) {} }
            let client = try unlocked(vault)
            try edit(vault, "UPDATE device SET generation = generation + 1;")
            let answer = try client.ask(#"{"do":"lock"}"#)
            // On a busy machine the answer comes before the agent has found the damage.
            let done = try #require(answer.done, "\(answer.head.text)")
            #expect(done["unrecorded"] != nil || done["record-waits"] == .bool(true), "\(answer.head.text)")
            #expect(Patience.wait { !agent.isAlive }, "the next agent opens the vault anew")
        }

        /// The answer comes while the other program still holds the file, and says that the record follows.
        @Test func theCommandAnswersWhileAnotherProgramHoldsTheFile() throws {
            let vault = try VaultOfTest()
            let agent = try RunningAgent(vault)
            defer { withExtendedLifetime(agent) {} }
            let client = try unlocked(vault)
            // The agent has looked for folders once.
            var folders = try client.ask(#"{"do":"encrypted-folders"}"#)
            while folders.done == nil { folders = try client.answer() }
            let holder = try RunningAgent.spawn(
                [
                    "python3", "-c",
                    "import fcntl, sys, time; f = open(sys.argv[1], 'r+'); fcntl.flock(f, 2); time.sleep(3600)",
                    vault.path + "/lock",
                ], [:], [:])
            defer {
                kill(holder, SIGKILL)
                waitpid(holder, nil, 0)
            }
            let file = open(vault.path + "/lock", O_RDWR | O_CLOEXEC)
            defer { close(file) }
            func isHeld() -> Bool {
                if flock(file, LOCK_EX | LOCK_NB) != 0 { return true }
                flock(file, LOCK_UN)
                return false
            }
            try #require(Patience.wait { isHeld() })
            let busy = BusyClients(vault, count: 12)
            let output = vault.folder.path("output")
            let said = open(output, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
            defer { close(said) }
            let command = try RunningAgent.spawn(
                [RunningAgent.binary, "lock", "--vault", vault.path],
                ["XDG_RUNTIME_DIR": vault.runtime, "HOME": vault.folder.url.path], [1: said, 2: said])
            var status: Int32 = -1
            while waitpid(command, &status, 0) < 0 && errno == EINTR {}
            #expect(isHeld() && kill(holder, 0) == 0)
            #expect(status == 0)
            let lines = try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n")
            #expect(lines == ["Locked the vault."])
            kill(holder, SIGKILL)
            #expect(try client.ask(#"{"do":"read","name":"there"}"#).kind == "locked")
            busy.end()
            // The record follows.
            func hasRecord() throws -> Bool {
                var frame = try client.ask(#"{"do":"log"}"#)
                var text = ""
                while frame.done == nil && frame.kind == nil {
                    text += frame.head.text
                    frame = try client.receive()
                }
                return text.contains(#""action":"lock""#)
            }
            #expect(try Patience.wait(everyMilliseconds: 50) { try hasRecord() })
        }

        @Test func aDamagedLogHidesNotHowTheVaultIs() throws {
            let vault = try VaultOfTest()
            let agent = try RunningAgent(vault)
            defer { withExtendedLifetime(agent) {} }
            let client = try unlocked(vault)
            try edit(vault, "UPDATE ledger SET sealed = zeroblob(length(sealed));")
            let status = try client.ask(#"{"do":"status"}"#)
            #expect(status.done?["state"] == .string("unlocked"), "\(status.head.text)")
        }

        @Test func busyClientsHoldUpNoLock() throws {
            let vault = try VaultOfTest()
            let agent = try RunningAgent(vault)
            let client = try unlocked(vault)
            let busy = BusyClients(vault, count: 64)
            try holdingFile(of: vault) {
                let start = ContinuousClock.now
                let answer = try client.ask(#"{"do":"lock"}"#)
                #expect(ContinuousClock.now - start < Self.atOnce)
                #expect(answer.done != nil)
                busy.answers.raise()
            }
            // From now on every request is denied, also on connections that were open before.
            #expect(try client.ask(#"{"do":"read","name":"there"}"#).kind == "locked")
            busy.end()
            #expect(busy.answers.count == 0, "nothing is read once a lock was answered")
            #expect(agent.isAlive)
        }

        /// The agent greets new clients while others wait for the file.
        @Test func newClientsAreGreetedWhileOthersWait() throws {
            let vault = try VaultOfTest()
            let agent = try RunningAgent(vault, ["--lock-after", "3600"])
            _ = try unlocked(vault)
            let busy = BusyClients(vault, count: 12)
            try holdingFile(of: vault) {
                for _ in 0..<5 {
                    let time = try ContinuousClock().measure { _ = try RawClient(vault.place.socket) }
                    #expect(time < Self.atOnce)
                }
            }
            busy.end()
            #expect(agent.isAlive)
        }

        /// `latchkey agent stop` returns when the process is gone, even if another program holds the vault's files.
        @Test(arguments: [true, false]) func stopComesBackWhenTheProcessIsGone(isCutOff: Bool) throws {
            let vault = try VaultOfTest()
            let agent = try RunningAgent(vault)
            _ = try unlocked(vault)
            let busy = BusyClients(vault, count: 12)
            if isCutOff { unlink(vault.place.socket) }
            try holdingFile(of: vault) {
                let output = vault.folder.path("output")
                let file = open(output, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
                defer { close(file) }
                let process = try RunningAgent.spawn(
                    [RunningAgent.binary, "agent", "stop", "--vault", vault.path],
                    ["XDG_RUNTIME_DIR": vault.runtime, "HOME": vault.folder.url.path], [1: file, 2: file])
                var status: Int32 = -1
                let time = ContinuousClock().measure {
                    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
                }
                #expect(!agent.isAlive)
                #expect(status == 0)
                #expect(time < .seconds(8))
                let lines = try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n")
                #expect(lines.contains("Stopped the agent."))
                // The held file keeps the last record from the log. An agent without its socket cannot say so.
                #expect(lines.contains { $0.contains("the audit log") } == !isCutOff, "\(lines)")
            }
            busy.end()
        }

        /// An agent that does not end is not reported as ended.
        @Test func anAgentThatDoesNotEndIsReported() throws {
            let vault = try VaultOfTest()
            let agent = try RunningAgent(vault)
            agent.send(SIGSTOP)
            let fault = #expect(throws: AgentError.self) {
                try AgentClient.end(agent.process, of: vault.place, within: 200)
            }
            #expect(fault?.message.contains("process \(agent.process)") == true)
            #expect(agent.isAlive)
            agent.send(SIGCONT)
            #expect(agent.wait() == 0)
        }
    }
}
