import AccessPolicy
import AgentProtocol
import Foundation
import Sandbox
import SodiumKit
import TestSupport
import Testing
import UserPresence

/// The tools of a coding agent in a real sandbox, with a program that means harm.
@Suite(
    .enabled(if: (try? Sandbox.requireBubblewrap()) != nil, "skipped: needs user namespaces and bubblewrap"),
    .enabled(if: LentServer.isThere, "skipped: needs openssl, python3 and curl"), .waitsForProcesses)
struct HostileToolsTests {
    private let vault: UnlockedVault

    init() throws {
        vault = try UnlockedVault()
        try FileManager.default.createDirectory(
            atPath: vault.path("site"), withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        var leased = ItemPolicy(.whenUnlockedThisDeviceOnly, .userPresence)
        leased.allowsReuse = true
        try vault.set("web/shop", Self.seed, leased)
        try vault.set("web/api", "canary-tools", leased)
        try vault.change([.reuse: 600])
        try vault.allow("web/shop", "codes")
        try vault.allow("web/api", "https://api.example.com")
    }

    private static let seed = "otpauth://totp/shop?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&period=3600"

    /// The beginning of a script of Python that calls the tools.
    private static let tools = #"""
        import json, os, socket, subprocess, threading, time, urllib.request
        def post(body, path=None, timeout=60):
            url = os.environ["LENT_TOOLS"] if path is None else os.environ["LENT_TOOLS"].replace("/mcp", path)
            request = urllib.request.Request(url, body if isinstance(body, bytes) else json.dumps(body).encode(),
                {"content-type": "application/json", "accept": "application/json, text/event-stream",
                 "mcp-protocol-version": "2025-06-18"})
            try: return urllib.request.urlopen(request, timeout=timeout).read().decode()
            except urllib.error.HTTPError as error: return "%d %s" % (error.code, error.read().decode())
        def call(tool, number=1, **arguments):
            return post({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
        def words(answer): return json.loads(answer)["result"]["content"][0]["text"]

        """#

    private func lend(_ script: String) throws -> Command.Run {
        let profile = """
            lend: site
            services:
              otp: { item: web/shop, otp: true, lease: { uses: 2, minutes: 5 } }
              api: { item: web/api, http: "https://api.example.com", allow: ["* /v1/**"], lease: { uses: 2, minutes: 5 } }

            """
        try profile.write(toFile: vault.path("site/site.yaml"), atomically: true, encoding: .utf8)
        try (Self.tools + script).write(toFile: vault.path("site/script.py"), atomically: true, encoding: .utf8)
        return try vault.sh(
            "cd ~/site && latchkey lend --yes --quiet site.yaml -- python3 script.py 2>&1",
            ["LATCHKEY_PROMPT": "approve"])
    }

    private func waiting() throws -> Int {
        let client = try vault.connect()
        var number: Int?
        let isThere = Patience.wait {
            number = try? client.ask(WaitingCall(), of: nil).reply.requests.first?.number
            return number != nil
        }
        try #require(isThere)
        return try #require(number)
    }

    /// Nothing that the profile does not allow stands in a prompt.
    @Test func aPromptHasNoWordsOfTheProgramButItsClaim() throws {
        let run = try lend(
            #"""
            for verb, target in (("nothing, it only looks", None), (None, "/v1/x is harmless"), ("GET", None), (None, "/v1/x"),
                                 ("nothing, it only looks", "/v1/x"), ("GET", "/v1/a b"), ("GET", "/v2/x"), ("GET\n", "/v1/x"), ("GET", "/v1/\u202ex")):
                given = {name: value for name, value in (("verb", verb), ("target", target)) if value}
                print(json.loads(call("latchkey_request", service="api", reason="x", **given))["result"]["isError"])
            """#)
        #expect(run.output == String(repeating: "True\n", count: 9), "\(run.output)")
    }

    /// No claim about a secret that is given out holds: the program keeps it.
    @Test func whatIsGivenOutEndsWithNoProof() throws {
        try """
        lend: site
        services:
          token: { item: work/token, release: text, policy: presence }
          code: { item: git/x, git: "https://github.com/alice/site.git", allow: [fetch], policy: presence }
        claims:
          - { service: token, never: use, after: lock }
          - { service: token, ends-within: 720 }
          - { service: token, at-most-uses: 1, expect: fails }
        """.write(toFile: vault.path("site/given.yaml"), atomically: true, encoding: .utf8)
        let check = try vault.sh("cd ~/site && latchkey lend check given.yaml")
        #expect(check.status == 1 && !check.output.contains("holds"), "\(check.output)")
        #expect(check.output.contains("token: work/token itself, without an end"), "\(check.output)")
        #expect(check.output.contains("code: the requests of the command of git"), "\(check.output)")
    }

    /// Two coding agents give the same numbers to their requests, and each has its answers.
    @Test func twoClientsAreApart() throws {
        let run = Background {
            Result {
                try lend(
                    #"""
                    def line(client, number, method, parameters):
                        return json.loads(post({"jsonrpc": "2.0", "id": number, "method": method, "params": parameters}, "/line?" + client))
                    start = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}
                    for client in "ab": line(client, 0, "initialize", start)
                    name = json.loads(call("latchkey_request", service="otp", reason="x"))["result"]["structuredContent"]["request"]
                    def wait():
                        while not os.path.exists("asked"):
                            line("a", 2, "tools/call", {"name": "latchkey_status", "arguments": {"request": name, "seconds": 20}})
                    thread = threading.Thread(target=wait); thread.start(); time.sleep(0.5)
                    print([line("b", 2, "ping", {}).get("result") for _ in range(20)] == [{}] * 20, flush=True)
                    open("asked", "w").close(); thread.join()
                    """#)
            }
        }
        _ = Patience.wait { FileManager.default.fileExists(atPath: vault.path("site/asked")) }
        _ = try vault.sh("latchkey lend end")
        let output = try run.value.get().output
        #expect(output.hasSuffix("True\n"), "\(output)")
    }

    /// The end of a loan, and a lock, end a request that waits for the owner, and uses that wait behind it.
    @Test(arguments: ["latchkey lend end", "latchkey lock"])
    func whatWaitsEndsWithTheLoan(command: String) throws {
        let run = Background {
            Result {
                try lend(
                    #"""
                    print(words(call("latchkey_request", service="otp", reason="a\n\u202eb\" " + "c" * 400)), flush=True)
                    results = []
                    def use():
                        try: results.append(urllib.request.urlopen(os.environ["LENT_OTP"], timeout=60).status)
                        except Exception as error: results.append(repr(error))
                    uses = [threading.Thread(target=use) for _ in range(40)]
                    for thread in uses: thread.start()
                    open("asked", "w").close()
                    for thread in uses: thread.join()
                    print(len(results), 200 in results)
                    print(words(call("latchkey_status", request="request-1", seconds=20)))
                    """#)
            }
        }
        _ = try waiting()
        _ = Patience.wait { FileManager.default.fileExists(atPath: vault.path("site/asked")) }
        let list = try vault.sh("latchkey approve --list 2>&1; latchkey lend list")
        let ended = try vault.sh(command)
        #expect(ended.status == 0)
        let output = try run.value.get().output
        #expect(output.contains("waiting") && output.contains("40 False\n"), "\(list.output) \(output)")
        let client = try vault.connect()
        #expect(Patience.wait { (try? client.ask(WaitingCall(), of: nil).reply.requests.isEmpty) == true })
    }

    /// Floods, slow bodies and broken messages end nothing but themselves.
    @Test func hostileInputEndsNothing() throws {
        let run = try lend(
            #"""
            ports = [int(os.environ[name].split(":")[2].split("/")[0]) for name in ("LENT_TOOLS", "LENT_OTP", "LENT_API")]
            def connect(port):
                client = socket.create_connection(("127.0.0.1", port)); client.settimeout(30); return client
            held = []
            for port in ports:
                for _ in range(40):
                    client = connect(port)
                    try: client.sendall(b"POST /line HTTP/1.1\r\nhost: 127.0.0.1:%d\r\ncontent-length: 60000\r\n\r\n{" % port)
                    except OSError: pass
                    held.append(client)
            time.sleep(0.5)
            for client in held: client.close()
            time.sleep(1)
            deep = b"[" * 60000
            for body in (b"", b"\0", b"{", deep, b"[]", b"[" + b",".join([b"1"] * 20000) + b"]", b'{"jsonrpc":"2.0","id":1e400,"method":"ping"}',
                         b'{"jsonrpc":"2.0","id":"' + b"x" * 65000 + b'","method":"ping"}', b"\xff" * 1000, b"x" * 200000,
                         b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"latchkey_status","arguments":{"request":"","seconds":-1}}}',
                         b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"latchkey_request","arguments":{"service":"otp","reason":"x","uses":99999999999999999999999}}}'):
                for path in (None, "/line", "/line?a", "/line?" + "b" * 2000):
                    try: post(body, path)
                    except OSError: pass
            for number in range(100): post(b'{"jsonrpc":"2.0","id":1,"method":"ping"}', "/line?%d" % number)
            batch = [{"jsonrpc": "2.0", "id": n, "method": "tools/call", "params": {"name": "latchkey_list", "arguments": {}}} for n in range(16)]
            def flood():
                for _ in range(5):
                    request = urllib.request.Request(os.environ["LENT_TOOLS"], json.dumps(batch).encode(),
                        {"content-type": "application/json", "accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-03-26"})
                    try:
                        answer = urllib.request.urlopen(request, timeout=60)
                        results.append((answer.status, answer.read()[:60]))
                    except OSError as error: results.append((repr(error), 0))
            results = []
            threads = [threading.Thread(target=flood) for _ in range(31)]
            for thread in threads: thread.start()
            for thread in threads: thread.join()
            print({result[0] for result in results})
            for _ in range(100):
                answer = call("latchkey_list")
                if answer.startswith("{"): break
                time.sleep(0.1)
            print([service["name"] for service in json.loads(answer)["result"]["structuredContent"]["services"]])
            """#)
        #expect(run.status == 0 && run.output.hasSuffix("{200}\n['otp', 'api']\n"), "\(run.output)")
    }
}
