import AccessPolicy
import DeviceModel
import Foundation
import Glibc
import SecretVault
import SodiumKit
import TestSupport
import Testing

/// The expected contents of a vault in `Fixtures/vectors`, from its `expect.json`. The README there describes every
/// word.
private struct Vector: Codable, Equatable {
    /// The result of reading one item, after authentication with everything that the vector has.
    struct Item: Codable, Equatable {
        var account: String
        var service = "service"
        var group = "com.example.app"
        var itemClass = "genp"
        /// Apple's name of the accessibility class, and the bits of the flags.
        var protection: String
        var flags: UInt
        var secretHex: String?
        /// The rule that denies it.
        var rule: String?
        var isDamaged: Bool?
    }

    /// The point of the vector.
    var title: String
    var passcode: String
    var applicationPassword: String
    /// The number of the enrolled finger that is presented.
    var finger: UInt8
    /// "opens", or the reason why the vault is refused.
    var opening: String
    /// True if the passcode is right.
    var isPasscodeRight: Bool?
    var items: [Item]
    /// The kinds of findings of verifying, each once.
    var findings: [String]
}

/// The vaults under `Fixtures/vectors` have the contents that are written down for them. They were written once, so
/// that an unintended change of the format shows here, and other implementations can be tested with them.
@Suite struct VectorTests {
    private static let folder = Repository.root.appending(path: "Fixtures/vectors")

    private static func names() -> [String] {
        let found = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return found.filter { !$0.contains(".") }.sorted()
    }

    /// Writes the files again if the run asks for it, before any test reads them. The expectations stay as they are.
    private static let prepared = Result { if Vectors.isWriting { try Vectors.writeAll(to: folder) } }

    @Test func allAreThere() throws {
        try Self.prepared.get()
        #expect(Set(Self.names()) == Set(Vectors.all.map(\.name)))
    }

    @Test(arguments: Vectors.all.map(\.name)) func eachComesToWhatIsExpected(_ name: String) throws {
        try Self.prepared.get()
        let source = Self.folder.appending(path: name)
        let expected = try JSONDecoder().decode(
            Vector.self, from: Data(contentsOf: source.appending(path: "expect.json")))
        // The files in the repository have other modes than a vault, lack the empty lock, and must not be changed.
        let bench = try Specimen.Bench()
        try VaultFiles(in: source.path).write(to: bench.path)
        #expect(expected.title == Vectors.all.first { $0.name == name }?.title)
        #expect(try Vectors.result(at: bench.path, expected) == expected)
    }
}

/// The vectors, and the functions that write them.
private enum Vectors {
    static let isWriting = ProcessInfo.processInfo.environment["LATCHKEY_WRITE_VECTORS"] == "1"

    struct Case: Sendable {
        let name: String
        let title: String
        /// Makes the files from those of an intact vault.
        let make: @Sendable (VaultFiles, [String: Int64], Specimen.Bench) throws -> VaultFiles
    }

    /// Changes the database of `files` with SQLite alone.
    private static func editing(
        _ files: VaultFiles, _ bench: Specimen.Bench, _ body: (RawDatabase) throws -> Void
    ) throws -> VaultFiles {
        try files.write(to: bench.path)
        do { try body(try RawDatabase(bench.path + "/vault.db")) }
        return try VaultFiles(in: bench.path)
    }

    /// Returns the files after `body` has used the vault.
    private static func using(
        _ files: VaultFiles, _ bench: Specimen.Bench, _ body: (Vault, VaultContext) throws -> Void
    ) throws -> VaultFiles {
        try files.write(to: bench.path)
        do {
            let vault = try Vault.open(at: bench.path)
            let context = try vault.makeContext()
            try vault.enter(passcode: Cast.bytes(Specimen.passcode), in: context)
            try body(vault, context)
            vault.close()
        }
        return try VaultFiles(in: bench.path)
    }

    private static func replacing(_ account: String, in vault: Vault) throws {
        let isGranted = try vault.update(
            Cast.key(account), secret: .replace(Cast.bytes("a newer secret")), for: Cast.app
        ).isGranted
        try #require(isGranted)
    }

