import AgentProtocol
import Foundation
import PlainText
import TestSupport
import Testing
import UserPresence

extension AgentTests {
    /// The users who may connect, and files that lie where the socket should be.
    @Suite(.serialized) struct PlaceTests {
        private static let connecting = """
            import socket, sys
            one = socket.socket(socket.AF_UNIX)
            try:
                one.connect(sys.argv[1])
                print("heard", one.recv(1000))
            except OSError as error:
                print(error.strerror)
            """

        /// The agent serves everyone but SSH clients then.
        @Test func aFileInThePlaceOfTheSocketForSSHIsNamed() throws {
            let vault = try VaultOfTest()
            let place = URL(filePath: vault.place.sshSocket)
            try FileManager.default.createDirectory(
                at: place.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try Data().write(to: place)
            let agent = try RunningAgent(vault)
            defer { withExtendedLifetime(agent) {} }
            let reply = try RawClient(vault.place.socket).ask(#"{"do":"ssh-keys"}"#).head.text
            #expect(reply.contains("is no socket of yours: move it away") && !reply.contains("\"socket\":"), "\(reply)")
            #expect(try Data(contentsOf: place).isEmpty)
        }

        /// Two spellings of an accent are equal strings and two folders.
        @Test func equalStringsCanBeTwoVaults() {
            let (usual, other) = ("/nowhere/\u{E9}", "/nowhere/e\u{301}")
            func socket(_ vault: String) -> String {
                AgentPlace(vault: vault, usual: usual, runtime: "/nowhere/run").socket
            }
            #expect(usual == other && socket(usual) == "/nowhere/run/latchkey/agent.socket")
            #expect(socket(other).contains(/\/latchkey\/[0-9a-f]{16}\.socket$/))
        }

        @Test(.needsRoot) func anotherUserIsNotHeard() throws {
            let vault = try VaultOfTest()
            let agent = try RunningAgent(vault)
            let socket = vault.place.socket
            #expect(try OtherUser.python(Self.connecting, [socket], as: Privileges.otherUser) == "Permission denied\n")
            // With all permissions opened, the agent itself closes the connection without a message.
            for path in [vault.folder.url.path, vault.runtime, vault.runtime + "/latchkey"] { chmod(path, 0o755) }
            chmod(socket, 0o666)
            #expect(try OtherUser.python(Self.connecting, [socket], as: Privileges.otherUser) == "heard b''\n")
            #expect(agent.isAlive)
        }

        @Test(.needsRoot) func aListenerWhoIsAnotherIsToldNothing() throws {
            let vault = try VaultOfTest()
            mkdir(vault.runtime + "/latchkey", 0o700)
            let impostor = Process()
            let output = Pipe()
            impostor.executableURL = URL(filePath: "/usr/bin/python3")
            impostor.arguments = [
                "-c",
                """
                import os, socket, sys
                one = socket.socket(socket.AF_UNIX)
                one.bind(sys.argv[1])
                os.setuid(\(Privileges.otherUser))
                one.listen()
                print("listens", flush=True)
                print(one.accept()[0].recv(100), flush=True)
                """, vault.place.socket,
            ]
            impostor.standardOutput = output
            try impostor.run()
            #expect(try output.fileHandleForReading.read(upToCount: 8) == Data("listens\n".utf8))
            let fault = #expect(throws: AgentError.self) { _ = try AgentClient.connect(to: vault.place, app: "test") }
            #expect(fault?.message.contains("another user listens at") == true)
            #expect(try output.fileHandleForReading.read(upToCount: 4) == Data("b''\n".utf8))
            impostor.waitUntilExit()
            // An agent does not remove what another user has put there.
            #expect(chown(vault.place.socket, Privileges.otherUser, Privileges.otherUser) == 0)
            let refused = #expect(throws: RunningAgent.DidNotStart.self) { _ = try RunningAgent(vault) }
            #expect(refused?.description.contains("is no socket of yours: move it away") == true)
        }

        /// Obstacles at the place of the socket or its folder, with the error for each.
        static let obstacles: [(String, says: String, put: @Sendable (VaultOfTest) throws -> Void)] = [
            (
                "a file", "is no socket of yours: move it away",
                { try Data("x".utf8).write(to: URL(filePath: $0.place.socket)) }
            ),
            (
                "a link", "is no socket of yours: move it away",
                { symlink($0.runtime + "/elsewhere", $0.place.socket) }
            ),
            ("a folder", "is no socket of yours: move it away", { mkdir($0.place.socket, 0o700) }),
            ("an open folder", "is open to others: run `chmod go=", { chmod($0.runtime + "/latchkey", 0o755) }),
            (
                "a link for a folder", "is a symbolic link: remove it",
                {
                    rmdir($0.runtime + "/latchkey")
                    mkdir($0.runtime + "/there", 0o700)
                    symlink($0.runtime + "/there", $0.runtime + "/latchkey")
                }
            ),
            (
                "a file for a folder", "is no folder: move it away",
                {
                    rmdir($0.runtime + "/latchkey")
                    try Data().write(to: URL(filePath: $0.runtime + "/latchkey"))
                }
            ),
            (
                "an open folder above", "which others may write to: move it", { chmod($0.runtime, 0o777) }
            ),
        ]

        @Test func whatIsInTheWayIsNamedWithAWayOut() throws {
            for (name, says, put) in Self.obstacles { try expectRefusal(name, says, put) }
        }

        @Test(.needsRoot) func aFolderOfSomebodyElseIsRefused() throws {
            try expectRefusal("a folder of another user", "belongs to user") {
                chown($0.runtime + "/latchkey", Privileges.otherUser, Privileges.otherUser)
            }
        }

        private func expectRefusal(_ name: String, _ says: String, _ put: (VaultOfTest) throws -> Void) throws {
            let vault = try VaultOfTest()
            #expect(mkdir(vault.runtime + "/latchkey", 0o700) == 0)
            try put(vault)
            let refused = #expect(throws: RunningAgent.DidNotStart.self, "\(name)") { _ = try RunningAgent(vault) }
            #expect(refused?.description.contains(says) == true, "\(name): \(refused?.description ?? "")")
            // A client does not connect to any of them, and reports the folder in the same words.
            do throws(AgentError) {
                #expect(try AgentClient.connect(to: vault.place, app: "test") == nil, "\(name)")
            } catch {
                #expect(error.message.contains(says), "\(name): \(error)")
            }
            chmod(vault.runtime, 0o700)
        }

        @Test func aSocketWithALongPathIsRefusedWithAWayOut() throws {
            let vault = try VaultOfTest()
            let long = vault.folder.path(String(repeating: "x", count: 100))
            try FileManager.default.createDirectory(
                atPath: long, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            let refused = #expect(throws: RunningAgent.DidNotStart.self) {
                _ = try RunningAgent(vault, variables: ["XDG_RUNTIME_DIR": long])
            }
            #expect(refused?.description.contains("is too long for a socket") == true)
        }
    }

    /// A vault that is not used locks itself.
    @Suite(.serialized) struct IdleTests {
        private func state(_ vault: VaultOfTest) throws -> JSON? {
            try RawClient(vault.place.socket).ask(#"{"do":"status"}"#).done?["state"]
        }

        @Test func promptsAndRequestsKeepItAwakeAndNothingElse() throws {
            let vault = try VaultOfTest()
            let idle = Duration.seconds(2)
            let agent = try RunningAgent(vault, ["--lock-after", "2"])
            let owner = try RawClient(vault.place.socket)
            let unlock = { _ = try owner.ask(#"{"do":"unlock"}"#, [], RequestTests.answers) }
            try unlock()
            _ = try owner.ask(#"{"do":"add","name":"guarded","policy":\#(RequestTests.passcode)}"#, [7])
            // Together, the pauses are longer than the vault stays unlocked. A single pause as long as that means a
            // busy machine.
            var last = ContinuousClock.now
            for _ in 0..<10 {
                usleep(300_000)
                let frame = try owner.ask(#"{"do":"read","name":"guarded","ask":false}"#)
                if ContinuousClock.now - last < idle { #expect(frame.secret == [7]) }
                last = .now
                if frame.secret != [7] { try unlock() }
            }
            let client = try RawClient(vault.place.socket)
            client.send(#"{"do":"read","name":"guarded"}"#)
            _ = try client.receive()
            client.wait(atMost: 3)
            #expect(throws: RawClient.Trouble.timedOut) { _ = try client.receive() }
            client.wait(atMost: Patience.seconds)
            client.send(#"{"answer":"typed","number":1}"#, Array(VaultOfTest.passcode.utf8))
            #expect(try client.answer().secret == [7])
            let silent = try RawClient(vault.place.socket)
            try eventually { try state(vault) == .string("locked") }
            #expect(try owner.ask(#"{"do":"read","name":"guarded","ask":false}"#).kind == "locked")
            withExtendedLifetime(silent) {}
            #expect(agent.isAlive)
        }

        /// `latchkey log --follow`, and a shell that completes names, send such requests.
        @Test func whoOnlyLooksDoesNotKeepItAwake() throws {
            let vault = try VaultOfTest()
            let agent = try RunningAgent(vault, ["--lock-after", "1"])
            let owner = try RawClient(vault.place.socket)
            let begun = ContinuousClock.now
            _ = try owner.ask(#"{"do":"unlock"}"#, [], RequestTests.answers)
            let isUnlocked = try state(vault) == .string("unlocked")
            #expect(isUnlocked || ContinuousClock.now - begun > .seconds(1))
            try eventually {
                usleep(150_000)
                for request in ["list", "log", "enrolled"] { _ = try owner.ask(#"{"do":"\#(request)"}"#) }
                return try state(vault) == .string("locked")
            }
            #expect(agent.isAlive)
        }

        @Test(arguments: ["0", "9223372036854775807", "315360000000"])
        func anyNumberOfSecondsIsTaken(_ seconds: String) throws {
            let vault = try VaultOfTest(settings: VaultSettings([.lockAfter: 1]))
            let agent = try RunningAgent(vault, ["--lock-after", seconds])
            let client = try RawClient(vault.place.socket)
            let isLongest = seconds == "9223372036854775807"
            if isLongest { _ = try client.ask(#"{"do":"unlock"}"#, [], RequestTests.answers) }
            let after = try client.ask(#"{"do":"status"}"#).done?["locks-after"]
            #expect(seconds == "0" ? after == .null : after == .number("\(10 * 366 * 86_400)"))
            if isLongest { #expect(try state(vault) == .string("unlocked")) }
            #expect(agent.isAlive)
        }
    }
}
