import Foundation
import LatchkeyAgent
import TestSupport
import Testing

/// `latchkey otp`, compared with an implementation in Python.
@Suite(.serialized, .waitsInOrder) struct OneTimeCodeCommandTests {
    private static let seed = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
    /// The codes of RFC 4226, appendix D.
    private static let codes = [
        "755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871",
    ]
    private let vault: UnlockedVault

    init() throws { vault = try UnlockedVault() }

    /// Returns the code of a time by Python.
    private func code(at seconds: Int, _ hash: String, _ digits: Int, _ period: Int) throws -> String {
        let script =
            "import hmac, base64; h = hmac.new(base64.b32decode('\(Self.seed)'), (\(seconds)//\(period)).to_bytes(8, 'big'), "
            + "'\(hash)').digest(); o = h[-1] & 15; "
            + "print(str((int.from_bytes(h[o:o+4], 'big') & 0x7fffffff) % 10**\(digits)).zfill(\(digits)))"
        let run = try vault.sh("python3 -c \"\(script)\"")
        #expect(run.status == 0, "\(run)")
        return run.output
    }

    @Test(arguments: [("sha1", 6, 30), ("sha256", 8, 30), ("sha512", 7, 60)])
    func codesByTheClockAreThoseOfAnotherProgram(_ hash: String, _ digits: Int, _ period: Int) throws {
        try vault.set(
            "mail",
            "otpauth://totp/Mail:me?secret=\(Self.seed)&algorithm=\(hash.uppercased())&digits=\(digits)&period=\(period)"
        )
        let before = Int(Date().timeIntervalSince1970)
        let run = try vault.sh("latchkey otp mail")
        let after = Int(Date().timeIntervalSince1970)
        #expect(run.status == 0 && run.errors.isEmpty, "\(run)")
        var possible: Set<String> = []
        for number in before / period...after / period {
            possible.insert(try code(at: number * period, hash, digits, period))
        }
        #expect(possible.contains(run.output), "\(run.output)")
    }

    /// The seed that an import keeps beside a password is found by the name of the password.
    @Test func whatAnImportBringsGivesCodes() throws {
        let path = vault.path("export.csv")
        let uri = "otpauth://hotp/Shop:me?secret=\(Self.seed)&counter=0"
        try "name,username,password,otpauth\nshop,me,pa55word,\(uri)\n".write(
            toFile: path, atomically: true, encoding: .utf8)
        #expect(try vault.sh("latchkey import csv '\(path)' --under web --preset open").status == 0)
        #expect(try vault.get("web/shop") == "pa55word")
        #expect(try vault.sh("latchkey otp web/shop").output == "755224\n")
        #expect(try vault.sh("latchkey otp web/shop/otp").output == "287082\n")
        #expect(try vault.get("web/shop/otp") == uri.replacing("counter=0", with: "counter=2"))
        #expect(try vault.get("web/shop") == "pa55word")
    }

    @Test func aCounterIsSavedBeforeItsCodeIsShown() throws {
        let text = "otpauth://hotp/a?counter=0&secret=\(Self.seed)\nnotes\n"
        try vault.set("h", text)
        #expect(try vault.sh("latchkey otp h >/dev/full").status == 1)
        #expect(try vault.get("h") == text.replacing("counter=0", with: "counter=1"))
        for code in Self.codes[1...2] { #expect(try vault.sh("latchkey otp h").output == code + "\n") }
        // Commands that run at a time never show one code twice.
        let many = try vault.sh("for i in 1 2 3 4 5 6; do latchkey otp h & done; wait")
        #expect(many.output.split(separator: "\n").map(String.init).sorted() == Self.codes[3...].sorted(), "\(many)")
        #expect(try vault.get("h") == text.replacing("counter=0", with: "counter=9"))
    }

    @Test func aSecretThatIsNoSeedIsNotShown() throws {
        try vault.set("password", "hunter2hunter2")
        let none = try vault.sh("latchkey otp password")
        #expect(none.status == 2 && none.output.isEmpty)
        #expect(none.errors.hasPrefix("latchkey: password: no seed of one-time codes"), "\(none)")
        #expect(!none.errors.contains("hunter2hunter2"))
        let missing = try vault.sh("latchkey otp passwort")
        #expect(missing.status == 4 && missing.errors.contains("did you mean password?"), "\(missing)")
    }

    @Test func theCodeIsCopiedToo() throws {
        let tools = vault.path("tools")
        try FileManager.default.createDirectory(atPath: tools, withIntermediateDirectories: true)
        try TestProgram.write(
            "#!/bin/sh\ntest \"$1\" = --version && echo wl-clipboard 2.3.0 || cat >\"$CLIP\"\n", to: tools + "/wl-copy")
        try vault.set("h", "otpauth://hotp/a?secret=\(Self.seed)&counter=0")
        try vault.change { $0.clipboardTime = 0 }
        let run = try vault.sh(
            "PATH='\(tools)':$PATH latchkey otp --clip h && cat \"$CLIP\"",
            ["WAYLAND_DISPLAY": "wayland-latchkey", "CLIP": vault.path("clip")])
        #expect(run.output == "755224" && run.errors == "Copied the code of h to the clipboard.\n", "\(run)")
    }

    /// One prompt is enough to read a counter and to save the next.
    @Test func aProtectedCounterAsksOnce() throws {
        let vault = try VaultAtTerminal()
        let uri = "otpauth://hotp/a?secret=\(Self.seed)&counter=0"
        #expect(try vault.run("set", "h", "--preset", "every-time", input: Data(uri.utf8)).status == 0)
        for code in Self.codes[0...1] {
            let run = try vault.at("otp", "h", asked: vault.typingPasscode)
            #expect(run.status == 0 && run.shown.hasSuffix("\n\(code)\n"), "\(run)")
            #expect(run.shown.ranges(of: "Passcode: ").count == 1)
        }
        // A counter that has been used is no former version.
        let versions = try vault.at("history", "h", "--json", asked: vault.typingPasscode).shown
        #expect(versions.ranges(of: "\"saved\"").count == 1, "\(versions)")
        // In a session in which reading does not ask, saving the counter does, and the agent locks the vault for the passcode.
        #expect(try vault.run("set", "s", "--preset", "presence", input: Data(uri.utf8)).status == 0)
        #expect(try vault.at("get", "s", asked: vault.typingPasscode).status == 0)
        let kept = try vault.at("otp", "s", asked: vault.typingPasscode)
        #expect(kept.status == 0 && kept.shown.hasSuffix("\n\(Self.codes[0])\n"), "\(kept)")
        let clock = Data("otpauth://totp/a?secret=\(Self.seed)".utf8)
        #expect(try vault.run("set", "t", "--preset", "open", input: clock).status == 0)
        let shown = try vault.at("otp", "t").shown
        #expect(shown.wholeMatch(of: /\d{6}\nThe code is valid for \d+ more seconds?\.\n/) != nil, "\(shown)")
    }
}
