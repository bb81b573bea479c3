import AccessPolicy
import DeviceModel
import Foundation
import SecretVault
import SodiumKit
import TestSupport
import Testing

/// Fields and former versions of a secret are sealed with its value, and open no more easily than they did before.
@Suite struct HistoryTests {
    private static let limit = HistoryLimit(age: 1_000_000)

    private static func app(at seconds: Double = 0) -> Caller {
        var caller = Cast.app
        caller.date = 700_000_000 + seconds
        return caller
    }

    /// The versions of an item as text: each value with its fields.
    private static func versions(
        _ vault: Vault, _ account: String = "a", _ limit: HistoryLimit = limit, at seconds: Double = 0,
        in context: VaultContext? = nil
    ) throws -> [String] {
        let reply = try vault.outline(Cast.key(account), keeping: limit, for: app(at: seconds), in: context)
        guard case .granted(let outline) = reply else { return ["refused"] }
        return try (outline?.versions ?? []).enumerated().map { place, version in
            func text(_ part: SecretPart) throws -> String {
                let reply = try vault.readPart(
                    part, of: Cast.key(account), keeping: limit, for: app(at: seconds), in: context)
                return (reply.value() ?? nil).text ?? "none"
            }
            let value = try text(.value(version: place))
            #expect(value.utf8.count == version.count)
            return try ([value] + version.fields.map { "\($0)=\(try text(.field($0, version: place)))" })
                .joined(separator: " ")
        }
    }

    @discardableResult
    private static func edit(
        _ vault: Vault, _ edit: consuming SecretEdit, _ changes: ItemChanges = ItemChanges(), account: String = "a",
        at seconds: Double = 0, in context: VaultContext? = nil
    ) throws -> Bool {
        try vault.update(
            Cast.key(account), changes, secret: .edit(edit), for: app(at: seconds), in: context
        ).isGranted
    }

    private static func value(_ text: String, _ limit: HistoryLimit = limit) throws -> SecretEdit {
        .value(try Cast.bytes(text), keeping: limit)
    }

    /// Returns parts in one piece: each after its length.
    private static func packed(_ parts: String...) throws -> SecureBytes {
        let bytes = parts.flatMap { part in
            withUnsafeBytes(of: UInt32(part.utf8.count).bigEndian) { Array($0) } + Array(part.utf8)
        }
        return try SecureBytes(copying: bytes.span.bytes)
    }

    private static func parts(_ bytes: consuming SecureBytes, _ fields: [String]) throws -> SecretParts {
        guard let parts = SecretParts(bytes, fields: fields) else { throw CocoaError(.coderInvalidValue) }
        return parts
    }

    private static func isPossible(_ bytes: consuming SecureBytes, _ fields: [String]) -> Bool {
        switch SecretParts(bytes, fields: fields) {
        case .some: true
        case .none: false
        }
    }

    /// A value and its fields are stored at once, and replaced at once, as one version.
    @Test func aValueComesWithItsFields() throws {
        let vault = try Cast.vault()
        let parts = try Self.parts(Self.packed("pw", "ann", ""), ["user", "url"])
        let added = try vault.add(Cast.item("a"), parts: parts, for: Self.app()).isGranted
        #expect(added)
        #expect(try Self.versions(vault) == ["pw user=ann url="])
        #expect(try vault.reading("a") == "pw")
        let next = try Self.parts(Self.packed("new", "bob", "1"), ["user", "pin"])
        let edited = try Self.edit(vault, .parts(next, keeping: Self.limit), at: 1)
        #expect(edited)
        #expect(try Self.versions(vault, at: 1) == ["new user=bob url= pin=1", "pw user=ann url="])
        let plain = try Self.parts(Self.packed("x"), [])
        _ = try vault.add(Cast.item("b"), parts: plain, for: Self.app()).isGranted
        #expect(try vault.reading("b") == "x" && vault.verify().findings == [])
    }

    @Test func whatIsNoValueWithFieldsIsNone() throws {
        for bytes: [UInt8] in [[], [0, 0], [0, 0, 0, 9, 1], [255, 255, 255, 255, 1], [0, 0, 0, 0, 1]] {
            #expect(try !Self.isPossible(SecureBytes(copying: bytes.span.bytes), []))
        }
        #expect(try !Self.isPossible(Self.packed("a"), ["user"]))
        #expect(try !Self.isPossible(Self.packed("a", "b"), []))
        #expect(try !Self.isPossible(Self.packed("a", "b", "c"), ["user", "user"]))
        let many = (0...SecretFields.limit).map { "\($0)" }
        let bytes = [UInt8](repeating: 0, count: 4 * (many.count + 1))
        #expect(try !Self.isPossible(SecureBytes(copying: bytes.span.bytes), many))
    }

