import Foundation
import TestSupport
import Testing

/// Private keys: openssl verifies what the command signs, decrypts what it encrypts, and the other way round.
@Suite(.waitsForProcesses) struct KeyTests {
    private static let open = ["--preset", "open"]

    /// A vault with a folder for files, where scripts run.
    private struct Place {
        let vault: VaultAtTerminal
        let folder: TemporaryFolder

        init(_ arguments: String...) throws {
            vault = arguments.isEmpty ? try VaultAtTerminal() : try VaultAtTerminal(arguments[0])
            folder = try TemporaryFolder(inMemory: true)
            try Data("a message\n".utf8).write(to: URL(filePath: folder.path("m")))
        }

        /// Runs a script in the folder without a terminal, with the command as `latchkey`.
        func sh(_ script: String) throws -> Command.Run {
            try Command.run(
                [
                    "-w", "/bin/sh", "-c",
                    "cd '\(folder.url.path)' && latchkey() { '\(Command.binary.path)' \"$@\"; }; "
                        + "set -e; \(script)",
                ],
                environment: vault.environment, program: URL(filePath: "/usr/bin/setsid"))
        }

        func expect(_ script: String, _ location: SourceLocation = #_sourceLocation) throws {
            let run = try sh(script)
            #expect(run.status == 0, "\(script): \(run)", sourceLocation: location)
        }
    }

    @Test(.enabled(if: CertificateMaker.isThere, "skipped: needs openssl")) func opensslVerifiesEverySignature() throws
    {
        let place = try Place()
        let keys: [(options: String, algorithms: [String])] = [
            ("", ["ecdsa-sha256", "ecdsa-sha384", "ecdsa-sha512"]), ("--software", ["ecdsa-sha256"]),
            ("--type p384", ["ecdsa-sha384"]), ("--type p521", ["ecdsa-sha512"]),
            ("--type rsa2048", ["rsa-pkcs1-sha256", "rsa-pkcs1-sha512", "rsa-pss-sha256", "rsa-pss-sha384"]),
        ]
        for (number, key) in keys.enumerated() {
            try place.expect("latchkey key generate k\(number) --preset open \(key.options) >k\(number).pem")
            for algorithm in key.algorithms {
                let words = algorithm.split(separator: "-")
                let padding = words[1] == "pss" ? "-sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:-1" : ""
                try place.expect(
                    """
                    latchkey key sign k\(number) m --algorithm \(algorithm) >sig
                    openssl dgst -\(words[words.count - 1]) \(padding) -verify k\(number).pem -signature sig m
                    latchkey key verify k\(number) sig m --algorithm \(algorithm)
                    latchkey key verify --public k\(number).pem --algorithm \(algorithm) sig <m
                    openssl dgst -\(words[words.count - 1]) -binary m | latchkey key sign k\(number) --digest \
                        --algorithm \(algorithm) --base64 >sig64
                    latchkey key verify k\(number) sig64 m --base64 --algorithm \(algorithm)
                    """)
            }
        }
        try place.expect(
            "latchkey key sign k0 - --raw <m >raw; test $(wc -c <raw) = 64; latchkey key verify k0 raw m --raw")
        try place.expect(
            "latchkey key public k0 | cmp - k0.pem; latchkey key public k0 --der | openssl pkey -pubin -inform DER")
        let changed = try place.sh("latchkey key sign k0 m >sig; echo more >>m; latchkey key verify k0 sig m")
        #expect(changed.status == 1 && changed.errors.contains("the signature is not valid"), "\(changed)")
        let other = try place.sh("latchkey key verify k1 sig m")
        #expect(other.status == 1, "\(other)")
    }

