import AccessPolicy
import DeviceModel
import Glibc
import KeyKit
import SecretVault
import SodiumKit

/// Runs the process whose files and memory the tests of "nothing at rest" and "wipe" search.
///
/// Secrets are read from standard input into guarded memory and are never a string in this process. The bytes to search
/// for are written to standard output from where they are. Any other copy that the test finds was left by the vault.
func canary(_ arguments: [String]) throws {
    switch (arguments.first, arguments.count) {
    case ("locklimit", 2): try LockCanary.blocks(UInt64(arguments[1]) ?? 0)
    case ("scattered", 2): try LockCanary.scattered(UInt64(arguments[1]) ?? 0)
    case ("reserve", 2): try LockCanary.reserve(UInt64(arguments[1]) ?? 0)
    case ("commit", 3): try LockCanary.commit(at: arguments[1], UInt64(arguments[2]) ?? 0)
    case ("rest", 3): try Canary.rest(at: arguments[1], isReal: arguments[2] == "real")
    case ("again", 2): try Canary.again(at: arguments[1])
    case ("wipe", 3): try WipeCanary(at: arguments[1], hasSensor: arguments[2] == "sensor").obey()
    case ("lock", 2): try WipeCanary(at: arguments[1], hasSensor: true, lockGrace: .zero).obey()
    default: exit(64)
    }
}

enum Canary {
    /// Creates and uses a vault, and keeps it open until the test has searched.
    static func rest(at path: String, isReal: Bool) throws {
        let passcode = try Parent.secret()
        let next = try Parent.secret()
        let wrong = try Parent.secret()
        let password = try Parent.secret()
        let small = try Parent.secret()
        let middle = try Parent.secret()
        let large = try Parent.secret()
        let updated = try Parent.secret()
        let key = try Parent.secret()
        let names = try RestNames()
        var texts = Texts()

        let options: VaultOptions = isReal ? .real(cost: .moderate) : .simulated()
        let vault = try Vault.create(at: path, options, passcode: try passcode.copy()).vault
        try vault.apply(.enrolled(Finger.numbered(0)))
        let context = try vault.makeContext()
        try context.setApplicationPassword(password)
        texts.take(try vault.add(names.item("plain", .whenUnlocked), secret: try small.copy(), for: names.caller))
        texts.take(try vault.add(names.item("doomed", .whenUnlocked), secret: try small.copy(), for: names.caller))
        texts.take(try vault.add(names.item("always", .always), secret: try middle.copy(), for: names.caller))
        texts.take(
            try vault.add(
                names.item("bound", .whenUnlocked, isReal ? .devicePasscode : .biometryCurrentSet),
                secret: try middle.copy(),
                for: names.caller))
        texts.take(
            try vault.add(
                names.item("both", .whenPasscodeSetThisDeviceOnly, [.devicePasscode, .applicationPassword]),
                secret: try large.copy(), for: names.caller, in: context))
        // Requests that are granted, denied, and for missing items.
        texts.take(try vault.read(names.key("plain"), for: names.caller))
        texts.take(try vault.read(names.key("both"), for: names.caller))
        texts.take(try vault.read(names.key("bound"), for: names.caller))
        texts.take(try vault.read(names.key("missing"), for: names.caller))
        texts.take(try vault.read(names.key("plain"), for: Caller("stranger", groups: ["other"])))
        try vault.enter(passcode: passcode, in: context)
        try vault.record(.presented(Finger.numbered(0)), in: context)
        texts.take(try vault.read(names.key("both"), for: names.caller, in: context))
        texts.take(try vault.read(names.key("bound"), for: names.caller, in: context))
        _ = try vault.attributes(names.key("plain"), for: names.caller)
        texts.take(try vault.add(names.item("plain", .whenUnlocked), secret: try large.copy(), for: names.caller))
        // Changes and deletions, also of the large secret.
        texts.take(
            try vault.update(
                names.key("plain"),
                ItemChanges(attributes: ["acct": .string(names.account), "labl": .string(names.label + "2")]),
                secret: .replace(try updated.copy()), for: names.caller))
        texts.take(try vault.update(names.key("always"), secret: .replace(try large.copy()), for: names.caller))
        texts.take(try vault.update(names.key("always"), secret: .remove, for: names.caller))
        texts.take(try vault.delete(names.key("doomed"), for: names.caller))
        // A private key is stored, used and changed, and others are generated.
        texts.take(try vault.add(names.signer, secret: try key.copy(), for: names.caller))
        for _ in 0..<2 {
            for operation in try KeyUse.operations(key) {
                texts.take(try vault.use(.key(names.signer.primaryKey), operation, for: names.caller))
            }
            texts.take(
                try vault.update(
                    .key(names.signer.primaryKey), ItemChanges(attributes: names.signer.attributes), secret: .keep,
                    for: names.caller))
        }
        texts.take(try vault.generateSealedKey(under: names.signer.control, for: names.caller))
        // Events of the device.
        try vault.enter(passcode: wrong)
        try vault.apply(.enrolled(Finger.numbered(1)))
        texts.take(try vault.read(names.key("bound"), for: names.caller, in: context))
        try vault.lock()
        try vault.apply(.timePassed(.seconds(10)))
        texts.take(try vault.read(names.key("plain"), for: names.caller))
        try vault.changePasscode(from: passcode, to: next)
        // Calls that the vault refuses.
        texts.take { _ = try Vault.create(at: path, options, passcode: try passcode.copy()) }
        texts.take { _ = try Vault.open(at: path + "/missing") }
        texts.take { try vault.apply(.passcodeRemoved) }
        texts.take { try vault.enter(passcode: try passcode.repeated(to: 600)) }
        texts.take { try vault.changePasscode(from: next, to: try SecureBytes(count: 0)) }
        texts.take { _ = try vault.removePasscode(wrong) }
        texts.take {
            var item = names.item("long", .always)
            item.attributes["labl"] = .string(String(repeating: names.label, count: 50_000))
            _ = try vault.add(item, secret: try small.copy(), for: names.caller)
        }
        texts.take {
            let secret = try small.repeated(to: SecretSize.limit + 1)
            _ = try vault.add(names.item("long", .always), secret: try secret.copy(), for: names.caller)
        }
        texts.take {
            let other = try Vault.inMemory(passcode: try passcode.copy()).vault
            _ = try other.read(names.key("plain"), for: names.caller, in: context)
        }
        try vault.flushAudit()
        texts.take(try vault.verify())
        texts.take(try vault.auditLog())
        texts.send()
        while Parent.command() != nil {}
        vault.close()
    }

