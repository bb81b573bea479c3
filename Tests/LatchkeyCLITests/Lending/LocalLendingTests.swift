import AccessPolicy
import AgentProtocol
import Foundation
import Sandbox
import SodiumKit
import TestSupport
import Testing
import UserPresence

/// `latchkey lend` without a server: one-time codes, signatures, decryptions, and secrets that are given out, in a real sandbox.
@Suite(
    .enabled(if: (try? Sandbox.requireBubblewrap()) != nil, "skipped: needs user namespaces and bubblewrap"),
    .enabled(if: LentServer.isThere, "skipped: needs openssl, python3 and curl"), .waitsForProcesses)
struct LocalLendingTests {
    private static let key = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
    /// A code counts for an hour, so that a slow machine sees no more than two.
    private static let seed = "otpauth://totp/shop?secret=\(key)&period=3600"
    private static let canary = "canary/5e20c1d7+Secret\"Key\\0"
    private let vault: UnlockedVault

    init() throws {
        vault = try UnlockedVault()
        try FileManager.default.createDirectory(
            atPath: vault.path("site"), withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    /// Writes a profile with these services, and runs a script of the shell in the sandbox.
    private func lend(
        _ services: String, _ script: String, _ options: String = "--yes --quiet",
        _ variables: [String: String] = [:]
    ) throws -> Command.Run {
        try "lend: site\nservices:\n\(services)\n".write(
            toFile: vault.path("site/site.yaml"), atomically: true, encoding: .utf8)
        return try vault.sh(
            "latchkey lend \(options) '\(vault.path("site/site.yaml"))' -- sh -c \"$INSIDE\" 2>&1",
            variables.merging(["INSIDE": script]) { $1 })
    }

    private func otp() throws -> String {
        try vault.sh("latchkey otp web/shop").output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static let otpService = "  otp: { item: web/shop, otp: true, lease: { uses: 40, minutes: 5 } }"

    @Test func theCodeIsTheOneOfTheSecret() throws {
        try vault.set("web/shop", Self.seed)
        try vault.allow("web/shop", "codes")
        let before = try otp()
        let run = try lend(
            Self.otpService,
            """
            curl -s $LENT_OTP; curl -s -H 'Accept: application/json' $LENT_OTP; curl -s -D - -o /dev/null $LENT_OTP
            env; cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline site.yaml | tr '\\0' '\\n'
            """)
        let after = try otp()
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(lines.count > 3 && (lines[0] == before || lines[0] == after), "\(run.output)")
        let json = try #require(try JSONSerialization.jsonObject(with: Data(lines[1].utf8)) as? [String: Any])
        #expect([before, after].contains(json["code"] as? String) && 1...3600 ~= json["seconds-left"] as? Int ?? 0)
        #expect(run.output.contains("cache-control: no-store") && !run.output.contains(Self.key), "\(run.output)")
        #expect(try vault.sh("latchkey log --lent").output.contains("lent to site for codes"))
    }

    /// Everything but `GET /` is refused, and none of it is a use.
    @Test func everythingElseIsRefused() throws {
        try vault.set("web/shop", Self.seed)
        try vault.allow("web/shop", "codes")
        let run = try lend(
            Self.otpService,
            """
            ask() { curl -s --path-as-is -o /dev/null -w '%{http_code} ' "$@"; }
            ask $LENT_OTP/x; ask $LENT_OTP/../; ask -X POST $LENT_OTP; ask -X DELETE $LENT_OTP; ask -I $LENT_OTP
            ask -X CONNECT $LENT_OTP; ask -H 'Host: evil.test' $LENT_OTP; ask -H 'Host: localhost' $LENT_OTP
            ask -H 'Origin: http://evil.test' $LENT_OTP; ask -X OPTIONS $LENT_OTP; ask -H 'Host: localhost:4001' $LENT_OTP
            """)
        #expect(run.output == "404 400 405 405 405 405 421 421 403 405 200 ", "\(run.output)")
        #expect(try vault.sh("latchkey log --lent").output.split(separator: "\n").count == 1)
    }

    /// A lock ends what was approved, and no code comes while the vault is locked.
    @Test func noCodeComesAfterALock() throws {
        try vault.set("web/shop", Self.seed)
        try vault.allow("web/shop", "codes")
        let run = Background {
            Result {
                try lend(
                    Self.otpService,
                    """
                    curl -s $LENT_OTP | wc -c; touch used; until [ -e locked ]; do sleep 0.05; done
                    for i in 1 2 3; do curl -s -w '%{http_code} ' $LENT_OTP; done; touch refused
                    until [ -e unlocked ]; do sleep 0.05; done; curl -s $LENT_OTP | wc -c
                    """)
            }
        }
        do {
            try waitFor("used")
            try vault.lock()
            try touch("locked")
            try waitFor("refused")
            try vault.unlock()
            try touch("unlocked")
        } catch {
            _ = try? vault.sh("latchkey lend end")
            throw error
        }
        let output = try run.value.get().output
        let lines = output.split(separator: "\n").map(String.init)
        #expect(lines.first == "7" && lines.last == "403 7", "\(output)")
        #expect(output.components(separatedBy: "the vault is locked").count == 4, "\(output)")
        #expect(output.contains("403 "), "\(output)")
    }

    private func waitFor(_ name: String) throws {
        try #require(Patience.wait { FileManager.default.fileExists(atPath: vault.path("site/\(name)")) }, "\(name)")
    }

    private func touch(_ name: String) throws { try Data().write(to: URL(filePath: vault.path("site/\(name)"))) }

    /// Many ask at once with one use left: one gets a code, and the owner is asked once.
    @Test func oneUseIsOneCode() throws {
        try vault.set("web/shop", Self.seed, ItemPolicy(.whenUnlockedThisDeviceOnly, .userPresence))
        try vault.allow("web/shop", "codes")
        let run = Background {
            Result {
                try lend(
                    "  otp: { item: web/shop, otp: true }",
                    """
                    for i in $(seq 64); do curl -s -o code$i -w '%{http_code}\\n' $LENT_OTP & done | sort | uniq -c | tr -s ' '
                    wait
                    """, "--yes --quiet", ["LATCHKEY_PROMPT": "approve"])
            }
        }
        let client = try vault.connect()
        var number: Int?
        #expect(
            Patience.wait {
                number = try? client.ask(WaitingCall(), of: nil).reply.requests.first?.number
                return number != nil
            })
        let user = ClosureUser(atOnce: true) { _ in
            guard let typed = try? SecureBytes(UnlockedVault.passcode) else { return .cancel }
            return .typed(typed)
        }
        if let number { _ = try client.ask(ApproveCall(number), of: user) }
        // The others want prompts of their own, which stay alone.
        var declined = 0
        _ = Patience.wait {
            if let number = try? client.ask(WaitingCall(), of: nil).reply.requests.first?.number {
                _ = try? client.ask(ApproveCall(number), of: ClosureUser(atOnce: true) { _ in .cancel })
                declined += 1
            }
            return declined > 0
        }
        let output = try run.value.get().output
        #expect(output.contains(" 1 200\n"), "\(output)")
        #expect(declined == 1, "after that the borrower is silent")
    }

    @Test func signaturesAndMessagesAreThoseOfTheKey() throws {
        let made = try vault.sh(
            """
            cd ~/site && latchkey key generate work/sign --preset open 2>&1 && latchkey key generate work/box --type rsa2048 --preset open 2>&1 &&
            latchkey key public work/sign > sign.pem && head -c 60000 /dev/urandom > data && echo hello > plain &&
            latchkey key encrypt work/box plain > box
            """)
        try #require(made.status == 0, "\(made.output)")
        try vault.allow("work/sign", "signatures")
        try vault.allow("work/box", "decryptions")
        let run = try lend(
            "  sign: { item: work/sign, sign: true }\n  open: { item: work/box, decrypt: true }",
            """
            curl -s --data-binary @data $LENT_SIGN > data.sig; curl -s --data-binary @box $LENT_OPEN
            curl -s --data-binary @data "$LENT_SIGN?raw=true" | wc -c
            curl -s -w '%{http_code} ' -d x "$LENT_SIGN?key=other"; curl -s -w '%{http_code} ' -d x $LENT_OPEN
            curl -s -o /dev/null -w '%{http_code} ' $LENT_SIGN; curl -s -o /dev/null -w '%{http_code} ' -X POST $LENT_SIGN
            head -c 65537 /dev/zero | curl -s -o /dev/null -w '%{http_code}' --data-binary @- $LENT_SIGN
            """)
        #expect(run.output.hasPrefix("hello\n64\n"), "\(run.output)")
        #expect(run.output.hasSuffix("405 400 413"), "\(run.output)")
        let verified = try vault.sh("cd ~/site && openssl dgst -sha256 -verify sign.pem -signature data.sig data")
        #expect(verified.output == "Verified OK\n", "\(verified.output)")
        let log = try vault.sh("latchkey log --lent").output
        #expect(log.contains("lent to site for signatures") && log.contains("lent to site for decryptions"), "\(log)")
    }

    /// What gives out a secret says so wherever it stands, and also if the command is quiet.
    @Test func aReleaseSaysSo() throws {
        try vault.set("work/token", Self.canary)
        let service = "  token: { item: work/token, release: text }"
        let refused = try lend(service, "echo started")
        #expect(
            refused.status == 3 && refused.output.contains("latchkey lend allow work/token value"), "\(refused.output)")
        try vault.allow("work/token", "value")
        let run = try lend(service, "curl -s $LENT_TOKEN")
        #expect(
            run.output
                == "latchkey: token GIVES OUT work/token: the program will have the secret itself, and can keep it\n"
                + Self.canary)
        #expect(try vault.sh("latchkey log --lent").output.contains("released to site as text"))
        let check = try vault.sh("latchkey lend check ~/site/site.yaml").output
        #expect(check.contains("token: GIVES OUT work/token itself, as text"), "\(check)")
    }

