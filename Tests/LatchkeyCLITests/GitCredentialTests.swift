import Foundation
import LatchkeyAgent
import LatchkeyCLI
import TestSupport
import Testing

/// `latchkey git-credential`, called by the real git.
@Suite(.waitsForProcesses) struct GitCredentialTests {
    private let vault: UnlockedVault

    init() throws { vault = try UnlockedVault() }

    private func git(
        _ operation: String, _ lines: String, helper: String = "latchkey", _ options: String = ""
    ) throws -> Command.Run {
        try vault.sh(
            "cd; printf '\(lines)' | git -c credential.helper='\(helper)' \(options) credential \(operation)")
    }

    private static let place = "protocol=https\\nhost=example.com\\n"
    private static let alice = place + "username=alice\\n"

    @Test func whatIsApprovedIsFilledInUntilItIsRejected() throws {
        for helper in ["latchkey", "!latchkey git-credential", "\(Command.binary.path) git-credential"] {
            let options = "--preset open"
            let helper = helper == "latchkey" ? "latchkey \(options)" : "\(helper) \(options)"
            #expect(try git("fill", Self.place, helper: helper).status == 128, "nothing is there, and git may not ask")
            #expect(try git("approve", Self.alice + "password=s3 cret=\\n", helper: helper).errors.isEmpty)
            #expect(try vault.get("git/https/example.com/alice") == "s3 cret=")
            let filled = try git("fill", Self.place, helper: helper)
            #expect(filled.output == "protocol=https\nhost=example.com\nusername=alice\npassword=s3 cret=\n")
            #expect(try git("fill", Self.place + "username=bob\\n", helper: helper).status == 128)
            #expect(try git("reject", Self.alice + "password=other\\n", helper: helper).errors.isEmpty)
            #expect(try vault.get("git/https/example.com/alice") == "s3 cret=", "what is wrong is another one")
            #expect(try git("reject", Self.alice + "password=s3 cret=\\n", helper: helper).errors.isEmpty)
            #expect(try vault.names().isEmpty)
        }
    }