    @Test(.enabled(if: CertificateMaker.isThere, "skipped: needs openssl")) func bothDecryptWhatTheOtherEncrypts()
        throws
    {
        let place = try Place()
        try place.expect(
            """
            latchkey key generate box --preset open >box.pem
            for a in ecies-sha256 ecies-sha384 ecies-sha512; do
                latchkey key encrypt box m --algorithm $a >e; latchkey key decrypt box e --algorithm $a | cmp - m
            done
            latchkey key encrypt --public box.pem m | latchkey key decrypt box | cmp - m
            latchkey key encrypt --public box.pem <m | latchkey key decrypt box | cmp - m
            latchkey key encrypt box --base64 <m | latchkey key decrypt box --base64 | cmp - m
            openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out rsa.key
            latchkey key import rsa rsa.key --preset open
            latchkey key public rsa >rsa.pem
            openssl pkey -in rsa.key -pubout | cmp - rsa.pem
            for h in sha1 sha256 sha384 sha512; do
                o="-pkeyopt rsa_padding_mode:oaep -pkeyopt rsa_oaep_md:$h -pkeyopt rsa_mgf1_md:$h"
                openssl pkeyutl -encrypt -pubin -inkey rsa.pem $o -in m | latchkey key decrypt rsa --algorithm rsa-oaep-$h | cmp - m
                latchkey key encrypt rsa m --algorithm rsa-oaep-$h | openssl pkeyutl -decrypt -inkey rsa.key $o | cmp - m
            done
            head -c 100000 /dev/zero >long
            latchkey key encrypt rsa long --algorithm rsa-oaep-aesgcm-sha256 >e
            latchkey key decrypt rsa e --algorithm rsa-oaep-aesgcm-sha256 | cmp - long
            """)
        for (script, says) in [
            ("latchkey key decrypt box m", "does not decrypt"),
            ("latchkey key encrypt rsa long", "longer than 190 bytes"),
            (
                "latchkey key decrypt box e --algorithm rsa-oaep-sha256",
                "rsa-oaep-sha256 is not for a key of type p256: use ecies-sha256, ecies-sha384 or ecies-sha512"
            ),
            (
                "latchkey key sign box m --algorithm rsa-pss-sha256",
                "is not for a key of type p256: use ecdsa-sha256, ecdsa-sha384 or ecdsa-sha512"
            ),
            ("latchkey key verify --public rsa.pem --algorithm ecdsa-sha256 e m", "is not for a key of type rsa2048"),
            ("latchkey key encrypt rsa m --algorithm ecies-sha256", "is not for a key of type rsa2048"),
            ("latchkey key encrypt rsa <long", "standard input is longer than 190 bytes"),
            ("latchkey key encrypt rsa long", "use --algorithm rsa-oaep-aesgcm-sha256"),
            ("latchkey key encrypt", "NAME is missing"),
            ("latchkey key encrypt --public box.pem m m", "m is a word too many"),
            ("latchkey key encrypt --public rsa.key m", "rsa.key is a private key, not a public key"),
            ("latchkey key sign box m --digest", "takes a digest of 32 bytes, and this one has 10"),
        ] {
            let run = try place.sh(script)
            #expect(run.status == 2 && run.errors.contains(says), "\(script): \(run)")
        }
    }