    /// True if the Python of the system has boto3, as by the package python3-boto3.
    private static let hasBoto: Bool = {
        let program = Process()
        program.executableURL = URL(filePath: "/usr/bin/python3")
        program.arguments = ["-c", "import boto3"]
        program.standardError = FileHandle.nullDevice
        guard (try? program.run()) != nil else { return false }
        program.waitUntilExit()
        return program.terminationStatus == 0
    }()

    /// boto3 reads credentials of a container and of a process from the port.
    @Test(.enabled(if: hasBoto, "skipped: needs python3-boto3"))
    func botoReadsCredentials() throws {
        try vault.set("work/aws", Self.canary)
        let saved = try vault.sh("printf AKIDEXAMPLE | latchkey edit work/aws --field access-key 2>&1")
        try #require(saved.status == 0, "\(saved.output)")
        try vault.allow("work/aws", "value")
        let run = try lend(
            "  aws: { item: work/aws, release: aws, set: { AWS_CONTAINER_CREDENTIALS_FULL_URI: url } }",

            """
            cat > read.py <<'END'
            import boto3
            found = boto3.Session().get_credentials()
            frozen = found.get_frozen_credentials()
            print(found.method, frozen.access_key, frozen.secret_key, frozen.token or "none")
            END
            /usr/bin/python3 -B read.py
            printf '[default]\\ncredential_process = curl -s %s\\n' "$LENT_AWS" > config
            env -u AWS_CONTAINER_CREDENTIALS_FULL_URI AWS_CONFIG_FILE=config /usr/bin/python3 -B read.py
            """)
        for method in ["container-role", "custom-process"] {
            #expect(run.output.contains("\(method) AKIDEXAMPLE \(Self.canary) none\n"), "\(run.output)")
        }
    }