    /// Opens the vault again, unlocks, uses and closes it. The process stays until the test has searched.
    static func again(at path: String) throws {
        let passcode = try Parent.secret()
        let names = try RestNames()
        var texts = Texts()
        let vault = try Vault.open(at: path)
        texts.take(try vault.read(names.key("both"), for: names.caller))
        try vault.enter(passcode: passcode)
        texts.take(try vault.read(names.key("plain"), for: names.caller))
        texts.take(try vault.read(names.key("both"), for: names.caller))
        texts.take(try vault.verify())
        texts.take(try vault.auditLog())
        vault.close()
        texts.take { try vault.lock() }
        texts.take { try vault.enter(passcode: passcode) }
        texts.take { _ = try vault.makeContext() }
        texts.send()
        while Parent.command() != nil {}
    }
}

/// A vault with keys of every kind in memory. The test controls it by commands of one letter.
final class WipeCanary {
    let vault: Vault
    private var context: VaultContext?
    let caller = Caller("wipe", groups: ["group"], interaction: .fail)
    private var items: [(String, AccessControl)] = []
    /// The secrets that the test has sent and the vault has read, until the command to release them.
    private var held: [DeviceUser] = []
    private var passcode: DeviceUser?

    init(at path: String, hasSensor: Bool, lockGrace: TimeSpan = .seconds(10)) throws {
        // A core dump shows the memory at the end. This limit allows one.
        var limit = rlimit(rlim_cur: rlim_t.max, rlim_max: rlim_t.max)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
        chdir(path)
        let passcode = DeviceUser(try Parent.secret())
        let password = DeviceUser(try Parent.secret())
        let secret = DeviceUser(try Parent.secret())
        let large = DeviceUser(try Parent.secret())
        let key = DeviceUser(try Parent.secret())
        var settings = DeviceSettings()
        settings.lockGrace = lockGrace
        if !hasSensor { settings.sensor = .none }
        vault = try Vault.create(at: path + "/vault", .simulated(settings), passcode: try passcode.bytes.copy()).vault
        try vault.apply(.enrolled(Finger.numbered(0)))
        let context = try vault.makeContext()
        try context.setApplicationPassword(password.bytes)
        var wanted: [(String, Accessibility, AccessControlFlags?)] = [
            ("plain", .whenUnlocked, nil), ("set", .whenPasscodeSetThisDeviceOnly, nil),
            ("first", .afterFirstUnlock, nil), ("always", .always, nil),
            ("presence", .whenUnlocked, .userPresence), ("passcode", .whenUnlocked, .devicePasscode),
            ("password", .whenPasscodeSetThisDeviceOnly, [.devicePasscode, .applicationPassword]),
        ]
        if hasSensor {
            wanted += [
                ("any", .whenUnlocked, .biometryAny), ("current", .whenPasscodeSetThisDeviceOnly, .biometryCurrentSet),
            ]
        }
        for (account, protection, flags) in wanted {
            let control =
                if let flags { try AccessControl(protection: protection, flags: flags) } else {
                    AccessControl(protection)
                }
            items.append((account, control))
            let isAdded = try vault.add(
                item(account, control), secret: try (account == "plain" ? large : secret).bytes.copy(), for: caller,
                in: context
            ).isGranted
            guard isAdded else { throw Unexpected(what: "\(account) was not stored") }
        }
        if hasSensor { try vault.record(.presented(Finger.numbered(0)), in: context) }
        try vault.enter(passcode: passcode.bytes, in: context)
        self.context = context
        for (account, control) in items {
            switch try vault.read(.key(item(account, control).primaryKey), for: caller, in: context) {
            case .granted(.some(let bytes)): held.append(DeviceUser(bytes))
            default: throw Unexpected(what: "\(account) was not read")
            }
        }
        try use(key, in: context)
        held += [password, secret, large, key]
        self.passcode = passcode
        try report(withPasses: true)
    }