    @Test func theUsualDemandIsPresence() throws {
        _ = try git("approve", Self.alice + "password=one\\n")
        #expect(try vault.policy(of: "git/https/example.com/alice") == ["userPresence"])
        // Storing the same or another password shows no prompt if reading would, and does not even read.
        for password in ["one", "two"] {
            let again = try git("approve", Self.alice + "password=\(password)\\n")
            #expect(again.errors.isEmpty && again.status == 0, "\(again)")
        }
        let fill = try git("fill", Self.place)
        #expect(
            fill.status == 128 && !fill.output.contains("one") && fill.errors.contains("authentication is needed")
        )
        // The secret stays, because it cannot be compared without authentication.
        #expect(try git("reject", Self.alice + "password=one\\n").errors.contains("authentication is needed"))
        #expect(try vault.names() == ["git/https/example.com/alice"])
        #expect(try git("reject", Self.alice).errors.isEmpty)
        #expect(try vault.names().isEmpty)
    }

    @Test func anotherPasswordReplacesOneThatDemandsNothing() throws {
        try vault.set("git/https/example.com/alice", "old")
        _ = try git("approve", Self.alice + "password=new\\n")
        #expect(try vault.get("git/https/example.com/alice") == "new")
        #expect(try vault.policy(of: "git/https/example.com/alice") == [])
    }

    @Test func anEmptyPasswordIsOneLikeOthers() throws {
        let helper = "latchkey --preset open"
        #expect(try git("approve", Self.alice + "password=\\n", helper: helper).errors.isEmpty)
        #expect(try vault.get("git/https/example.com/alice") == "")
        #expect(try git("fill", Self.place, helper: helper).output.hasSuffix("username=alice\npassword=\n"))
        #expect(try git("approve", Self.alice + "password=\\n", helper: helper).errors.isEmpty)
        #expect(try git("reject", Self.alice + "password=other\\n", helper: helper).errors.isEmpty)
        #expect(try vault.names().count == 1, "what is wrong is another one")
        #expect(try git("reject", Self.alice + "password=\\n", helper: helper).errors.isEmpty)
        #expect(try vault.names().isEmpty)
    }

    /// The attributes that git sends to its helpers from 2.41 on.
    @Test func whatBelongsToAPasswordIsKeptWithIt() throws {
        func helper(_ operation: String, _ lines: String, says: String = "") throws -> String {
            let run = try vault.sh("printf '\(lines)' | git-credential-latchkey \(operation) --preset open")
            #expect(run.status == 0 && run.errors.hasPrefix(says) && run.errors.isEmpty == says.isEmpty, "\(run)")
            return run.output
        }
        let later = "password_expiry_utc=99999999999\\n"
        _ = try helper("store", Self.alice + "password=one\\noauth_refresh_token=again\\n" + later)
        let all = "username=alice\npassword=one\npassword_expiry_utc=99999999999\noauth_refresh_token=again\n"
        #expect(try helper("get", Self.place) == all)
        // The same password with another token is a new secret.
        _ = try helper("store", Self.alice + "password=one\\noauth_refresh_token=more\\n" + later)
        #expect(try helper("get", Self.place) == all.replacing("again", with: "more"))
        _ = try helper("erase", Self.alice + "password=two\\n")
        #expect(try vault.names().count == 1)
        _ = try helper("erase", Self.alice + "password=one\\n")
        #expect(try vault.names().isEmpty)
        // git gets no password that has expired, and no user name without a password or token.
        _ = try helper("store", Self.alice + "password=one\\npassword_expiry_utc=1\\noauth_refresh_token=again\\n")
        let expired = "latchkey: the password of git/https/example.com/alice expired on "
        #expect(try helper("get", Self.place, says: expired) == "username=alice\noauth_refresh_token=again\n")
        _ = try helper("store", Self.alice + "password=one\\npassword_expiry_utc=1\\n")
        #expect(try helper("get", Self.place, says: expired) == "")
        // A malformed expiry is ignored.
        _ = try helper("store", Self.alice + "password=one\\npassword_expiry_utc=soon\\n")
        #expect(try helper("get", Self.place) == "username=alice\npassword=one\n")
        #expect(try vault.get("git/https/example.com/alice") == "one")
    }

    @Test func theFirstInNaturalOrderIsTakenWhereGitSaysNoUser() throws {
        for (user, password) in [("bot10", "a"), ("bot9", "b"), ("zoe", "c")] {
            try vault.set("git/https/example.com/\(user)", password)
        }
        try vault.set("git/https/example.com/org/app.git/alice", "with a path")
        try vault.set("git/https/example.com:8080/alice", "with a port")
        try vault.set("git/http/example.com/alice", "without TLS")
        #expect(try git("fill", Self.place).output.hasSuffix("username=bot9\npassword=b\n"))
        #expect(try git("fill", Self.place + "username=zoe\\n").output.hasSuffix("password=c\n"))
        let path = Self.place + "path=org/app.git\\n"
        #expect(try git("fill", path).output.hasSuffix("password=b\n"), "git leaves paths out")
        let useful = "-c credential.useHttpPath=true"
        #expect(try git("fill", path, useful).output.hasSuffix("username=alice\npassword=with a path\n"))
        #expect(try git("fill", Self.place + "path=org\\n", useful).status == 128)
        #expect(try git("fill", "protocol=https\\nhost=example.com:8080\\n").output.hasSuffix("with a port\n"))
        #expect(try git("fill", "protocol=http\\nhost=example.com\\n").output.hasSuffix("without TLS\n"))
    }

    @Test func whoeverSaysNoIsNotAskedForAPassword() throws {
        try vault.set("git/https/example.com/alice", "secret", .usual)
        let line = "printf '\(Self.place)' | git -c credential.helper=latchkey credential fill"
        let terminal = try CommandInTerminal(line: line, environment: vault.environment)
        #expect(terminal.wait(for: "log git in as alice") && terminal.wait(for: "Passcode: "))
        try terminal.type("\n")
        #expect(try terminal.end() == 128)
        #expect(terminal.shown.contains("told us to quit"))
        let other = try CommandInTerminal(line: line, environment: vault.environment)
        #expect(other.wait(for: "Passcode: "))
        try other.type("\(UnlockedVault.passcode)\n")
        #expect(try other.end() == 0)
        #expect(other.shown.contains("password=secret"))
    }

    private static let talks: [(operation: String, input: String, output: String, status: Int32, complaint: String)] = [
        (
            "get",
            "protocol=https\\nhost=example.com\\nwwwauth[]=Basic\\ncapability[]=authtype\\nnew=1\\n\\nhost=other\\n",
            "username=a\npassword=b\n", 0, ""
        ),
        ("get", "host=example.com\\n", "", 2, "latchkey: git sent no protocol"),
        (
            "get", "protocol=https\\nno sign\\n", "", 2,
            "latchkey: git sent a line without an equals sign: lines are key=value"
        ),
        ("get", "protocol=https\\nhost=none\\n", "", 0, ""),
        ("get", "protocol=https\\nhost=lines\\n", "", 2, "latchkey: git/https/lines/x has a line end"),
        ("store", "protocol=https\\nhost=example.com\\nusername=c\\n", "", 0, ""),
        ("erase", "protocol=https\\nhost=none\\n", "", 0, ""),
        ("capability", "", "", 0, ""),
    ]

    @Test func theProtocolIsKept() throws {
        try vault.set("git/https/example.com/a", "b")
        try vault.set("git/https/lines/x", "b\nc")
        for (operation, input, output, status, complaint) in Self.talks {
            let run = try vault.sh("printf '\(input)' | git-credential-latchkey \(operation)")
            #expect(run.status == status && run.output == output && run.errors.hasPrefix(complaint), "\(input): \(run)")
            #expect(try vault.names() == ["git/https/example.com/a", "git/https/lines/x"])
        }
    }

    @Test func aLockedVaultLeavesGitToItself() throws {
        try vault.set("git/https/example.com/a", "b")
        try vault.lock()
        let run = try vault.sh("printf '\(Self.place)' | git-credential-latchkey get")
        #expect(run.status == 5 && run.output.isEmpty && run.errors.contains("latchkey unlock"))
    }

    private static let server = """
        import base64, http.server
        wanted = "Basic " + base64.b64encode(b"alice:s3cret").decode()
        class Handler(http.server.SimpleHTTPRequestHandler):
            def do_GET(self):
                if self.headers.get("Authorization") == wanted: return super().do_GET()
                self.send_response(401)
                self.send_header("WWW-Authenticate", "Basic realm=test")
                self.send_header("Content-Length", "0")
                self.end_headers()
            def log_message(self, *words): pass
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        print(server.server_address[1], flush=True)
        server.serve_forever()
        """

    @Test func aRepositoryIsClonedWithThePasswordAndAWrongOneIsErased() throws {
        let script = """
            cd; printf '%s' "$SERVER" >server.py; mkfifo port
            git init -q --bare app.git; git -C app.git update-server-info
            python3 server.py >port & server=$!; trap 'kill $server' EXIT; read port <port
            git config --global credential.helper 'latchkey --preset open'
            for password in s3cret wrong; do
                printf 'protocol=http\\nhost=127.0.0.1:%s\\nusername=alice\\npassword=%s\\n' $port $password | git credential approve
                git clone -q http://127.0.0.1:$port/app.git $password 2>errors; echo $?
                latchkey list --names | wc -l
            done
            """
        let run = try vault.sh(script, ["SERVER": Self.server, "no_proxy": "127.0.0.1"])
        #expect(run.output == "0\n1\n128\n0\n", "\(run)")
    }
}

/// The names that helpers give to credentials.
@Suite struct CredentialNameTests {
    @Test(arguments: [
        ("", "%"), (".", "%2E"), ("..", "%2E%2E"), ("a/b", "a%2Fb"), ("100%", "100%25"), ("%2F", "%252F"),
        ("a b", "a b"), ("<token>", "<token>"), ("née", "née"), ("a\nb\u{7F}", "a%0Ab%7F"), ("\u{200D}x", "%E2%80%8Dx"),
        ("e\u{301}", "e\u{301}"), ("https://index.docker.io/v1/", "https:%2F%2Findex.docker.io%2Fv1%2F"),
    ]) func partsOfNamesAreEscapedAndComeBack(_ part: String, _ escaped: String) {
        #expect(CredentialName.escaped(part).utf8.elementsEqual(escaped.utf8))
        #expect(CredentialName.unescaped(escaped).map { $0.utf8.elementsEqual(part.utf8) } == true)
    }

    @Test func whatNoHelperWritesStandsForNothing() {
        for part in ["%2", "a%", "%zz", "%FF"] { #expect(CredentialName.unescaped(part) == nil, "\(part)") }
    }
}