    @Test(.enabled(if: CertificateMaker.isThere, "skipped: needs openssl"))
    func everyFormatIsImportedWithItsCertificate() throws {
        let place = try Place()
        try place.expect(
            """
            openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out k.key
            openssl pkey -in k.key -outform DER -out k.der
            openssl ec -in k.key -out k.sec1 2>/dev/null
            openssl ec -in k.key -outform DER -out k.sec1.der 2>/dev/null
            openssl pkey -in k.key -pubout -out k.pem
            openssl req -new -x509 -key k.key -subj /CN=Ada -days 10 -out k.crt
            openssl x509 -in k.crt -outform DER -out k.crt.der
            openssl pkcs12 -export -inkey k.key -in k.crt -passout pass:secret -out k.p12
            openssl pkcs12 -export -inkey k.key -in k.crt -passout pass: -out open.p12
            for f in k.key k.der k.sec1 k.sec1.der open.p12; do
                latchkey key import at/$f $f --preset open
                latchkey key public at/$f | cmp - k.pem
                latchkey key sign at/$f m >sig
                openssl dgst -sha256 -verify k.pem -signature sig m
            done
            latchkey key import at/stdin --preset open <k.key
            latchkey key certificate at/open.p12 | openssl x509 -outform DER | cmp - k.crt.der
            latchkey key certificate at/k.der --der | cmp - k.crt.der
            latchkey key certificate at/k.der k.crt.der
            latchkey key certificate at/k.der - <k.crt
            latchkey key verify --public k.crt sig m
            """)
        let typed = try place.vault.at(
            "key", "import", "at/archive", place.folder.path("k.p12"), "--preset", "open",
            asked: [("Passphrase: ", "wrong\n"), ("Passphrase: ", "secret\n")])
        #expect(typed.status == 0 && typed.shown.contains("Imported at/archive: p256, a software key."), "\(typed)")
        try place.expect("latchkey key sign at/archive m >sig; openssl dgst -sha256 -verify k.pem -signature sig m")
        let list = try place.vault.run("key", "list").output
        #expect(list.split(separator: "\n").count == 7, "\(list)")
        #expect(list.split(separator: "\n").allSatisfy { $0.contains("software") && $0.hasSuffix("Ada") }, "\(list)")
        for line in try place.vault.run("key", "list", "--json").output.split(separator: "\n") {
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
        }
        // The certificate goes with the last key that it is for.
        for name in try place.vault.run("key", "list", "--names").output.split(separator: "\n") {
            try place.expect("latchkey key certificate '\(name)'; latchkey key rm '\(name)'")
        }
        #expect(try place.vault.run("verify", "--json").output.contains("\"items\":0"))

        try place.expect("latchkey key generate other --preset open")
        for (script, status, says) in [
            ("latchkey key certificate other k.crt", 2, "is for another key than other"),
            ("latchkey key certificate other", 4, "has no certificate"),
            ("latchkey key import new k.p12 </dev/null", 8, "needs its passphrase"),
            ("latchkey key import other k.key", 9, "there is a key other already"),
            ("latchkey key generate other", 9, "latchkey key rm"),
            ("latchkey key import new k.pem", 2, "k.pem is a public key, not a private key: name the file"),
            (
                "openssl pkey -pubin -in k.pem -outform DER | latchkey key import new", 2,
                "standard input is a public key"
            ),
            (
                "latchkey key import new k.crt.der", 2,
                "is a certificate, not a private key: store it with `latchkey key"
            ),
            ("latchkey key import new k.crt", 2, "k.crt is a certificate, not a private key"),
            (
                "printf -- '-----BEGIN OPENSSH PRIVATE KEY-----\\nAA==\\n-----END OPENSSH PRIVATE KEY-----\\n' >s; latchkey key import new s",
                2, "s: These bytes are not a private key of OpenSSH"
            ),
            ("latchkey key certificate other k.key", 2, "k.key is a private key, not a certificate: name the file"),
            ("latchkey key verify --public m m m", 2, "m: no public key and no certificate"),
            ("latchkey key verify --public k.key m m", 2, "k.key is a private key, not a public key"),
            ("latchkey key sign othe m", 4, "no key othe: did you mean other?"),
            ("latchkey key import new m", 2, "no private key"), ("latchkey key import new /nowhere", 2, "No such file"),
            (
                "openssl pkcs8 -topk8 -in k.key -passout pass:x | latchkey key import new", 2,
                "protected by a passphrase"
            ),
            ("openssl genpkey -algorithm ed448 | latchkey key import new", 2, "not supported"),
            ("latchkey key sign none m", 4, "no key none: run `latchkey key list`"),
            ("latchkey key rm none", 4, "no key none"), ("latchkey get other", 4, "no secret other, but a key"),
            ("latchkey rm other", 4, "no secret other, but a key"),
            ("latchkey key verify other", 2, "SIGNATURE is missing"),
        ] as [(String, Int32, String)] {
            let run = try place.sh(script)
            #expect(run.status == status && run.errors.contains(says), "\(script): \(run)")
        }
        #expect(try place.vault.run("key", "list", "--names").output == "other\n")
        #expect(try place.vault.run("list", "--names").output.isEmpty, "keys are no secrets")
    }