    @Test func aReplacedValueStaysUntilItIsTooOldOrTooMany() throws {
        let vault = try Cast.vault()
        try vault.adding(Cast.item("a"), "0")
        #expect(try Self.versions(vault) == ["0"])
        for number in 1...12 { try Self.edit(vault, Self.value("\(number)"), at: Double(number)) }
        #expect(try Self.versions(vault, at: 12) == (2...12).reversed().map(String.init))
        #expect(try vault.reading("a") == "12")
        // 11 was replaced at second 12, and stays for a thousand seconds from then on.
        #expect(try Self.versions(vault, at: 1011) == ["12", "11"])
        #expect(try Self.versions(vault, at: 1012) == ["12"])
        #expect(try Self.versions(vault, "a", HistoryLimit(age: 1_000_000, count: 1), at: 12) == ["12", "11"])
        #expect(try Self.versions(vault, "a", .none, at: 12) == ["12"])
        // What is too old cannot come back, and the next change removes it for good.
        #expect(throws: VaultError.noFormerVersion) {
            try Self.edit(vault, .restoring(version: 1, keeping: Self.limit), at: 1012)
        }
        try Self.edit(vault, Self.value("13"), at: 1012)
        #expect(try Self.versions(vault, at: 1012) == ["13", "12"])
        #expect(try vault.verify().findings == [])
    }

    @Test func undoingTwiceChangesNothing() throws {
        let vault = try Cast.vault()
        try vault.adding(Cast.item("a"), "first")
        try Self.edit(vault, Self.value("second"), at: 1)
        try Self.edit(vault, .field("user", try Cast.bytes("anna"), keeping: Self.limit), at: 2)
        let before = try Self.versions(vault, at: 2)
        #expect(before == ["second user=anna", "second", "first"])
        try Self.edit(vault, .restoring(version: 2, keeping: Self.limit), at: 3)
        #expect(try Self.versions(vault, at: 3) == ["first", "second user=anna", "second"])
        try Self.edit(vault, .restoring(version: 1, keeping: Self.limit), at: 4)
        #expect(try Self.versions(vault, at: 4) == ["second user=anna", "first", "second"])
        #expect(throws: VaultError.noFormerVersion) {
            try Self.edit(vault, .restoring(version: 3, keeping: Self.limit), at: 4)
        }
    }

    @Test func fieldsAreAddedReplacedAndRemoved() throws {
        let vault = try Cast.vault()
        try vault.adding(Cast.item("a"), "v")
        try Self.edit(vault, .field("user", try Cast.bytes("anna"), keeping: .none))
        try Self.edit(vault, .field("notes", try Cast.bytes("two\nlines"), keeping: .none))
        try Self.edit(vault, .field("user", try Cast.bytes("ben"), keeping: .none))
        #expect(try Self.versions(vault) == ["v user=ben notes=two\nlines"])
        // A new value keeps the fields, also through a program that knows no fields.
        #expect(try vault.update(Cast.key("a"), secret: .replace(Cast.bytes("w")), for: Cast.app).isGranted)
        #expect(try Self.versions(vault) == ["w user=ben notes=two\nlines"])
        #expect(try vault.reading("a") == "w")
        try Self.edit(vault, .field("user", nil, keeping: .none))
        try Self.edit(vault, .field("absent", nil, keeping: .none))
        #expect(try Self.versions(vault) == ["w notes=two\nlines"])
        for number in 0..<63 { try Self.edit(vault, .field("f\(number)", try Cast.bytes(""), keeping: .none)) }
        #expect(throws: VaultError.tooManyFields(limit: SecretFields.limit)) {
            try Self.edit(vault, .field("one more", try Cast.bytes(""), keeping: .none))
        }
        #expect(try vault.verify().findings == [])
    }

    /// Through Apple's names, a replaced value leaves nothing behind.
    @Test func onlyAnEditKeepsWhatWas() throws {
        let vault = try Cast.vault()
        try vault.adding(Cast.item("a"), "0")
        try Self.edit(vault, Self.value("1"))
        #expect(try vault.update(Cast.key("a"), secret: .replace(Cast.bytes("2")), for: Cast.app).isGranted)
        #expect(try Self.versions(vault) == ["2"])
        try Self.edit(vault, Self.value("3"))
        try Self.edit(vault, .forgetting())
        #expect(try Self.versions(vault) == ["3"])
        // The same value again is no new version.
        try Self.edit(vault, Self.value("3"))
        #expect(try Self.versions(vault) == ["3"])
        // Attributes leave the versions as they are.
        try Self.edit(vault, Self.value("4"))
        var changes = ItemChanges()
        changes.merging["icmt"] = .string("comment")
        #expect(try vault.update(Cast.key("a"), changes, secret: .keep, for: Cast.app).isGranted)
        #expect(try Self.versions(vault) == ["4", "3"])
        #expect(try vault.update(Cast.key("a"), secret: .remove, for: Cast.app).isGranted)
        #expect(try Self.versions(vault) == [])
    }

    /// Versions of more than 64 KiB could not be locked in memory together.
    @Test func largeSecretsKeepNoFormerVersion() throws {
        let vault = try Cast.vault()
        try vault.adding(Cast.item("a"), "small")
        let large = String(repeating: "x", count: 70_000)
        try Self.edit(vault, Self.value(large))
        #expect(try Self.versions(vault) == [large])
        try Self.edit(vault, Self.value("small again"))
        #expect(try Self.versions(vault) == ["small again"])
        let half = String(repeating: "y", count: 30_000)
        for number in 0..<4 { try Self.edit(vault, Self.value(half + "\(number)")) }
        #expect(try Self.versions(vault).count == 2)
        #expect(try vault.verify().findings == [])
    }

    /// A former value opens only under the strictest policy that it has had.
    @Test func aWeakerPolicyForgetsWhatItWouldExpose() throws {
        let steps: [(AccessControl, keeps: Bool)] = [
            (try Cast.control(.userPresence), true), (try Cast.control(.devicePasscode), true),
            (try Cast.control(.userPresence), false), (try Cast.control(.biometryAny), true),
            (try Cast.control(.biometryCurrentSet), true),
            (try Cast.control([.biometryCurrentSet, .or, .devicePasscode]), false),
            (AccessControl(.whenUnlocked), false), (AccessControl(.whenUnlockedThisDeviceOnly), true),
            (AccessControl(.afterFirstUnlock), false),
        ]
        for withValue in [false, true] {
            let vault = try Cast.vault()
            let context = try vault.makeContext()
            func prove() throws {
                #expect(try vault.enter(passcode: Cast.bytes("1234"), in: context).authenticated(.passcode))
                try vault.record(.presented(Cast.index), in: context)
            }
            try vault.adding(Cast.item("a"), "0")
            for (number, step) in steps.enumerated() {
                try prove()
                try Self.edit(vault, Self.value("old \(number)"), in: context)
                let before = try Self.versions(vault, in: context)
                #expect(before.count > 1)
                try prove()
                let changes = ItemChanges(control: step.0)
                if withValue {
                    try Self.edit(vault, Self.value("new \(number)"), changes, in: context)
                } else {
                    #expect(
                        try vault.update(Cast.key("a"), changes, secret: .keep, for: Cast.app, in: context).isGranted)
                }
                try prove()
                let expected = (withValue ? ["new \(number)"] : []) + before
                let after = try Self.versions(vault, in: context)
                #expect(after == (step.keeps ? Array(expected.prefix(11)) : [expected[0]]), "\(step.0)")
            }
        }
    }

    /// The passcode opens `current set or passcode` after an enrollment change. A value that is saved then is bound to the
    /// new set, and must not bring values within its reach that only the old one could open.
    @Test func anotherEnrolledSetForgetsToo() throws {
        let vault = try Cast.vault()
        let context = try vault.makeContext()
        try vault.adding(Cast.item("a", Cast.control([.biometryCurrentSet, .or, .devicePasscode])), "0")
        #expect(try vault.enter(passcode: Cast.bytes("1234"), in: context).authenticated(.passcode))
        try Self.edit(vault, Self.value("1"), in: context)
        try vault.apply(.enrolled(Cast.thumb))
        #expect(try vault.enter(passcode: Cast.bytes("1234"), in: context).authenticated(.passcode))
        // Without a new policy, the binding stays, and so do the versions.
        try Self.edit(vault, Self.value("2"), in: context)
        #expect(try Self.versions(vault, in: context) == ["2", "1", "0"])
        let changes = ItemChanges(control: try Cast.control([.biometryCurrentSet, .or, .devicePasscode]))
        try Self.edit(vault, Self.value("3"), changes, in: context)
        #expect(try Self.versions(vault, in: context) == ["3"])
    }

    /// A new value under a weaker policy does not take the fields with it: they were saved under the stricter one.
    @Test func aNewValueUnderAWeakerPolicyKeepsNoFields() throws {
        let vault = try Cast.vault()
        let context = try vault.makeContext()
        for isEdit in [false, true] {
            let account = isEdit ? "a" : "b"
            try vault.adding(Cast.item(account, Cast.control(.devicePasscode)), "0")
            #expect(try vault.enter(passcode: Cast.bytes("1234"), in: context).authenticated(.passcode))
            try Self.edit(
                vault, .field("pin", try Cast.bytes("9"), keeping: Self.limit), account: account, in: context)
            let changes = ItemChanges(control: AccessControl(.whenUnlocked))
            if isEdit {
                try Self.edit(vault, Self.value("1"), changes, account: account, in: context)
            } else {
                let change = SecretChange.replace(try Cast.bytes("1"))
                let isGranted = try vault.update(
                    Cast.key(account), changes, secret: change, for: Cast.app, in: context
                ).isGranted
                #expect(isGranted)
            }
            #expect(try Self.versions(vault, account) == ["1"])
        }
    }

    /// A restored item is bound to the present enrolled set or sensor, which may not have opened its former versions.
    @Test func aRestoredItemUnderBiometryHasNoFormerVersions() throws {
        let folder = try TemporaryFolder()
        let vault = try Vault.create(
            at: folder.path("vault"), .real(sensor: .touchID), passcode: Cast.bytes("correct horse")
        ).vault
        try vault.apply(.enrolled(Cast.index))
        let context = try vault.makeContext()
        try vault.enter(passcode: Cast.bytes("correct horse"), in: context)
        let policies: [(account: String, flags: AccessControlFlags, keeps: Bool)] = [
            ("current", [.biometryCurrentSet, .or, .devicePasscode], false),
            ("any", [.biometryAny, .or, .devicePasscode], false), ("presence", .userPresence, true),
            ("code", .devicePasscode, true),
        ]
        for policy in policies {
            try vault.adding(Cast.item(policy.account, Cast.control(policy.flags)), "0")
            try Self.edit(vault, Self.value("1"), account: policy.account, in: context)
        }
        let path = folder.path("backup")
        let report = try vault.export(
            to: path, BackupProtection(Cast.bytes("phrase"), cost: .moderate), in: context
        ).report
        #expect(report.written == 4)
        let other = try Cast.vault()
        #expect(try other.importBackup(from: path, passphrase: Cast.bytes("phrase")).added == 4)
        let there = try other.makeContext()
        try other.enter(passcode: Cast.bytes("1234"), in: there)
        for policy in policies {
            let expected = policy.keeps ? ["1", "0"] : ["1"]
            #expect(try Self.versions(other, policy.account, in: there) == expected, "\(policy.account)")
        }
    }

    @Test func versionsNeedWhatTheSecretNeeds() throws {
        let vault = try Cast.vault()
        let context = try vault.makeContext()
        try vault.adding(Cast.item("a", Cast.control(.biometryCurrentSet)), "0")
        try vault.record(.presented(Cast.index), in: context)
        try Self.edit(vault, Self.value("1"), in: context)
        #expect(try Self.versions(vault, in: context) == ["1", "0"])
        #expect(try Self.versions(vault) == ["refused"])
        // An enrollment change invalidates all of them.
        try vault.apply(.enrolled(Cast.thumb))
        try vault.record(.presented(Cast.index), in: context)
        #expect(try Self.versions(vault, in: context) == ["refused"])
    }

    @Test func versionsSurviveTheProcessAndTravelInABackup() throws {
        let bench = try Specimen.Bench()
        do {
            let vault = try Vault.create(at: bench.path, .simulated(), passcode: Cast.bytes("1234")).vault
            try vault.adding(Cast.item("a"), "0")
            try Self.edit(vault, Self.value("1"))
            try Self.edit(vault, .field("user", try Cast.bytes("anna"), keeping: Self.limit))
            vault.close()
        }
        let vault = try Vault.open(at: bench.path)
        #expect(try vault.enter(passcode: Cast.bytes("1234")).authenticated(.passcode))
        let all = ["1 user=anna", "1", "0"]
        #expect(try Self.versions(vault) == all)
        #expect(try vault.verify().findings == [])
        let backup = try BackupTests.path()
        _ = try vault.export(to: backup, BackupTests.protection())
        let other = try Cast.vault()
        #expect(try other.importBackup(from: backup, passphrase: Cast.bytes("phrase")).added == 1)
        #expect(try Self.versions(other) == all)
        #expect(try other.reading("a") == "1")
        // What the limit does not allow stays out of the file.
        let brief = try BackupTests.path()
        _ = try vault.export(to: brief, BackupTests.protection(), keeping: HistoryLimit.none)
        let another = try Cast.vault()
        #expect(try another.importBackup(from: brief, passphrase: Cast.bytes("phrase")).added == 1)
        #expect(try Self.versions(another) == ["1 user=anna"])
    }

    /// A value under an application password that a program replaces keeps its versions behind the password.
    @Test func versionsStayBehindAnApplicationPassword() throws {
        let vault = try Cast.vault()
        let context = try vault.makeContext()
        try context.setApplicationPassword(Cast.bytes("app"))
        try vault.adding(Cast.item("a", Cast.control(.applicationPassword)), "0", in: context)
        try Self.edit(vault, Self.value("1"), in: context)
        #expect(try Self.versions(vault, in: context) == ["1", "0"])
        let other = try vault.makeContext()
        try other.setApplicationPassword(Cast.bytes("wrong"))
        #expect(try Self.versions(vault, in: other) == ["refused"])
    }
}