    func item(_ account: String, _ control: AccessControl) -> ItemDescription {
        ItemDescription(.genericPassword, ["acct": .string(account)], control, group: "group")
    }

    /// Stores a private key and does every operation with it.
    private func use(_ key: DeviceUser, in context: VaultContext) throws {
        let item = KeyUse.item("signer", [.privateKeyUsage, .devicePasscode], group: "group")
        guard try vault.add(item, secret: try key.bytes.copy(), for: caller, in: context).isGranted else {
            throw Unexpected(what: "the key was not stored")
        }
        for operation in try KeyUse.operations(key.bytes) {
            let isDone = try vault.use(.key(item.primaryKey), operation, for: caller, in: context).isGranted
            if !isDone { throw Unexpected(what: "the key was not used") }
        }
    }

    private func report(withPasses: Bool) throws {
        try vault.withOpenKeysForInspection { name, bytes in Parent.send("open " + name, bytes) }
        if withPasses {
            for (account, control) in items {
                let reference = ItemReference.key(item(account, control).primaryKey)
                try vault.withItemKeyForInspection(reference, for: caller, in: context) { bytes in
                    Parent.send("item " + account, bytes)
                }
            }
            if let passcode {
                try vault.withPasscodeKeysForInspection(passcode.bytes) { Parent.send("judging " + $0, $1) }
            }
        }
        Parent.send("end", RawSpan())
    }

