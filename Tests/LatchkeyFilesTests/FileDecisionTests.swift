import AccessPolicy
import DeviceModel
import Foundation
import Latchkey
import LatchkeyFiles
import LatchkeyTesting
import SecretVault
import SodiumKit
import TestSupport
import Testing

/// Each decision about a file is found where those about items are: in the records of a test, and in the audit log.
@Suite struct FileDecisionTests {
    private let bytes = Array("today".utf8)

    // MARK: - In a test

    @Test func aDeniedReadIsFoundWithItsRule() throws {
        let device = SimulatedDevice()
        let path = device.protectedFolder.path + "/journal"
        try device.protectedFolder.write(bytes, to: path, .complete)
        device.lock()
        device.advance(by: .seconds(11))
        #expect(throws: FileError.self) { try device.protectedFolder.read(path) }
        let last = try #require(device.fileDecisions.last)
        #expect(last.rule == .locked && !last.isGranted)
        #expect(last.access == .open(.complete) && last.path == path)
        #expect(last.app == device.keychain.requester.name)
        #expect("\(last)".contains(FileRule.locked.summary) && "\(device)".contains("\(last)"))
        #expect(device.decisions.isEmpty, "a decision about a file is none about an item")
        device.clearRecords()
        #expect(device.fileDecisions.isEmpty)
    }

    /// A folder, a new device and a lock decide about no file, so they leave no record.
    @Test func onlyAccessesAreRecorded() {
        let device = SimulatedDevice()
        _ = device.protectedFolder
        device.lock()
        device.reboot()
        #expect(device.fileDecisions.isEmpty)
    }

    @Test(arguments: FileProtection.allCases, [false, true])
    func eachAccessIsRecordedOnceAsDecideDecidesIt(_ protection: FileProtection, _ isLocked: Bool) throws {
        let device = SimulatedDevice()
        let folder = device.protectedFolder
        let (old, new) = (folder.path + "/old", folder.path + "/new")
        let file = try folder.create(old, protection)
        for next in FileProtection.allCases { _ = try folder.create("\(old)-\(next)", protection) }
        if isLocked {
            device.lock()
            device.advance(by: .seconds(11))
        }
        let conditions = try device.keychain.device.conditions()
        func expect(_ accesses: [FileAccess], _ line: Int = #line, _ body: () throws -> Void) {
            device.clearRecords()
            try? body()
            // What comes after a denial is not tried.
            var expected: [FileDecision] = []
            for access in accesses {
                expected.append(decide(access, under: conditions))
                if expected.last?.isGranted == false { break }
            }
            #expect(device.fileDecisions.map(\.access) == Array(accesses.prefix(expected.count)), "line \(line)")
            #expect(device.fileDecisions.map(\.rule) == expected.map(\.rule), "line \(line)")
        }
        expect([.use(protection)]) { try file.append([1]) }
        expect([.use(protection)]) { _ = try file.read(1) }
        expect([.open(protection), .use(protection)]) { _ = try folder.read(old) }
        expect([.create(protection)]) { _ = try folder.create(new, protection) }
        for next in FileProtection.allCases where next != protection {
            expect([.protect(protection, as: next)]) { try folder.protect("\(old)-\(next)", as: next) }
        }
        // Names, sizes and attributes need no key, so nothing is decided.
        expect([]) {
            _ = try folder.size(of: old)
            _ = try folder.protection(of: old)
            try folder.excludeFromBackup(old)
        }
    }

    // MARK: - In the audit log

    private func records(_ keychain: Keychain) throws -> [AuditRecord] {
        try keychain.audit().entries.map(\.record).filter { $0.action.contains("-file ") }
    }

    @Test func theAuditLogHasClassVerdictAndRuleAndNoName() throws {
        let place = try TemporaryFolder()
        let keychain = try Keychain.createSimulated(at: place.path("vault"), passcode: "1234", enrolled: [])
        defer { keychain.close() }
        let folder = try ProtectedFolder(keychain, at: place.path("unusual-folder"))
        let paths = ["unusual-name", "second"].map { folder.path + "/" + $0 }
        for path in paths { try folder.write(bytes, to: path, .complete) }
        for _ in 0..<1000 { #expect(try folder.read(paths[0]) == bytes) }
        try keychain.lock()
        _ = try keychain.advance(by: .seconds(11))
        for path in paths { #expect(throws: FileError.self) { try folder.read(path) } }
        let found = try records(keychain)
        let subjects = found.filter { $0.action == "create-file complete" }.map(\.subject)
        try #require(subjects.count == 2 && Set(subjects).count == 2 && subjects.allSatisfy { $0.count == 16 })
        func count(_ action: String, _ kind: AuditRecord.Kind, _ rule: FileRule, _ subject: [UInt8]) -> Int {
            let equal = found.filter {
                $0.action == action && $0.kind == kind && $0.rules == [rule.identifier] && $0.subject == subject
            }
            #expect(equal.count < 70, "equal decisions share records")
            return equal.reduce(0) { $0 + Int($1.count) }
        }
        #expect(count("open-file complete", .granted, .classOpen, subjects[0]) == 1000)
        #expect(count("use-file complete", .granted, .classOpen, subjects[0]) == 1000)
        for subject in subjects { #expect(count("open-file complete", .denied, .locked, subject) == 1) }
        #expect(found.allSatisfy { $0.caller == keychain.requester.name })
        for record in found { #expect(!"\(record)".contains("unusual") && !"\(record)".contains("second")) }
        #expect(try keychain.auditDamage == nil)
    }

    /// An attacker who writes the identifier of an item into the head of a file does not make the log name that item.
    @Test func aFileIsNeverTakenForAnItem() throws {
        let place = try TemporaryFolder()
        let keychain = try Keychain.createSimulated(at: place.path("vault"), passcode: "1234", enrolled: [])
        defer { keychain.close() }
        try keychain.add(
            .password(account: "me", service: "mail", AccessControl(.whenUnlocked)), secret: SecureBytes("secret"))
        let item = try #require(keychain.everything.first)
        let subject = FileSubject(id: item.id.bytes, path: "/journal", caller: keychain.caller)
        _ = try keychain.vault.decision(.open(.complete), about: subject)
        let entry = try #require(try keychain.audit().entries.last { $0.record.action == "open-file complete" })
        #expect(entry.item == nil && entry.record.subject != item.id.bytes)
    }

    /// Records that cannot be written keep files closed, as they keep items.
    @Test func anInquiryLeavesNoRecord() throws {
        let place = try TemporaryFolder()
        let keychain = try Keychain.createSimulated(at: place.path("vault"), passcode: "1234", enrolled: [])
        defer { keychain.close() }
        #expect(try keychain.vault.decision(.open(.complete), about: nil).isGranted)
        #expect(try records(keychain).isEmpty)
    }
}