    /// An archive without a passphrase that assigns the certificate of one key to another. openssl makes none.
    private static let wrongCertificate = """
        MIIC0gIBAzCCApwGCSqGSIb3DQEHAaCCAo0EggKJMIIChTCCAoEGCSqGSIb3DQEHAaCCAnIEggJuMIICajCBrgYLKoZIhvcN\
        AQwKAQGggYowgYcCAQAwEwYHKoZIzj0CAQYIKoZIzj0DAQcEbTBrAgEBBCDBe0+cykG2YvwuFWak7xii/NWsapHwVZncX5Ty\
        RVKEcKFEA0IABNaJxa0Zm8IT5/I72V2zBenEHlQ6y2q1+b4/UrbBSXZEnEAmEjRQ0Dh1kqZ9q6YrERzm3siHJyItgBTSsPUF\
        Rf0xEjAQBgkqhkiG9w0BCRUxAwQBATCCAbUGCyqGSIb3DQEMCgEDoIIBkDCCAYwGCiqGSIb3DQEJFgGgggF8BIIBeDCCAXQw\
        ggEZoAMCAQICFF4pI3szjXuupB7muQ9OKRizKveSMAoGCCqGSM49BAMCMA4xDDAKBgNVBAMMA0V2ZTAgFw0yNjExMjMwMDIw\
        MTlaGA8yMTI2MTAzMDAwMjAxOVowDjEMMAoGA1UEAwwDRXZlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEmB8YaImS1L5l\
        ZzmRjgbL091VGCj46POC2dgzZUFOA8ZWDAxPITPji6x9tE175GRfO6zdJBiu6VPmY/Yjq19CeqNTMFEwHQYDVR0OBBYEFAiR\
        YMew+1ARJxMz/OR1WMGfkNlDMB8GA1UdIwQYMBaAFAiRYMew+1ARJxMz/OR1WMGfkNlDMA8GA1UdEwEB/wQFMAMBAf8wCgYI\
        KoZIzj0EAwIDSQAwRgIhANewtag2jH5S9BTXysb355cjB+/j8EflxBiARGoYt7+GAiEA+iX/Id1ZrYB5Y3twI3O/65XzlS9y\
        nfkguPyCGzB/87QxEjAQBgkqhkiG9w0BCRUxAwQBATAtMCEwCQYFKw4DAhoFAAQUG57ojsxU8EjD9ALDWcjqVXsrXlAECDEy\
        MzQ1Njc4
        """

    /// Either the key and its certificate are imported, or the command says which of them is not.
    @Test(.enabled(if: CertificateMaker.isThere, "skipped: needs openssl"))
    func aCertificateThatCannotBeStoredIsNamed() throws {
        let place = try Place()
        let archive = try #require(Data(base64Encoded: Self.wrongCertificate))
        let wrong = try place.vault.run(["key", "import", "wrong"], input: archive)
        #expect(wrong.status == 2 && wrong.errors.contains("nothing was imported"), "\(wrong)")
        #expect(try place.vault.run("key", "list", "--names").output.isEmpty)
        try place.expect(
            """
            for k in a b; do
                openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out $k.key
                openssl req -new -x509 -key $k.key -subj /CN=Ada -set_serial 1 -days 10 -out $k.crt
                openssl pkcs12 -export -inkey $k.key -in $k.crt -passout pass: -out $k.p12
            done
            latchkey key import a a.p12
            """)
        let second = try place.sh("latchkey key import b b.p12")
        #expect(second.status == 9, "\(second)")
        #expect(second.errors.contains("the key b was imported, and its certificate was not"), "\(second)")
        #expect(second.errors.contains("the same issuer and serial number"), "\(second)")
        #expect(try place.vault.run("key", "list", "--names").output == "a\nb\n")
        try place.expect("latchkey key certificate a | openssl x509 -noout -subject")
    }

