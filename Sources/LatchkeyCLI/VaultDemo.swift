internal import AccessPolicy
internal import DeviceModel
internal import Glibc
internal import PolicyScenarios
internal import SecretVault
internal import SodiumKit

/// The second half of `latchkey demo`: a vault in a folder that is gone afterwards, and what a thief of its files gets.
struct VaultDemo {
    private let folder: String
    private var table = TextTable()
    private let caller = Caller("demo", groups: ["demo"], interaction: .fail, date: 0)
    private let ownFinger: Finger
    private let newFinger: Finger

    private var place: String { folder + "/vault" }
    private var database: String { place + "/vault.db" }
    private var copy: String { folder + "/copy.db" }

    init() throws {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        // mkdtemp puts six letters of its own in the place of the last six.
        var template = Array("\(parent)/latchkey-demo-\(String(repeating: "X", count: 6))".utf8CString)
        guard mkdtemp(&template) != nil, let own = Finger(rawValue: 0), let new = Finger(rawValue: 1) else {
            throw DemoFailed(
                what: "no temporary folder can be made in \(parent): set TMPDIR to a folder that can be written to")
        }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        ownFinger = own
        newFinger = new
    }

    /// The files go whatever happens.
    func remove() {
        for name in ["vault.db", "vault.db-wal", "vault.db-shm", "device", "lock"] { unlink("\(place)/\(name)") }
        rmdir(place)
        unlink(copy)
        rmdir(folder)
    }

    mutating func text(coloured: Bool) throws -> String {
        let vault = try Vault.create(at: place, .simulated(), passcode: SecureBytes("1234")).vault
        try vault.apply(.enrolled(ownFinger))
        try store("token", .biometryCurrentSet, "s3cret", vault)
        try store("spare", [.biometryCurrentSet, .or, .devicePasscode], "sp4re", vault)
        row("two secrets stored in a vault", "token: biometryCurrentSet; spare: the same or devicePasscode")

        let context = try vault.makeContext()
        row("token read, nothing proved", try read("token", in: context, vault))
        try vault.take(.presented(ownFinger), in: context)
        row("token read, finger proved", try read("token", in: context, vault))
        vault.close()
        try Self.copyFile(database, to: copy)
        row("a thief copies the database", "and knows the passcode")

        let opened = try Vault.open(at: place)
        try opened.enter(passcode: SecureBytes("1234"))
        try opened.apply(.enrolled(newFinger))
        let again = try opened.makeContext()
        try opened.take(.presented(ownFinger), in: again)
        row("new finger; token read", try read("token", in: again, opened))
        try opened.enter(passcode: SecureBytes("1234"), in: again)
        row("spare read, passcode proved", try read("spare", in: again, opened))
        row("everything looked at", try opened.verify().findings.isEmpty ? "nothing is wrong" : "something is wrong")
        opened.close()

        let now = folder + "/vault/now.db"
        try Self.copyFile(database, to: now)
        try Self.copyFile(copy, to: database)
        row("the thief's copy put back", refusal())
        try Self.copyFile(now, to: database)
        unlink(now)
        try Self.flip(database, byte: 8150)
        row("a byte of the file changed", refusal())
        return """

            The same with real encryption, in a folder that is gone now: what was bound to a former enrolment set has no key
            any more, in no copy of the database.

            \(table.text(coloured: coloured))
            """
    }

    private mutating func row(_ what: String, _ result: String) {
        table.rows.append([.init(what), .init(result, .faint)])
    }

    private func store(_ name: String, _ flags: AccessControlFlags, _ secret: String, _ vault: Vault) throws {
        let control = try AccessControl(protection: .whenUnlocked, flags: flags)
        let item = ItemDescription(.genericPassword, ["acct": .string(name)], control, group: "demo")
        let answer = try vault.add(item, secret: try SecureBytes(secret), for: caller)
        guard answer.isGranted else { throw DemoFailed(what: "an item cannot be stored") }
    }

    private func read(_ name: String, in context: VaultContext, _ vault: Vault) throws -> String {
        let key = PrimaryKey(.genericPassword, ["acct": .string(name)], group: "demo")
        switch try vault.read(.key(key), for: caller, in: context) {
        case .granted(let secret): return Self.text(secret)
        case .challenge(let challenge): return "asks for \(challenge.ways)"
        case .denied(let denial): return "\(denial.rule.identifier): \(denial.rule.summary)"
        }
    }

    private static func text(_ secret: borrowing SecureBytes?) -> String {
        switch secret {
        case .some(let bytes): bytes.withBytes { $0.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
        case .none: "nothing"
        }
    }

    /// What opening and looking at the vault has to say, without the name of a folder that nobody will see.
    private func refusal() -> String {
        do {
            let vault = try Vault.open(at: place)
            defer { vault.close() }
            let findings = try vault.verify().findings
            return findings.isEmpty ? "nothing is wrong" : "refused by verify: \(findings[0])"
        } catch {
            var words = error.description.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
            for place in words.indices where words[place].hasPrefix(folder) { words[place] = "the database" }
            let end = words.firstIndex { $0.hasSuffix(":") || $0.hasSuffix(".") } ?? words.count - 1
            return "refused: " + words[...end].joined(separator: " ").dropLast()
        }
    }

    private static func copyFile(_ source: String, to target: String) throws {
        let from = open(source, O_RDONLY)
        let to = open(target, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        defer {
            close(from)
            close(to)
        }
        guard from >= 0, to >= 0, sendfile(to, from, nil, 1 << 30) >= 0 else {
            throw DemoFailed(what: "\(source) cannot be copied")
        }
    }

    private static func flip(_ path: String, byte: Int) throws {
        let file = open(path, O_RDWR)
        defer { close(file) }
        var value: UInt8 = 0
        guard pread(file, &value, 1, byte) == 1 else { throw DemoFailed(what: "\(path) cannot be read") }
        value ^= 0xFF
        guard pwrite(file, &value, 1, byte) == 1 else { throw DemoFailed(what: "\(path) cannot be written") }
    }
}

/// Why there is nothing to see.
struct DemoFailed: Error, CustomStringConvertible {
    let what: String
    var description: String { what }
}
