import AgentProtocol
import Foundation
import TestSupport
import Testing

extension AgentTests {
    /// The limits that an agent inherits from the first command.
    @Suite(.serialized) struct ResourceLimitTests {
        /// Returns the soft and the hard limit of each resource of a process, as /proc lists them.
        private func limits(of process: Int32) throws -> [String: (soft: String, hard: String)] {
            var limits: [String: (String, String)] = [:]
            for line in try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8).split(separator: "\n") {
                // The name takes 26 columns, and each limit 21.
                let columns = [0..<26, 26..<47, 47..<68].map { range in
                    line.dropFirst(range.lowerBound).prefix(range.count).trimmingCharacters(in: .whitespaces)
                }
                limits[columns[0]] = (columns[1], columns[2])
            }
            return limits
        }

        private static let names = [
            "Max cpu time", "Max file size", "Max data size", "Max processes", "Max open files", "Max locked memory",
            "Max address space",
        ]

        @Test func whatTheFirstCallerMayRaiseIsRaised() throws {
            let vault = try VaultOfTest(user: Privileges.isRoot ? Privileges.ordinaryUser : nil)
            let soft = [
                "--cpu=60:", "--fsize=1048576:", "--data=536870912:", "--nproc=500:", "--nofile=128:",
                "--memlock=65536:",
                "--as=17179869184:",
            ]
            let agent = try RunningAgent(vault, prefix: Privileges.words() + ["prlimit"] + soft)
            let found = try limits(of: agent.process)
            for name in Self.names {
                let limit = try #require(found[name], "\(name) in \(found.keys)")
                #expect(limit.soft == limit.hard, "\(name)")
            }
        }

        private func started(_ limits: String...) throws -> (vault: VaultOfTest, agent: RunningAgent) {
            let vault = try VaultOfTest(user: Privileges.isRoot ? Privileges.ordinaryUser : nil)
            return (vault, try RunningAgent(vault, prefix: Privileges.words() + ["prlimit"] + limits))
        }

        /// With lower limits the agent would fail in the middle of its work.
        @Test(arguments: [
            ("--nofile=64:64", "ulimit -Hn"), ("--fsize=1048576:1048576", "ulimit -Hf"), ("--cpu=5:5", "ulimit -Ht"),
            ("--as=805306368:805306368", "ulimit -Hv"), ("--data=268435456:268435456", "ulimit -Hd"),
            ("--memlock=32768:32768", "ulimit -Hl"),
        ])
        func anAgentThatCannotWorkDoesNotStart(_ limit: String, _ way: String) throws {
            let refused = #expect(throws: RunningAgent.DidNotStart.self) { _ = try started(limit) }
            let said = refused?.description ?? ""
            #expect(said.contains(way) && said.contains("raise it"), "\(said)")
        }

        /// With these limits the agent works, and says what it cannot do.
        @Test(arguments: [
            ("--nofile=128:128", "open files is 128", "fewer than 256 clients"),
            ("--fsize=67108864:67108864", "file size is 65536 KiB", "a larger file"),
            ("--cpu=3600:3600", "processor time is 3600 s", "the next command starts another"),
            ("--as=1073741824:1073741824", "address space is 1048576 KiB", "there is no memory for many clients"),
            ("--data=536870912:536870912", "data is 524288 KiB", "there is no memory for many clients"),
            ("--memlock=524288:524288", "locked memory is 512 KiB", "refuses long secrets"),
        ])
        func anAgentThatCanWorkSaysWhatItCannot(_ limit: String, _ name: String, _ consequence: String) throws {
            let (vault, agent) = try started(limit)
            let program = """
                import json, socket, struct, sys

                def frame(head, secret=b""):
                    head = json.dumps(head).encode()
                    return struct.pack(">II", len(head), len(secret)) + head + secret

                def receive():
                    lengths = one.recv(8, socket.MSG_WAITALL)
                    return json.loads(one.recv(struct.unpack(">II", lengths)[0], socket.MSG_WAITALL))

                one = socket.socket(socket.AF_UNIX)
                one.connect(sys.argv[1])
                receive()
                one.sendall(frame({"do": "status"}))
                print("\\n".join(receive()["done"]["limit-troubles"]))
                one.sendall(frame({"do": "unlock"}))
                while True:
                    head = receive()
                    if "ask" in head:
                        one.sendall(frame({"answer": "typed", "number": head["ask"]["number"]}, sys.argv[2].encode()))
                    elif "over" not in head:
                        print("unlocked" if "done" in head else head)
                        break
                """
            let said = try OtherUser.python(
                program, [vault.place.socket, VaultOfTest.passcode], as: Privileges.ordinaryUser
            ).split(separator: "\n")
            #expect(said.contains { $0.contains(name) && $0.contains(consequence) }, "\(said)")
            #expect(said.last == "unlocked", "\(said)")
            #expect(agent.isAlive)
        }

        /// By default the system sends a signal that ends a process whose file grows too large.
        @Test func aFileThatMayNotGrowEndsNothing() throws {
            let (vault, agent) = try started("--fsize=8388608:8388608")
            let program = """
                import socket, struct, sys

                def ask(head, secret):
                    one = socket.socket(socket.AF_UNIX)
                    one.connect(sys.argv[1])
                    one.recv(4096)
                    one.sendall(struct.pack(">II", len(head), len(secret)) + head + secret)
                    print(one.recv(4096)[8:].decode())

                policy = b'"policy":{"accessible":"always","require":[]}}'
                ask(b'{"do":"add","name":"large",' + policy, bytes(9 << 20))
                ask(b'{"do":"add","name":"small",' + policy, bytes(10))
                ask(b'{"do":"verify"}', b"")
                """
            let said = try OtherUser.python(program, [vault.place.socket], as: Privileges.ordinaryUser)
                .split(separator: "\n")
            try #require(said.count == 3, "\(said)")
            #expect(said[0].contains(#""kind":"vault""#) && said[0].contains("ulimit -f"), "\(said)")
            #expect(said[1].contains(#""done""#) && said[2].contains(#""findings":0"#), "\(said)")
            #expect(agent.isAlive)
        }

        /// If few files can be open, a new client gets the place of a silent one, as it does among many.
        @Test func fewFilesKeepNobodyOut() throws {
            let (vault, agent) = try started("--nofile=128:128")
            let program = """
                import socket, sys
                held = []
                for number in range(200):
                    one = socket.socket(socket.AF_UNIX)
                    one.settimeout(20)
                    one.connect(sys.argv[1])
                    held.append(one)
                    if not one.recv(4096):
                        print("not greeted")
                print("all were greeted")
                """
            let said = try OtherUser.python(program, [vault.place.socket], as: Privileges.ordinaryUser)
            #expect(said == "all were greeted\n")
            #expect(agent.isAlive)
        }
    }
}
