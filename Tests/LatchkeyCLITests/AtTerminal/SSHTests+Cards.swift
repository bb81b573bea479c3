import Foundation
import TestSupport
import Testing

extension SSHTests {
    /// A smart card in software, which real modules and tools serve. It plays the card; everything else is real.
    struct SoftCard {
        static let module = "/usr/lib/softhsm/libsofthsm2.so"
        static let isThere = [module, "/usr/bin/softhsm2-util", "/usr/bin/pkcs11-tool"].allSatisfy {
            FileManager.default.fileExists(atPath: $0)
        }

        let home: String
        var tokens: String { home + "/tokens" }

        /// Makes a card with a key of each type.
        init(in home: String) throws {
            self.home = home
            let settings = home + "/.config/softhsm2"
            for folder in [settings, home + "/tokens"] {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            }
            try "directories.tokendir = \(home)/tokens\nobjectstore.backend = file\nlog.level = ERROR\n".write(
                toFile: settings + "/softhsm2.conf", atomically: false, encoding: .utf8)
            try #require(
                run("/usr/bin/softhsm2-util", "--init-token --free --label Card --so-pin 87654321 --pin 1234") == 0)
            for (number, type) in [("01", "EC:prime256v1"), ("02", "rsa:2048"), ("03", "EC:edwards25519")] {
                try #require(tool("--login --pin 1234 --keypairgen --key-type \(type) --id \(number) --label k") == 0)
            }
        }

        private func run(_ program: String, _ words: String) throws -> Int32 {
            let words = words.split(separator: " ").map(String.init)
            return try Command.run(words, environment: ["HOME": home], program: URL(filePath: program)).status
        }

        /// Runs pkcs11-tool, and returns its status.
        func tool(_ words: String) throws -> Int32 {
            try run("/usr/bin/pkcs11-tool", "--module \(Self.module) --token-label Card \(words)")
        }

        /// True if the card tells no one of a wrong PIN.
        var saysNothingOfAMistake: Bool {
            get throws {
                let words = ["--module", Self.module, "--list-slots"]
                let list = try Command.run(
                    words, environment: ["HOME": home], program: URL(filePath: "/usr/bin/pkcs11-tool"))
                return list.output.contains("Card") && !list.output.contains("user PIN count low")
            }
        }

