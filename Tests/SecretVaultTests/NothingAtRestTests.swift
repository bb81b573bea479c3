import AccessPolicy
import Foundation
import SecretVault
import SodiumKit
import TestSupport
import Testing

/// Law "Nothing at rest": no secret, no passcode and no name is in any file of a vault, in any form that a search would
/// find, nor in any text that the vault returns.
@Suite struct NothingAtRestTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Byte strings that must not be found. They are random for each run, so none is in a file by chance.
    private struct Canaries {
        let passcode = letters(24)
        let next = letters(24)
        let wrong = letters(24)
        let password = letters(24)
        let small = letters(40)
        let middle = letters(5 * 1024)
        let large = letters(100 * 1024)
        let updated = letters(40)
        let key: [UInt8]
        let account = letters(24)
        let service = letters(24)
        let label = letters(24)
        let group = letters(24)

        init() throws { key = try Cast.newKey() }

        static func letters(_ count: Int) -> [UInt8] { Sodium.randomBytes(count).map { 0x61 + $0 % 26 } }

        var secrets: [[UInt8]] { [passcode, next, wrong, password, small, middle, large, updated, key] }
        var names: [[UInt8]] { [account, service, label, group] }
        var all: [(String, [UInt8])] {
            [
                ("passcode", passcode), ("next passcode", next), ("wrong passcode", wrong),
                ("application password", password), ("small secret", small), ("middle secret", middle),
                ("large secret", large), ("updated secret", updated), ("private key", Array(key.suffix(32))),
                ("account", account), ("service", service),
                ("label", label), ("group", group),
            ]
        }

        /// Every canary in every form. For the long ones, a piece of every kilobyte, because a page may hold as much.
        var needles: Needles {
            var needles = Needles()
            for (name, bytes) in all {
                for start in stride(from: 0, to: max(1, bytes.count - 48), by: 1000) {
                    let piece = Array(bytes[start..<min(start + 48, bytes.count)])
                    for (form, encoded) in Canaries.forms(of: piece) { needles.add("\(name), \(form)", encoded) }
                }
            }
            return needles
        }

        /// The forms in which bytes could be written.
        static func forms(of bytes: [UInt8]) -> [(String, [UInt8])] {
            var forms: [(String, [UInt8])] = [
                ("as it is", bytes), ("UTF-16LE", bytes.flatMap { [$0, 0] }), ("UTF-16BE", bytes.flatMap { [0, $0] }),
                ("hex", Array(bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined().utf8)),
                (
                    "HEX",
                    Array(
                        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined().uppercased().utf8
                    )
                ),
                ("backwards", Array(bytes.reversed())),
            ]
            for before in 0..<3 {
                // Bytes before the canary shift its letters in base64. Letters that it shares with its neighbors are
                // left out.
                let encoded = Array(Data([UInt8](repeating: 0, count: before) + bytes).base64EncodedString().utf8)
                let whole = (before + bytes.count) * 8 / 6
                forms.append(("base64 after \(before)", Array(encoded[((before * 8 + 5) / 6)..<whole])))
            }
            return forms
        }
    }

    private var path: String { folder.path("vault") }

    private func files() throws -> Set<String> { Set(try FileManager.default.contentsOfDirectory(atPath: path)) }

    /// Returns the texts of the process, after a search for canaries in each.
    private func texts(of process: CanaryProcess, without needles: Needles) throws -> [String] {
        var texts: [String] = []
        for piece in try process.pieces() {
            let found = needles.found(in: piece.bytes)
            #expect(found == [], "in what was said: \(found.sorted())")
            texts.append(String(decoding: piece.bytes, as: UTF8.self))
        }
        return texts
    }

    private func expectNothing(_ needles: Needles, _ moment: String) throws {
        let found = try needles.found(under: folder.url.path)
        #expect(found == [], "\(moment): \(found.sorted().prefix(20))")
    }

    @Test(arguments: ["simulated", "real"]) func noFileHoldsASecretOrAName(kind: String) throws {
        let canaries = try Canaries()
        let needles = canaries.needles
        let process = try CanaryProcess(["rest", path, kind])
        for bytes in canaries.secrets + canaries.names { try process.send(bytes) }
        let said = try texts(of: process, without: needles)
        // The vault was really used: requests were granted, denied, refused and recorded, and nothing is damaged.
        #expect(said.filter { $0 == "granted" }.count >= 8, "\(said)")
        #expect(said.filter { $0.hasPrefix("audit ") }.count >= 15)
        for rule in ["item.not-found", "item.duplicate", "class.locked", "interaction.not-allowed"] {
            #expect(said.contains { $0.contains(rule) }, "\(rule)")
        }
        for refused in [
            "already exists, and nothing is replaced", "there is no vault at",
            "a passcode or a passphrase has 1 to 511 bytes", "a secret has at most",
            "the attributes of an item have at most", "the context was made on another vault",
        ] {
            #expect(said.contains { $0.contains(refused) }, "\(refused)")
        }
        #expect(said.contains { $0.contains("findings: []") })

        #expect(try files() == ["vault.db", "vault.db-wal", "vault.db-shm", "device", "lock", "reserve"])
        try expectNothing(needles, "while it is open")
        process.kill()
        #expect(try files() == ["vault.db", "vault.db-wal", "vault.db-shm", "device", "lock", "reserve"])
        try expectNothing(needles, "after it was killed")

        let second = try CanaryProcess(["again", path])
        for bytes in [canaries.next] + canaries.names { try second.send(bytes) }
        let saidAgain = try texts(of: second, without: needles)
        #expect(saidAgain.contains("granted"))
        #expect(saidAgain.filter { $0.contains("closed") }.count >= 3)
        #expect(saidAgain.contains { $0.contains("findings: []") })
        try second.finish()
        #expect(try files() == ["vault.db", "device", "lock", "reserve"])
        try expectNothing(needles, "after it was closed")
        if kind == "simulated" { try expectSilenceOfDamage(canaries, needles) }
    }

    /// The errors of a vault that is damaged at any place contain no name either.
    private func expectSilenceOfDamage(_ canaries: Canaries, _ needles: Needles) throws {
        let whole = Array(try Data(contentsOf: URL(filePath: path + "/vault.db")))
        let device = try Data(contentsOf: URL(filePath: path + "/device"))
        func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
        let item = ItemDescription(
            .genericPassword, ["acct": .string(text(canaries.account))], AccessControl(.whenUnlocked),
            group: text(canaries.group))
        let caller = Caller("tests", groups: [item.group], interaction: .fail)
        var said: Set<String> = []
        // The last bytes of every page are in use. The first page also has the head of the file.
        for place in [50] + stride(from: 4096 - 100, to: min(whole.count, 40 * 4096), by: 4096) {
            var damaged = whole
            for offset in place..<min(place + 64, whole.count) { damaged[offset] ^= 0x55 }
            try? FileManager.default.removeItem(atPath: path + "/vault.db-wal")
            try? FileManager.default.removeItem(atPath: path + "/vault.db-shm")
            try Data(damaged).write(to: URL(filePath: path + "/vault.db"))
            try device.write(to: URL(filePath: path + "/device"))
            for file in ["vault.db", "device"] {
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path + "/" + file)
            }
            func note(_ body: () throws -> String) {
                do { said.insert(try body()) } catch { said.insert("\(error) \(String(reflecting: error))") }
            }
            note {
                let vault = try Vault.open(at: path)
                note {
                    try vault.enter(passcode: try SecureBytes(copying: canaries.next.span.bytes))
                    let answer = try vault.read(.key(item.primaryKey), for: caller)
                    return "\(answer.isGranted) \(answer.denial.map { "\($0)" } ?? "")"
                }
                note { "\(try vault.verify())" }
                note { "\(try vault.auditLog())" }
                vault.close()
                return "opened"
            }
        }
        for words in ["damaged", "not what the vault wrote", "is not a vault"] {
            #expect(said.contains { $0.contains(words) }, "\(words)")
        }
        for text in said {
            let found = needles.found(in: Array(text.utf8))
            #expect(found == [], "in what was said of damage: \(found.sorted())")
        }
    }

    /// The control: any canary in a file of the folder is found, in every form.
    @Test func whatIsThereIsFound() throws {
        let canaries = try Canaries()
        let needles = canaries.needles
        for (name, bytes) in canaries.all {
            for (form, encoded) in Canaries.forms(of: bytes) {
                let isCut = bytes.count > 48 && form == "backwards"  // a long canary is searched in pieces
                let file = folder.path("planted")
                let around = Sodium.randomBytes(Int.random(in: 1..<5000))
                try Data(around + encoded + around).write(to: URL(filePath: file))
                let found = try needles.found(under: folder.url.path)
                #expect(found.contains("\(name), \(form) in planted") || isCut, "\(name), \(form)")
                try FileManager.default.removeItem(atPath: file)
            }
        }
        let account = String(decoding: canaries.account, as: UTF8.self)
        try Data().write(to: folder.url.appending(path: account))
        #expect(try needles.found(under: folder.url.path).contains { $0.hasPrefix("account, as it is in the name") })
    }

    /// The control for encryption: the same search finds the canaries in a database that holds the same bytes in clear.
    @Test func whatSQLiteWouldStoreInClearIsFound() throws {
        let canaries = try Canaries()
        let vault = try Vault.create(at: path, .simulated(), passcode: try SecureBytes("1234")).vault
        let label = String(decoding: canaries.label, as: UTF8.self)
        // The caller's name is sealed in the audit log. Only the name of the vault's folder is in clear.
        _ = try vault.read(
            .key(PrimaryKey(.genericPassword, ["acct": .string(label)], group: label)),
            for: Caller(label, groups: [label]))
        try vault.flushAudit()
        vault.close()
        #expect(try canaries.needles.found(under: folder.url.path) == [])
        let file = try FileHandle(forWritingTo: URL(filePath: path + "/vault.db"))
        try file.seek(toOffset: 5000)
        try file.write(contentsOf: Data(canaries.label))
        try file.close()
        #expect(try canaries.needles.found(under: folder.url.path) == ["label, as it is in vault/vault.db"])
    }
}
