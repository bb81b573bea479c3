import AgentProtocol
import Foundation
import TestSupport
import Testing

extension AgentTests {
    /// An agent of an ordinary user, who may lock little memory, and clients that use all of it up.
    @Suite(.serialized) struct ShortMemoryTests {
        /// Clients of the agent's own user. They print one line for each observation.
        private static let clients = """
            import json, socket, struct, sys, time

            path, passcode, largest = sys.argv[1], sys.argv[2].encode(), int(sys.argv[3])
            waits = sys.argv[4] == "waits"
            policy = {"accessible": "always", "require": []}

            def take(one, count):
                data = b""
                while len(data) < count:
                    piece = one.recv(count - len(data))
                    if not piece:
                        raise EOFError
                    data += piece
                return data

            def receive(one):
                head, secret = struct.unpack(">II", take(one, 8))
                return json.loads(take(one, head)), take(one, secret)

            def frame(head, secret=b""):
                head = json.dumps(head).encode()
                return struct.pack(">II", len(head), len(secret)) + head + secret

            def connect():
                one = socket.socket(socket.AF_UNIX)
                one.settimeout(60)
                one.connect(path)
                receive(one)
                return one

            def ask(one, head, secret=b""):
                one.sendall(frame(head, secret))
                while True:
                    head, secret = receive(one)
                    if "ask" in head:
                        one.sendall(frame({"answer": "typed", "number": head["ask"]["number"]}, passcode))
                    elif "done" in head or "error" in head:
                        return head, secret

            def kind(answer):
                return "done" if "done" in answer[0] else answer[0]["error"]["kind"]

            def add(name, secret, one=None):
                return ask(one or connect(), {"do": "add", "name": name, "replace": True, "policy": policy}, secret)

            def again(request):
                # The agent says that it is busy until it has noticed that the others are gone.
                end = time.monotonic() + 60
                while True:
                    answer = request()
                    if kind(answer) != "agent" or time.monotonic() > end:
                        return answer
                    time.sleep(0.05)

            def works(when):
                # Everything that takes memory: keys, a prompt, a commit, secrets in and out.
                words = ["status", "unlock", "lock", "unlock", "list"]
                said = [kind(again(lambda: ask(connect(), {"do": what}))) for what in words]
                for name, size in [("small", 1000), ("large", largest)]:
                    secret = bytes(size)
                    said.append(kind(again(lambda: add(name, secret))))
                    answer = again(lambda: ask(connect(), {"do": "read", "name": name}))
                    said.append("same" if answer[1] == secret else kind(answer))
                said.append(kind(again(lambda: ask(connect(), {"do": "remove", "name": "large"}))))
                good = ["done"] * 6 + ["same", "done", "same", "done"]
                print(when, "all is well" if said == good else said, flush=True)

            def announce(count):
                held = []
                for number in range(count):
                    one = connect()
                    head = json.dumps({"do": "add", "name": "x", "policy": policy}).encode()
                    one.sendall(struct.pack(">II", len(head), 65536) + head + bytes(1000))
                    held.append(one)
                return held

            works("at first:")
            for one in announce(250):
                one.close()
            works("after 250 that went:")
            held = announce(250)
            said = {kind(add("another", bytes(size))) for size in [10, 1000, 4096] * 5}
            print("meanwhile:", "served" if said == {"done"} else "busy" if said <= {"done", "agent"} else said, flush=True)
            one = connect()
            said = {kind(add("another", bytes(60000), one)) for _ in range(3)}
            # A client that gets this error goes on with the same connection.
            print("large ones:", "served or busy" if said <= {"done", "agent"} else said, kind(ask(one, {"do": "status"})), flush=True)
            if waits:
                for one in held:
                    try:
                        while True:
                            receive(one)
                    except (EOFError, ConnectionError):
                        pass
                works("after 250 that were given up:")
            for one in held:
                one.close()
            works("after 250 that stayed:")
            """

        @Test(arguments: [
            (64, 16_000), (512, 60_000), (1024, 65_536), (8192, 65_536),
        ])
        func smallFramesDoNotUseLockedMemoryUp(_ kibibytes: Int, _ largest: Int) throws {
            let vault = try VaultOfTest(user: Privileges.isRoot ? Privileges.ordinaryUser : nil)
            let limit = ["prlimit", "--memlock=\(kibibytes * 1024):\(kibibytes * 1024)"]
            let agent = try RunningAgent(vault, prefix: Privileges.words() + limit)
            let waits = kibibytes == 512
            let said = try OtherUser.python(
                Self.clients, [vault.place.socket, VaultOfTest.passcode, "\(largest)", waits ? "waits" : "goes"],
                as: Privileges.ordinaryUser
            ).split(separator: "\n").map(String.init)
            #expect(
                said == [
                    "at first: all is well", "after 250 that went: all is well", "meanwhile: served",
                    "large ones: served or busy done",
                ] + (waits ? ["after 250 that were given up: all is well"] : []) + [
                    "after 250 that stayed: all is well"
                ])
            #expect(agent.isAlive)
        }

        /// The error for a secret that can never fit differs from the one for a secret that may fit later.
        @Test func whatNeverFitsIsSaidWithAWayOut() throws {
            let vault = try VaultOfTest(user: Privileges.isRoot ? Privileges.ordinaryUser : nil)
            let agent = try RunningAgent(vault, prefix: Privileges.words() + ["prlimit", "--memlock=65536:65536"])
            let program = """
                import socket, struct, sys
                one = socket.socket(socket.AF_UNIX)
                one.connect(sys.argv[1])
                one.recv(4096)
                head = b'{"do":"add","name":"x","policy":{"accessible":"always","require":[]}}'
                one.sendall(struct.pack(">II", len(head), 40000) + head + bytes(40000))
                print(one.recv(4096)[8:].decode())
                """
            let said = try OtherUser.python(program, [vault.place.socket], as: Privileges.ordinaryUser)
            #expect(said.contains(#""kind":"agent""#) && said.contains("ulimit -l"), "\(said)")
            #expect(agent.isAlive)
        }
    }
}