    /// kubectl runs a plugin that reads the port, and sends the token to its server, which is in the sandbox too.
    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/bin/kubectl"), "skipped: needs /usr/bin/kubectl"))
    func kubectlReadsItsToken() throws {
        try vault.set("work/cluster", "canary-token-7c1e")
        try vault.allow("work/cluster", "value")
        let run = try lend(
            "  cluster: { item: work/cluster, release: kubectl }",
            """
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key.pem -out cert.pem -days 2 \
                -subj /CN=localhost 2>/dev/null
            cat > server.py <<'END'
            import http.server, ssl
            class Handler(http.server.BaseHTTPRequestHandler):
                def do_GET(self):
                    text = ("got " + str(self.headers["authorization"]) + "\\n").encode()
                    self.send_response(200)
                    self.send_header("content-length", str(len(text)))
                    self.end_headers()
                    self.wfile.write(text)
                def log_message(self, *words): pass
            server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain("cert.pem", "key.pem")
            server.socket = context.wrap_socket(server.socket, server_side=True)
            open("port.new", "w").write(str(server.server_port))
            import os; os.rename("port.new", "port")
            server.serve_forever()
            END
            /usr/bin/python3 server.py & until [ -e port ]; do sleep 0.05; done
            cat > kubeconfig <<END
            apiVersion: v1
            kind: Config
            current-context: c
            clusters: [{name: c, cluster: {server: "https://127.0.0.1:$(cat port)", insecure-skip-tls-verify: true}}]
            contexts: [{name: c, context: {cluster: c, user: u}}]
            users:
            - name: u
              user:
                exec: {apiVersion: client.authentication.k8s.io/v1, command: curl, args: [-s, "$LENT_CLUSTER"], interactiveMode: Never}
            END
            kubectl --kubeconfig kubeconfig get --raw /version; kill $!
            """)
        #expect(run.output.contains("got Bearer canary-token-7c1e\n"), "\(run.output)")
    }
}