    static let all = [
        Case(name: "accept", title: "a sound vault: everything opens") { files, _, _ in files },
        Case(name: "wrong-passcode", title: "a sound vault and another passcode") { files, _, _ in
            files
        },
        Case(name: "truncated", title: "the last page of the database is gone") { files, _, _ in
            var files = files
            files.database.removeLast(512)
            return files
        },
        Case(name: "swapped-rows", title: "the records of two items were exchanged") { files, rows, bench in
            try editing(files, bench) { database in
                let plain = try #require(rows["plain"])
                let always = try #require(rows["always"])
                let first = try database.blobs("SELECT record FROM items WHERE row = \(plain)")[0]
                let second = try database.blobs("SELECT record FROM items WHERE row = \(always)")[0]
                try database.run("UPDATE items SET record = ? WHERE row = \(plain)", second)
                try database.run("UPDATE items SET record = ? WHERE row = \(always)", first)
            }
        },
        Case(name: "rolled-back-row", title: "one row as it was before its last change") { files, rows, bench in
            let plain = try #require(rows["plain"])
            var old: [[UInt8]] = []
            _ = try editing(files, bench) { database in
                old = try ["record", "attributes"].map {
                    try database.blobs("SELECT \($0) FROM items WHERE row = \(plain)")[0]
                }
            }
            let newer = try using(files, bench) { vault, _ in try replacing("plain", in: vault) }
            return try editing(newer, bench) { database in
                try database.run("UPDATE items SET record = ? WHERE row = \(plain)", old[0])
                try database.run("UPDATE items SET attributes = ? WHERE row = \(plain)", old[1])
            }
        },
        Case(name: "missing-row", title: "a row was taken out") { files, rows, bench in
            try editing(files, bench) { database in
                try database.run("DELETE FROM items WHERE row = \(try #require(rows["plain"]))")
            }
        },
        Case(name: "older-copy", title: "the database is older than the device file") { files, _, bench in
            var newer = try using(files, bench) { vault, _ in try replacing("plain", in: vault) }
            newer.database = files.database
            return newer
        },
        Case(name: "older-keybag", title: "the sealed keys alone are older") { files, _, bench in
            var old: [UInt8] = []
            var generation: Int64 = 0
            _ = try editing(files, bench) { database in
                old = try database.blobs("SELECT keybag FROM device")[0]
                generation = try database.numbers("SELECT generation FROM device")[0]
            }
            let newer = try using(files, bench) { vault, _ in try vault.enter(passcode: Cast.bytes("wrong")) }
            return try editing(newer, bench) { database in
                try database.run("UPDATE device SET generation = \(generation), keybag = ?", old)
            }
        },
        Case(name: "newer-version", title: "the schema is of a version to come") { files, _, _ in
            var files = files
            files.database[62] = 0x7F
            return files
        },
        Case(name: "foreign-application", title: "the database is another application's") { files, _, _ in
            var files = files
            files.database.replaceSubrange(68..<72, with: Array("Note".utf8))
            return files
        },
        Case(name: "foreign-device", title: "the device file is another vault's") { files, _, _ in
            var files = files
            files.device = try Specimen().files.device
            return files
        },
        Case(name: "destroyed-set", title: "another finger was enrolled after the items were stored") {
            files, _, bench in
            try using(files, bench) { vault, _ in try vault.apply(.enrolled(Cast.thumb)) }
        },
    ]

    /// Writes the database and the device file of each vector. The expectations are written by hand, because the code
    /// cannot be tested against its own results.
    static func writeAll(to folder: URL) throws {
        let specimen = try Specimen()
        let bench = try Specimen.Bench()
        for one in all {
            let files = try one.make(specimen.files, specimen.rows, bench)
            try #require(files.log == nil)
            let target = folder.appending(path: one.name)
            try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
            try Data(files.database).write(to: target.appending(path: "vault.db"))
            try Data(files.device).write(to: target.appending(path: "device"))
        }
        print("written: \(all.count) vectors")
    }

    /// Reads an item, and returns the secret in hexadecimal digits or the rule that denies it.
    private static func reading(
        _ account: String, of vault: Vault, in context: VaultContext
    ) throws -> (String?, String?) {
        switch try vault.read(Cast.key(account), for: Cast.app, in: context) {
        case .granted(let secret):
            let text = secret.text ?? ""
            return (text.utf8.map { String(String(UInt16($0) + 256, radix: 16).dropFirst()) }.joined(), nil)
        case .challenge: return (nil, "challenge")
        case .denied(let denial): return (nil, denial.rule.identifier)
        }
    }

    /// Opens the vault at `path` with the passcode, password and finger of `vector`, and returns its contents.
    static func result(at path: String, _ vector: Vector) throws -> Vector {
        var result = vector
        result.items = []
        result.findings = []
        result.isPasscodeRight = nil
        let vault: Vault
        do throws(VaultError) {
            vault = try Vault.open(at: path)
        } catch {
            result.opening = error.heading
            return result
        }
        defer { vault.close() }
        result.opening = "opens"
        let context = try vault.makeContext()
        result.isPasscodeRight = try vault.enter(passcode: Cast.bytes(vector.passcode), in: context).authenticated(
            .passcode)
        try vault.record(.presented(Cast.finger(vector.finger)), in: context)
        for (account, flags, protection, _) in Specimen.secrets {
            var item = Vector.Item(account: account, protection: protection.rawValue, flags: flags.rawValue)
            try context.setApplicationPassword(Cast.bytes(vector.applicationPassword))
            do {
                (item.secretHex, item.rule) = try reading(account, of: vault, in: context)
            } catch VaultError.damaged {
                item.isDamaged = true
            }
            result.items.append(item)
        }
        result.findings = Set(try vault.verify().findings.map(\.heading)).sorted()
        return result
    }
}