        /// The address of a key on the card.
        func address(_ number: String) -> String { "pkcs11:token=Card;id=%\(number)?module-path=\(Self.module)" }
    }

    /// Adds a key on the card, and types this PIN.
    func add(
        _ name: String, _ address: String, _ policy: String, typing pin: String = "1234"
    ) throws -> (status: Int32, shown: String) {
        try vault.at(
            "ssh", "add", name, "--card", address, "--require", policy,
            asked: [("wants to use the card Card by its PIN.", ""), ("Passphrase: ", pin + "\n")])
    }

    @Test(.enabled(if: SoftCard.isThere, "skipped: needs softhsm2 and opensc"))
    func keysOnACardLogInUnderTheirPolicies() throws {
        let card = try SoftCard(in: vault.place.path("home"))
        var lines = ""
        for (number, name, policy) in [
            ("01", "c/ec", "devicePasscode"), ("02", "c/rsa", "nothing"), ("03", "c/ed", "nothing"),
        ] {
            let added = try add(name, card.address(number), policy)
            #expect(added.status == 0 && added.shown.contains("The key stays on its card."), "\(added)")
            lines += try vault.run("ssh", "public", name).output
        }
        try write(lines, "authorized")
        // One prompt, and not two.
        let login = try session(ssh("c-ec", "bastion.test echo IN"))
        #expect(login.prompts == 1 && login.shown.contains("IN\n"), "\(login)")
        #expect(login.shown.contains("\"ssh\" wants to log in to bastion.test as \(NSUserName()).\n"), "\(login)")
        for name in ["c-rsa", "c-ed"] {
            let login = try sh(ssh(name, "bastion.test echo IN"))
            #expect(login.output == "IN\n", "\(name): \(login)")
        }
        let list = try vault.run("key", "list").output
        #expect(list.contains(/c\/ec +p256 +card Card/) && list.contains(/c\/rsa +rsa2048 +card Card/), "\(list)")
        try signsFiles()

        // It is one key of the vault like the others, and the card keeps its own.
        #expect(try vault.run("key", "rm", "c/ec").status == 0)
        #expect(try vault.run("ssh", "list", "--names").output.contains("c/ec") == false)
        let home = vault.place.path("home")
        try write(String(repeating: "d", count: 32), "digest")
        let words = "--sign --id 01 --mechanism ECDSA --input-file \(home)/digest --output-file \(home)/own.sig"
        #expect(try card.tool("--login --pin 1234 \(words)") == 0)
    }

    /// The commands for keys use those on cards, too.
    private func signsFiles() throws {
        let home = vault.place.path("home")
        try write("a message\n", "file")
        for name in ["c/rsa", "c/ed"] {
            let script = """
                '\(Command.binary.path)' key sign \(name) '\(home)/file' >'\(home)/sig' && \
                '\(Command.binary.path)' key verify \(name) '\(home)/sig' '\(home)/file'
                """
            let signed = try sh(script)
            #expect(signed.status == 0, "\(name): \(signed)")
        }
        let refused = try sh("'\(Command.binary.path)' key sign c/rsa --algorithm rsa-pss-sha256 '\(home)/file'")
        #expect(refused.status != 0 && refused.errors.contains("a key on a card signs with"), "\(refused)")
        try write(String(repeating: "l", count: 16 << 10), "long")
        #expect(try sh("'\(Command.binary.path)' key sign c/ed '\(home)/long' >'\(home)/sig'").status == 0)
        try write(String(repeating: "l", count: (16 << 10) + 1), "long")
        let long = try sh("'\(Command.binary.path)' key sign c/ed '\(home)/long'")
        #expect(long.status == 2 && long.errors.contains("at most 16 KiB with Ed25519"), "\(long)")
    }

    @Test(.enabled(if: SoftCard.isThere, "skipped: needs softhsm2 and opensc"))
    func anOpenAddressListsTheKeysAndAsksForNothing() throws {
        let card = try SoftCard(in: vault.place.path("home"))
        let open = try vault.run("ssh", "add", "c", "--card", "pkcs11:?module-path=\(SoftCard.module)")
        #expect(open.status == 2 && open.errors.contains("3 keys are at this address"), "\(open)")
        let addresses = open.errors.matches(of: /--card '(pkcs11:[^']+)' \(k\)/).map { String($0.1) }
        #expect(addresses.count == 3, "\(open)")
        let none = try vault.run("ssh", "add", "c", "--card", card.address("77"))
        #expect(none.status == 2 && none.errors.contains("no key is at this address"), "\(none)")
        let wrong = try vault.run("ssh", "add", "c", "--card", "pkcs11:pin-value=1234")
        #expect(wrong.status == 2 && wrong.errors.contains("no PIN in it"), "\(wrong)")
        // Each of the addresses that it prints leads to one key.
        let address = try #require(addresses.first)
        #expect(try vault.run("ssh", "add", "c", "--card", address).status == 8)
        let added = try add("c", address, "nothing")
        #expect(added.status == 0, "\(added)")
    }

    /// A card locks itself after a few wrong PINs, so a stored one is tried once.
    @Test(.enabled(if: SoftCard.isThere, "skipped: needs softhsm2 and opensc"))
    func aPINThatTheCardRefusesIsNotTriedAgain() throws {
        let card = try SoftCard(in: vault.place.path("home"))
        let wrong = try add("c", card.address("01"), "nothing", typing: "9999")
        #expect(wrong.status == 7 && wrong.shown.contains("refused the PIN"), "\(wrong)")
        #expect(try vault.run("key", "list", "--names").output.contains("c\n") == false)
        let added = try add("c", card.address("01"), "nothing")
        #expect(added.status == 0, "\(added)")
        try write(try vault.run("ssh", "public", "c").output, "authorized")
        #expect(try sh(ssh("c", "bastion.test echo IN")).output == "IN\n")

        // Two keys of the card have the PIN that it will not take any more.
        #expect(try add("other", card.address("02"), "nothing").status == 0)
        #expect(try card.tool("--login --pin 1234 --change-pin --new-pin 4321") == 0)
        let refused = try sign("c")
        #expect(refused.status == 10 && refused.errors.contains("refused the stored PIN"), "\(refused)")
        // The right PIN elsewhere ends the card's own memory of the mistake, and not the agent's.
        #expect(try card.tool("--login --pin 4321 --list-objects") == 0)
        for name in ["c", "other"] {
            let again = try sign(name)
            #expect(again.status == 10 && again.errors.contains("does not try it again"), "\(again)")
        }
        #expect(try sh(ssh("c", "bastion.test echo IN")).status == 255)
        #expect(try card.saysNothingOfAMistake)
        // Another agent tries once, and after that the card says that there was a mistake.
        for words in ["refused the stored PIN", "does not try the stored one"] {
            try vault.run("agent", "stop")
            try vault.at("unlock", asked: vault.typingPasscode)
            let later = try sign("c")
            #expect(later.status == 10 && later.errors.contains(words), "\(later)")
        }

        // The right PIN, typed anew, makes up for it, for this key and for no other.
        #expect(try vault.run("key", "rm", "c").status == 0)
        #expect(try add("c", card.address("01"), "nothing", typing: "4321").status == 0)
        #expect(try sh(ssh("c", "bastion.test echo IN")).output == "IN\n")
        #expect(try sign("other").errors.contains("refused the stored PIN"))
        #expect(try sign("c").errors.contains("does not try the stored one"))
        #expect(try card.tool("--login --pin 4321 --list-objects") == 0)
        #expect(try sign("c").status == 0)

        // Another key in its place signs, and its signature goes nowhere.
        for type in ["privkey", "pubkey"] {
            #expect(try card.tool("--login --pin 4321 --delete-object --type \(type) --id 01") == 0)
        }
        #expect(try card.tool("--login --pin 4321 --keypairgen --key-type EC:prime256v1 --id 01") == 0)
        let other = try sign("c")
        #expect(other.status == 10 && other.errors.contains("has another key there now"), "\(other)")
        #expect(try sh(ssh("c", "bastion.test echo IN")).status == 255)

        // Without its card, the key does nothing.
        try FileManager.default.moveItem(atPath: card.tokens, toPath: card.tokens + "-away")
        try FileManager.default.createDirectory(atPath: card.tokens, withIntermediateDirectories: false)
        let desktop = MockDesktop.isPossible ? try MockDesktop(for: vault) : nil
        let away = try sign("c")
        #expect(away.status != 0 && away.errors.contains("the card Card is not there: insert it"), "\(away)")
        #expect(try sh(ssh("c", "bastion.test echo IN")).status == 255)
        #expect(desktop?.shows("The card Card is not there: insert it.") ?? true, "\(desktop?.notifications ?? [])")
        #expect(try vault.run("ssh", "list", "--names").output.contains("c\n"))
    }

    /// Signs a file with a key.
    func sign(_ name: String) throws -> Command.Run {
        try write("a message\n", "file")
        return try vault.run("key", "sign", name, vault.place.path("home/file"))
    }
}