    func obey() throws {
        // Ordinary memory, which a core dump contains.
        let heap = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 16)
        while let command = Parent.command() {
            switch UnicodeScalar(command) {
            case "k": try report(withPasses: false)
            case "d":  // releases everything that the process itself held
                held = []
                passcode = nil
                Parent.send("end", RawSpan())
            case "l":
                try vault.lock()
                try vault.apply(.timePassed(.seconds(10)))
                Parent.send("end", RawSpan())
            case "m":
                let isMatched = try vault.record(.presented(Finger.numbered(0))).authenticated(.biometry)
                Parent.send(isMatched ? "matched" : "end", RawSpan())
            case "p":
                let passcode = try Parent.secret()
                Parent.send(try vault.enter(passcode: passcode).authenticated(.passcode) ? "entered" : "end", RawSpan())
            case "r":
                try vault.apply(.reboot)
                Parent.send("end", RawSpan())
            case "g":
                try vault.apply(.emergency)
                Parent.send("end", RawSpan())
            case "e":
                try vault.apply(.enrolled(Finger.numbered(1)))
                Parent.send("end", RawSpan())
            case "c":
                vault.close()
                Parent.send("end", RawSpan())
            case "w": writeFromSixThreads()
            case "h": try hangAtTheSensor()
            case "L": lockAtOnce()
            case "t": tryToRead()
            case "S":
                vault.seal()
                Parent.send("end", RawSpan())
            case "x":
                let marker = try Parent.secret()
                marker.withBytes { bytes in bytes.withUnsafeBytes { heap.copyBytes(from: $0) } }
                abort()
            default: exit(64)
            }
        }
        heap.deallocate()
    }
}

private struct Unexpected: Error, CustomStringConvertible {
    let what: String
    var description: String { what }
}

/// Secret bytes with several owners.
final class DeviceUser {
    let bytes: SecureBytes
    init(_ bytes: consuming SecureBytes) { self.bytes = bytes }
}

/// The names that must not leave the vault, and the items with these names.
private struct RestNames {
    let account: String
    let service: String
    let label: String
    let group: String
    let caller: Caller

    init() throws {
        account = try Parent.text()
        service = try Parent.text()
        label = try Parent.text()
        group = try Parent.text()
        caller = Caller("tests", groups: [group], interaction: .fail)
    }

    func item(_ suffix: String, _ protection: Accessibility, _ flags: AccessControlFlags? = nil) -> ItemDescription {
        let control = flags.flatMap { try? AccessControl(protection: protection, flags: $0) }
        // The item "plain" is found again after its other names were changed.
        var attributes: Attributes = ["acct": .string(suffix == "plain" ? account : account + suffix)]
        if suffix != "plain" { attributes["svce"] = .string(service) }
        attributes["labl"] = .string(label)
        attributes["note"] = .string(label)  // an attribute without a column
        return ItemDescription(
            .genericPassword, attributes, control ?? AccessControl(protection), group: group)
    }

    func key(_ suffix: String) -> ItemReference { .key(item(suffix, .always).primaryKey) }

    /// A private key of the enclave.
    var signer: ItemDescription { KeyUse.item(label, .privateKeyUsage, group: group) }
}

/// A private key of the enclave whose bytes the test knows.
private enum KeyUse {
    static func item(_ label: String, _ flags: AccessControlFlags, group: String) -> ItemDescription {
        let control = (try? AccessControl(protection: .whenUnlocked, flags: flags)) ?? AccessControl(.whenUnlocked)
        return ItemDescription(.key, ["labl": .string(label)], control, group: group, isKey: true)
    }

    /// Returns one operation of each kind that succeeds, and one that fails. `key` is the external representation.
    static func operations(_ key: borrowing SecureBytes) throws -> [KeyOperation] {
        let publicKey = try key.withBytes {
            try PublicKey(externalRepresentation: $0.extracting(0..<65), .ec)
        }
        let scheme = EncryptionScheme.ecies(.cofactor, .sha256, .derived)
        let box = try publicKey.encrypt([1, 2, 3].span.bytes, with: scheme)
        return [
            .sign([1], .ecdsa(.x962, .sha256, .message)), .agree(publicKey, nil),
            .agree(publicKey, KeyDerivation(.sha256, count: 48)), .decrypt(box, scheme, EncryptionParameters()),
            .decrypt([4], scheme, EncryptionParameters()),
        ]
    }
}

