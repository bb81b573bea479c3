import AgentProtocol
import Foundation
import PlainText
import SodiumKit
import Synchronization
import TestSupport
import Testing
import UserPresence

extension AgentTests {
    /// The start and the end of an agent.
    @Suite(.serialized) struct LifeTests {
        @Test(arguments: [SIGTERM, SIGINT, SIGHUP, SIGQUIT])
        func aSignalEndsItWithoutWaiting(_ signal: Int32) throws {
            let vault = try VaultOfTest()
            let agent = try RunningAgent(vault)
            let client = try RawClient(vault.place.socket)
            // One signal finds keys to wipe, and each finds an open prompt.
            if signal == SIGTERM { _ = try client.ask(#"{"do":"unlock"}"#, [], RequestTests.answers) }
            let other = try RawClient(vault.place.socket)
            other.send(#"{"do":"\#(signal == SIGTERM ? "change-passcode" : "unlock")"}"#)
            _ = try other.receive()
            let time = ContinuousClock().measure {
                agent.send(signal)
                #expect(agent.wait() == 0)
            }
            #expect(time < Patience.withoutWaiting)
            #expect(client.isClosed() && other.isClosed())
            #expect(!FileManager.default.fileExists(atPath: vault.place.socket))
            let lock = try String(contentsOfFile: vault.path + "/agent.lock", encoding: .utf8)
            #expect(lock == "\n", "nothing says that it is there")
            _ = try RunningAgent(vault)
        }

        @Test func whoeverStopsItIsTold() throws {
            let vault = try VaultOfTest()
            for _ in 0..<20 {
                let agent = try RunningAgent(vault)
                let client = try vault.client()
                try client.stop()
                #expect(agent.wait() == 0)
            }
        }

        @Test func whatAKilledOneLeavesIsNotInTheWay() throws {
            let vault = try VaultOfTest()
            for _ in 0..<3 {
                let agent = try RunningAgent(vault)
                agent.send(SIGKILL)
                agent.wait()
                #expect(FileManager.default.fileExists(atPath: vault.place.socket))
                #expect(try AgentClient.connect(to: vault.place, app: "test") == nil)
            }
            _ = try RunningAgent(vault)
        }

        @Test func aVaultHasOneAgent() throws {
            let vault = try VaultOfTest()
            let agent = try RunningAgent(vault)
            let fault = #expect(throws: RunningAgent.DidNotStart.self) { _ = try RunningAgent(vault) }
            #expect(fault?.description.contains("process \(agent.process)") == true)
            #expect(fault?.description.contains(vault.place.socket) == true)
            // In another environment it is still the same vault, and the client finds its agent.
            let elsewhere = vault.folder.path("elsewhere")
            #expect(throws: RunningAgent.DidNotStart.self) {
                _ = try RunningAgent(vault, variables: ["XDG_RUNTIME_DIR": elsewhere])
            }
            let place = AgentPlace(vault: vault.path, usual: "/nowhere", runtime: elsewhere)
            let client = try #require(try AgentClient.connect(to: place, app: "test"))
            #expect(client.process == agent.process)
        }

        @Test func twoAtTheSameMomentAreOne() throws {
            for _ in 0..<5 {
                let vault = try VaultOfTest()
                let agents = Mutex<[RunningAgent]>([])
                DispatchQueue.concurrentPerform(iterations: 4) { _ in
                    if let agent = try? RunningAgent(vault) { agents.withLock { $0.append(agent) } }
                }
                #expect(agents.withLock { $0.count } == 1)
                #expect(try vault.client().process == agents.withLock { $0.first?.process })
            }
        }

        /// An agent does not take the socket of another vault's agent, whatever its options say.
        @Test func twoVaultsWithOneSocketDoNotRobEachOther() throws {
            let vault = try VaultOfTest()
            let other = try VaultOfTest()
            let data = [vault, other].map { ["XDG_DATA_HOME": $0.folder.path("data")] }
            for one in [vault, other] {
                try FileManager.default.createDirectory(
                    atPath: one.folder.path("data"), withIntermediateDirectories: true)
                try FileManager.default.createSymbolicLink(
                    atPath: one.folder.path("data/latchkey"), withDestinationPath: one.path)
            }
            let agent = try RunningAgent(vault, variables: data[0])
            let socket = vault.runtime + "/latchkey/agent.socket"
            #expect(FileManager.default.fileExists(atPath: socket))
            let fault = #expect(throws: RunningAgent.DidNotStart.self) {
                _ = try RunningAgent(other, variables: data[1].merging(["XDG_RUNTIME_DIR": vault.runtime]) { $1 })
            }
            #expect(fault?.description.contains("another process listens at \(socket)") == true)
            #expect(try RawClient(socket).ask(#"{"do":"status"}"#).done?["process"] == .number("\(agent.process)"))
            // The agent does not remove a file that has replaced its socket.
            unlink(socket)
            try "another's".write(toFile: socket, atomically: false, encoding: .utf8)
            agent.send(SIGTERM)
            agent.wait()
            #expect(FileManager.default.fileExists(atPath: socket))
        }

        /// If twenty commands find no agent, one agent starts and serves all of them.
        @Test func manyThatStartItAtOnceAreAllServed() throws {
            let vault = try VaultOfTest()
            let processes = try (0..<20).map { _ in
                let output = vault.folder.path("out-\(UUID().uuidString)")
                let file = open(output, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
                defer { close(file) }
                let process = try RunningAgent.spawn(
                    [RunningAgent.binary, "status", "--json", "--vault", vault.path],
                    ["XDG_RUNTIME_DIR": vault.runtime, "HOME": vault.folder.url.path], [1: file, 2: file])
                return (process, output)
            }
            var agents: Set<Int64> = []
            for (process, output) in processes {
                var status: Int32 = 0
                while waitpid(process, &status, 0) < 0 && errno == EINTR {}
                let said = try String(contentsOfFile: output, encoding: .utf8)
                #expect(status == 0, "\(said)")
                guard status == 0, var head = WireObject(try JSON(Array(said.utf8))) else { continue }
                agents.insert(try head.consumeNumber("process"))
            }
            #expect(agents.count == 1)
            let client = try vault.client()
            try client.stop()
        }

        /// If the agent is killed at any moment, everything that it acknowledged is stored, and nothing is damaged.
        @Test func killedWhileItWritesItLosesNothing() throws {
            let vault = try VaultOfTest()
            var generator = SeededGenerator(seed: 1)
            var kept: [String: [UInt8]] = [:]
            var number = 0
            for _ in 0..<50 {
                let agent = try RunningAgent(vault)
                let client = try RawClient(vault.place.socket)
                let delay = UInt32.random(in: 0..<30_000, using: &generator)
                let process = agent.process
                let (hasBegun, isDone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
                Thread.detachNewThread {
                    hasBegun.wait()
                    usleep(delay)
                    kill(process, SIGKILL)
                    isDone.signal()
                }
                // Secrets that can be added to a locked vault need no passcode, which would take half a second each
                // time.
                while true {
                    number += 1
                    let secret = (0..<Int.random(in: 1..<2000, using: &generator)).map { UInt8(truncatingIfNeeded: $0) }
                    let head =
                        #"{"do":"add","name":"n\#(number)","policy":{"accessible":"always","require":[]}}"#
                    guard let frame = try? client.ask(head, secret) else { break }
                    #expect(frame.done != nil, "\(frame.head.text)")
                    kept["n\(number)"] = secret
                    hasBegun.signal()
                }
                hasBegun.signal()
                isDone.wait()
                agent.wait()
            }
            #expect(kept.count >= 50)
            let agent = try RunningAgent(vault)
            let client = try RawClient(vault.place.socket)
            for (name, secret) in kept {
                #expect(try client.ask(#"{"do":"read","name":"\#(name)"}"#).secret == secret)
            }
            #expect(try client.ask(#"{"do":"verify"}"#).done?["findings"] == .number("0"))
            #expect(agent.isAlive)
        }
    }
}