    /// Bytes that are no key are an error, and never end the agent.
    @Test(.enabled(if: CertificateMaker.isThere, "skipped: needs openssl")) func hostileFilesAreRefused() throws {
        let place = try Place()
        try place.expect("openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -outform DER -out k.der")
        let agent = try place.vault.agent
        let whole = try Data(contentsOf: URL(filePath: place.folder.path("k.der")))
        var files = stride(from: 0, to: whole.count, by: 9).map { whole.prefix($0) }
        for byte in stride(from: 0, to: 36, by: 5) {
            var changed = whole
            changed[byte] ^= 0x55
            files.append(changed)
        }
        files += [
            Data("-----BEGIN PRIVATE KEY-----\n".utf8),
            Data("-----BEGIN PRIVATE KEY----------END PRIVATE KEY-----".utf8),
            Data("-----BEGIN PRIVATE KEY-----\n!!!\n-----END PRIVATE KEY-----\n".utf8),
            Data([0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF]),
            Data(repeating: 0x30, count: 100_000), Data("-----BEGIN ".utf8),
        ]
        for file in files {
            let run = try place.vault.run(["key", "import", "bad"], input: file)
            #expect(
                run.status == 2 && run.errors.hasPrefix("latchkey: standard input: "),
                "\(Array(file.prefix(40))): \(run)")
        }
        #expect(try place.vault.run("key", "list", "--names").output.isEmpty)
        #expect(try place.vault.agent == agent)
    }

    /// A finger uses the key. Once another one is enrolled, the key is still listed, and nothing uses it.
    @Test func aNewFingerInvalidatesAKey() throws {
        let place = try Place("--fake-biometry")
        let vault = place.vault
        let touch = [("touches it? ", "right index\n")]
        let message = place.folder.path("m")
        #expect(try vault.at("biometry", "enroll", "right index", asked: vault.typingPasscode).status == 0)
        for name in ["bank", "soft"] {
            let more = name == "soft" ? ["--software"] : []
            let made = try vault.run(["key", "generate", name, "--preset", "current-set"] + more)
            #expect(made.status == 0 && made.output.hasPrefix("-----BEGIN PUBLIC KEY-----\n"), "\(made)")
            let signed = try vault.at("key", "sign", name, message, asked: touch)
            #expect(signed.status == 0 && signed.shown.contains("wants to sign with \(name)."), "\(signed)")
            let refused = try vault.run("key", "sign", name, message)
            #expect(refused.status == 8 && refused.output.isEmpty, "\(refused)")
            let wrong = try vault.at("key", "sign", name, message, asked: [("touches it? ", "\n")])
            #expect(wrong.status != 0, "\(wrong)")
            #expect(try vault.run("key", "public", name).output == made.output, "nothing is asked")
        }
        let list = try vault.run("key", "list").output
        let enrolled = try vault.at(
            "biometry", "enroll", "left thumb",
            asked: [("This invalidates the key bank, the key soft, bound to the enrolled set. Continue? [y/N] ", "y\n")]
                + vault.typingPasscode)
        #expect(enrolled.status == 0, "\(enrolled)")
        #expect(try vault.run("key", "list").output == list)
        for name in ["bank", "soft"] {
            let lost = try vault.run("key", "sign", name, message)
            #expect(
                lost.status == 3 && lost.errors.contains("\(name) is invalidated, because a finger or face"), "\(lost)")
            #expect(lost.errors.contains("latchkey key rm \(name)"), "\(lost)")
        }
        #expect(try vault.run("key", "rm", "bank").status == 0)
        #expect(try vault.run("key", "generate", "bank", "--preset", "current-set").status == 0)
        #expect(try vault.at("key", "sign", "bank", message, asked: touch).status == 0)
    }

    @Test func aLockedVaultIsUnlockedOnlyAtATerminal() throws {
        let place = try Place()
        let vault = place.vault
        try place.expect("latchkey key generate a --preset passcode; latchkey lock")
        for (arguments, status) in [
            (["list"], 5), (["public", "a"], 5), (["sign", "a"], 5), (["decrypt", "a"], 5), (["generate", "b"], 5),
        ] as [([String], Int32)] {
            let run = try vault.run(["key"] + arguments)
            #expect(run.status == status && run.errors.contains("latchkey unlock"), "\(arguments): \(run)")
        }
        #expect(try vault.run("key", "list", "--names").status == 0, "completion offers what it can")
        let signed = try vault.at("key", "sign", "a", place.folder.path("m"), asked: vault.typingPasscode)
        #expect(signed.status == 0, "the passcode that unlocks counts for the key: \(signed)")
        // On a terminal the signature is text.
        #expect(signed.shown.split(separator: "\n").last.map { Data(base64Encoded: String($0)) != nil } == true)
        let log = try vault.run("log").output
        #expect(log.contains("sign") && log.contains(" a"), "\(log)")
    }

    /// An ordinary user may lock little memory.
    @Test(.needsOrdinaryUser) func anOrdinaryUserWithLittleMemoryUsesKeys() throws {
        let place = try Place()
        try place.expect(
            """
            latchkey agent stop; ulimit -l 256
            latchkey status >/dev/null
            """)
        #expect(try place.vault.at("unlock", asked: place.vault.typingPasscode).status == 0)
        try place.expect(
            """
            latchkey key generate a --preset open >a.pem; latchkey key sign a m >sig; latchkey key verify --public a.pem sig m
            latchkey key generate r --type rsa4096 --preset open; latchkey key encrypt r m | latchkey key decrypt r | cmp - m
            """)
    }
}