/// The texts that the vault returns.
private struct Texts {
    private var texts: [String] = []

    mutating func take(_ body: () throws -> Void) {
        do {
            try body()
            texts.append("nothing was refused")
        } catch {
            texts.append("\(error) \(String(reflecting: error))")
        }
    }

    mutating func take<Value: ~Copyable & Sendable>(_ answer: consuming SecretVault.Reply<Value>) {
        switch consume answer {
        case .granted: texts.append("granted")
        case .challenge(let challenge): texts.append("asks for \(challenge.ways)")
        case .denied(let denial): texts.append("\(denial) \(denial.rule.identifier) \(denial.rule.summary)")
        }
    }

    mutating func take(_ report: VerifyReport) {
        texts.append("\(report)")
        if !report.findings.isEmpty { texts.append("verify: " + report.findings.map(\.description).joined()) }
    }

    mutating func take(_ trail: (records: [AuditRecord], damage: Int64?)) {
        for record in trail.records { texts.append("audit \(record) \(String(reflecting: record))") }
        for record in trail.records where !record.subject.isEmpty {
            record.subject.withUnsafeBytes { Parent.send("subject", $0.bytes) }
        }
    }

    func send() {
        for text in texts { Parent.send("text", text.utf8Span.span.bytes) }
        Parent.send("end", RawSpan())
    }
}

/// The test at the other end of standard input and output. Both sides send pieces with their length in front.
enum Parent {
    static func secret() throws -> SecureBytes {
        var bytes = try SecureBytes(count: length())
        bytes.withMutableBytes { fill($0) }
        return bytes
    }

    static func text() throws -> String {
        try secret().withBytes { $0.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
    }

    /// Reads a command of one letter. Returns nil at the end of the input.
    static func command() -> UInt8? {
        var letter: UInt8 = 0
        return Glibc.read(0, &letter, 1) == 1 ? letter : nil
    }

    static func send(_ name: String, _ bytes: RawSpan) {
        let name = Array(name.utf8)
        name.withUnsafeBytes {
            write(length: $0.count); write($0)
        }
        bytes.withUnsafeBytes {
            write(length: $0.count); write($0)
        }
    }

    private static func length() -> Int {
        var length: UInt32 = 0
        withUnsafeMutableBytes(of: &length) { fill($0) }
        return Int(length)
    }

    private static func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        var done = 0
        while done < buffer.count {
            let count = Glibc.read(0, buffer.baseAddress.map { $0 + done }, buffer.count - done)
            guard count > 0 else { exit(65) }
            done += count
        }
    }

    private static func write(length: Int) {
        var length = UInt32(length)
        withUnsafeBytes(of: &length) { write($0) }
    }

    private static func write(_ bytes: UnsafeRawBufferPointer) {
        var done = 0
        while done < bytes.count {
            let count = Glibc.write(1, bytes.baseAddress.map { $0 + done }, bytes.count - done)
            guard count > 0 else { exit(66) }
            done += count
        }
    }
}

extension Finger {
    static func numbered(_ number: UInt8) -> Finger {
        guard let finger = Finger(rawValue: number) else { preconditionFailure("no finger \(number)") }
        return finger
    }
}

extension SecureBytes {
    /// Returns the bytes repeated up to this count.
    fileprivate borrowing func repeated(to count: Int) throws -> SecureBytes {
        var long = try SecureBytes(count: count)
        withBytes { bytes in
            bytes.withUnsafeBytes { bytes in
                long.withMutableBytes { long in
                    for place in long.indices { long[place] = bytes[place % bytes.count] }
                }
            }
        }
        return long
    }
}
