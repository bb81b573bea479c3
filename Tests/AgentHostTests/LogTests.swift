import AccessPolicy
import AgentProtocol
import Foundation
import PlainText
import SecretVault
import SodiumKit
import TestSupport
import Testing
import UserPresence

extension AgentTests {
    /// The log and long lists, as an agent sends them.
    @Suite(.serialized) struct LogTests {
        /// Returns all parts of an answer under `name`, and its last frame.
        private func parts(
            _ name: String, of request: String, _ client: RawClient
        ) throws -> (values: [WireObject], done: WireObject) {
            client.send(request)
            var values: [WireObject] = []
            while true {
                var head = try client.receive().head
                if var more = try head.consumeHeadIfPresent("more") {
                    values += try more.consumeList(name).compactMap { WireObject($0) }
                } else {
                    return (values, try #require(try head.consumeHeadIfPresent("done")))
                }
            }
        }

        private func records(_ request: String, _ client: RawClient) throws -> [LogRecord] {
            try parts("records", of: request, client).values.map { head in
                var head = head
                return try LogRecord(reading: &head)
            }
        }

        private static let caller = Caller("test", groups: ["latchkey"], interaction: .fail)

        @Test func oneClientsLoopLeavesFewRecordsAndThoseOfOthers() throws {
            let vault = try VaultOfTest()
            let agent = try RunningAgent(vault)
            defer { withExtendedLifetime(agent) {} }
            let client = try RawClient(vault.place.socket)
            _ = try client.ask(#"{"do":"unlock"}"#, [], ["passcode": VaultOfTest.passcode])
            _ = try client.ask(#"{"do":"add","name":"kept","policy":\#(RequestTests.always)}"#, [1])
            #expect(try client.ask(#"{"do":"read","name":"kept"}"#).secret == [1])
            // Each connection is a new client, as in a loop of a shell.
            for number in 0..<400 {
                let prober = number.isMultiple(of: 20) ? try RawClient(vault.place.socket) : client
                #expect(try prober.ask(#"{"do":"read","name":"missing/\#(number)"}"#).head["error"] != nil)
            }
            let all = try records(#"{"do":"log"}"#, client)
            let misses = all.filter { $0.verdict == "denied" && $0.rules.last == "item.not-found" }
            #expect(misses.reduce(0) { $0 + $1.count } == 400)
            #expect(misses.count <= 3, "one a minute, however slow the machine is")
            #expect(all.contains { $0.action == "readData" && $0.verdict == "granted" && $0.name == "kept" })
            let last = try records(#"{"do":"log","latest":2}"#, client)
            #expect(last.map(\.number) == all.suffix(2).map(\.number))
            #expect(try records(#"{"do":"log","after":\#(all[1].number)}"#, client).first?.number == all[2].number)
            #expect(try records(#"{"do":"log","latest":0}"#, client).isEmpty)
        }

        @Test func howTheLogIsKeptTakesThePasscodeToChange() throws {
            let vault = try VaultOfTest()
            let agent = try RunningAgent(vault)
            defer { withExtendedLifetime(agent) {} }
            let client = try RawClient(vault.place.socket)
            func settings(_ frame: RawClient.Frame) throws -> SettingChanges {
                var head = frame.head
                var done = try #require(try head.consumeHeadIfPresent("done"), "\(frame.head.text)")
                return try SettingChanges(from: &done, .log)
            }
            #expect(
                try settings(client.ask(#"{"do":"log-settings"}"#))
                    == SettingChanges(.log, [.logSize: .number(Int(AuditSize.usual)), .durableLog: false]))
            let change = #"{"do":"log-settings","log-size":2097152,"durable-log":true"#
            let refused = try client.ask(change + #","ask":false}"#)
            #expect(refused.head.text.contains("nobody-there") || refused.head.text.contains("locked"))
            _ = try client.ask(#"{"do":"unlock"}"#, [], ["passcode": VaultOfTest.passcode])
            let other = try RawClient(vault.place.socket)
            #expect(try other.ask(change + #","ask":false}"#).head.text.contains("nobody-there"))
            #expect(
                try settings(other.ask(change + "}", [], ["passcode": VaultOfTest.passcode]))
                    == SettingChanges(.log, [.logSize: 2_097_152, .durableLog: true]))
            let tooSmall = try other.ask(
                #"{"do":"log-settings","log-size":5}"#, [], ["passcode": VaultOfTest.passcode])
            #expect(tooSmall.head["error"] != nil)
            var status = WireObject(try #require(try client.ask(#"{"do":"status"}"#).done))
            var report = StatusReport()
            try report.read(from: &status)
            #expect(report.log == SettingChanges(.log, [.logSize: 2_097_152, .durableLog: true]))
        }

        @Test func aReadIsOnRecordThoughTheAgentIsKilledAtOnce() throws {
            let vault = try VaultOfTest()
            let agent = try RunningAgent(vault)
            let client = try RawClient(vault.place.socket)
            let answers = ["passcode": VaultOfTest.passcode]
            _ = try client.ask(#"{"do":"unlock"}"#, [], answers)
            _ = try client.ask(#"{"do":"add","name":"kept","policy":\#(RequestTests.always)}"#, [1])
            _ = try client.ask(#"{"do":"log-settings","durable-log":true}"#, [], answers)
            #expect(try client.ask(#"{"do":"read","name":"kept"}"#).secret == [1])
            kill(agent.process, SIGKILL)
            _ = agent.wait()
            let records = try Vault.open(at: vault.path).auditLog().records
            #expect(records.contains { $0.kind == .granted && $0.action == "readData" })
        }

        /// Takes the lock file of a vault, as another program would, until the descriptor is closed.
        private func lockFile(of vault: VaultOfTest) throws -> Int32 {
            let file = open(vault.path + "/lock", O_RDWR | O_CLOEXEC)
            try #require(file >= 0 && flock(file, LOCK_EX) == 0)
            return file
        }

        /// The agent answers at once although the log is durable. The record follows when the file is free.
        @Test func aHeldLockFileDelaysNoLock() throws {
            let vault = try VaultOfTest()
            let agent = try RunningAgent(vault)
            defer { withExtendedLifetime(agent) {} }
            let client = try RawClient(vault.place.socket)
            let answers = ["passcode": VaultOfTest.passcode]
            _ = try client.ask(#"{"do":"unlock"}"#, [], answers)
            _ = try client.ask(#"{"do":"log-settings","durable-log":true}"#, [], answers)
            let file = try lockFile(of: vault)
            let start = ContinuousClock.now
            #expect(try client.ask(#"{"do":"lock"}"#).done != nil)
            #expect(ContinuousClock.now - start < Patience.withoutWaiting)
            close(file)
            try eventually { try records(#"{"do":"log"}"#, client).contains { $0.action == "lock" } }
        }

        /// If the log cannot be written because the files were replaced, the vault closes itself, and the agent ends.
        @Test func anAgentEndsWhenItsLogCannotGoOn() throws {
            let vault = try VaultOfTest()
            let agent = try RunningAgent(vault)
            let client = try RawClient(vault.place.socket)
            _ = try client.ask(#"{"do":"unlock"}"#, [], ["passcode": VaultOfTest.passcode])
            _ = try client.ask(#"{"do":"add","name":"kept","policy":\#(RequestTests.always)}"#, [1])
            let file = try lockFile(of: vault)
            #expect(try client.ask(#"{"do":"read","name":"kept"}"#).secret == [1])
            let edit = Process()
            edit.executableURL = URL(filePath: "/usr/bin/python3")
            edit.arguments = [
                "-c",
                "import sqlite3,sys; d=sqlite3.connect(sys.argv[1]); d.execute('UPDATE device SET generation=generation-1'); d.commit()",
                vault.path + "/vault.db",
            ]
            try edit.run()
            edit.waitUntilExit()
            try #require(edit.terminationStatus == 0)
            close(file)
            try eventually { !agent.isAlive }
        }

        @Test func aBriefListHasNoComments() throws {
            let vault = try VaultOfTest()
            let agent = try RunningAgent(vault)
            defer { withExtendedLifetime(agent) {} }
            let client = try RawClient(vault.place.socket)
            _ = try client.ask(#"{"do":"unlock"}"#, [], ["passcode": VaultOfTest.passcode])
            _ = try client.ask(#"{"do":"add","name":"kept","policy":\#(RequestTests.always),"comment":"long"}"#, [1])
            for (request, comment) in [(#"{"do":"list"}"#, "long"), (#"{"do":"list","brief":true}"#, "")] {
                let listed = try parts("items", of: request, client).values
                #expect(listed.map { $0["comment"] } == [.string(comment)])
            }
        }

        @Test func aListOfMoreThanWhatFitsIntoTheRoomIsSentPageByPage() throws {
            let vault = try VaultOfTest()
            let comment = String(repeating: "c", count: 60_000)
            do {
                let filling = try Vault.open(at: vault.path)
                try filling.enter(passcode: SecureBytes(VaultOfTest.passcode))
                let items = (0..<1_130).map { number in
                    ItemDescription(
                        .genericPassword,
                        ["acct": .string("a/\(number)"), "svce": .string("latchkey"), "icmt": .string(comment)],
                        AccessControl(.whenUnlockedThisDeviceOnly), group: "latchkey")
                }
                let isStored = try filling.addAll(items, for: Self.caller) { _ in try SecureBytes("x") }.isGranted
                #expect(isStored)
                filling.close()
            }
            let agent = try RunningAgent(vault)
            defer { withExtendedLifetime(agent) {} }
            let client = try RawClient(vault.place.socket)
            _ = try client.ask(#"{"do":"unlock"}"#, [], ["passcode": VaultOfTest.passcode])
            let python = AgentPageTests.package.appending(path: "Tests/Support/AgentClient/latchkey_agent.py").path
            let output = vault.folder.path("list")
            let process = try RunningAgent.spawn(
                ["sh", "-c", #"exec /usr/bin/python3 "$@" > \#(output)"#, "sh", python, "--vault", vault.path, "list"],
                ["XDG_RUNTIME_DIR": vault.runtime, "HOME": vault.folder.url.path], [:])
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0 && errno == EINTR {}
            #expect(status == 0)
            let names = try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n")
            #expect(names.map(String.init) == (0..<1_130).map { "a/\($0)" }.sorted())
            let actions = try records(#"{"do":"log"}"#, client).map(\.action)
            #expect(actions.contains("list") && !actions.contains("inventory"), "a long list is one record")
        }
    }
}
