import AccessPolicy
import DeviceModel
import Latchkey
import SecretVault
import SodiumKit
import TestSupport
import Testing
import UserPresence

/// Law 1: every release of bytes passed `decide` in the enclave that released it, and the audit log shows it.
@Suite struct AuditTests {
    @Test func everyReleaseIsInTheTrail() throws {
        let folder = try TemporaryFolder(inMemory: true)
        var random = SeededGenerator(seed: 1)
        let keychain = try Keychain.createSimulated(at: folder.path("vault"), passcode: "1234")
        let demands: [AccessControlFlags?] = [nil, .biometryAny, .biometryCurrentSet, .userPresence, .devicePasscode]
        var ids: [ItemIdentifier] = []
        for (number, flags) in demands.enumerated() {
            let item = Cast.item("item \(number)", try flags.map { try Cast.control($0) })
            ids.append(try keychain.add(item, secret: SecureBytes("secret \(number)")))
        }
        let context = try keychain.makeContext()
        let users: [any DeviceUser] = [Cast.owner, Cast.owner, Cast.stranger, NoUser()]
        var released = [Int](repeating: 0, count: ids.count)
        var attempts = 0
        for _ in 0..<1_500 {
            keychain.user = random.pick(users)
            let number = Int.random(in: ids.indices, using: &random)
            switch Int.random(in: 0..<30, using: &random) {
            case 0:
                try keychain.lock()
                try keychain.advance(by: .seconds(11))
            case 1, 2:
                try keychain.advance(by: .minutes(70))
                try keychain.unlock(passcode: SecureBytes("1234"))
            case 3: try keychain.unlockBySensor(showing: "right index")
            default:
                attempts += 1
                let reader = random.pick(["reader", "another"])
                let isKept = random.once(in: 2)
                if try keychain.releases(ids[number], by: reader, in: isKept ? context : nil) { released[number] += 1 }
            }
        }
        let (entries, damage) = try keychain.audit()
        #expect(damage == nil)
        for (number, id) in ids.enumerated() {
            let granted = entries.filter {
                $0.record.subject == id.bytes && $0.record.kind == .granted && $0.record.action == "readData"
            }
            #expect(granted.reduce(0) { $0 + Int($1.record.count) } == released[number], "item \(number)")
        }
        #expect(released.reduce(0, +) > 100 && released.reduce(0, +) < attempts)
        print("audit: \(attempts) attempts, \(released) released, \(entries.count) records")
        keychain.close()
    }

    /// A group that the caller names is checked before anything is searched for. The log records a denial by that
    /// check, and no miss if the check passes.
    @Test func aGroupOfOnesOwnIsNoMiss() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let keychain = try Keychain.createSimulated(at: folder.path("vault"), passcode: "1234")
        try keychain.store(Cast.password("x"))
        let group = try #require(Requester.simulatedApp.groups.first)
        let named = ItemQuery(.genericPassword, group: group)
        try keychain.update(named, ItemChanges(group: group), secret: .replace(SecureBytes("new")))
        try keychain.delete(named)
        #expect(try keychain.audit().entries.allSatisfy { $0.record.kind != .denied })
        let foreign = ItemQuery(.genericPassword, group: "others")
        #expect(try code { try keychain.update(foreign) } == -34018)
        #expect(try code { try keychain.delete(foreign) } == -34018)
        let denied = try keychain.audit().entries.filter { $0.record.kind == .denied }.map(\.record)
        #expect(Set(denied.map(\.action)) == ["update", "delete"])
        #expect(denied.allSatisfy { $0.rules == ["group.named"] })
        keychain.close()
    }

    @Test func theTrailIsAskedByKindCallerItemAndHour() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let keychain = try Keychain.createSimulated(at: folder.path("vault"), passcode: "1234")
        let x = try keychain.add(Cast.item("x"), secret: SecureBytes("secret"))
        let y = try keychain.add(Cast.item("y", Cast.control(.biometryAny)), secret: SecureBytes("secret"))
        _ = try keychain.releases(x, by: "first", in: nil)
        keychain.user = NoUser()
        try keychain.advance(by: .hours(1))
        _ = try keychain.releases(y, by: "second", in: nil)
        var query = AuditQuery()
        query.item = y
        #expect(
            try keychain.audit(query).entries.allSatisfy { $0.item?.description.attributes["acct"] == .string("y") })
        #expect(try keychain.audit(query).entries.map(\.record.kind).contains(.challenged))
        #expect(
            try keychain.audit(query).entries.contains {
                $0.record.action == "prompt" && $0.record.rules == ["sheet.cancelled"]
            })
        query = AuditQuery()
        query.caller = "first"
        #expect(try keychain.audit(query).entries.map(\.record.action) == ["readData"])
        query = AuditQuery()
        query.kinds = [.granted]
        query.limit = 1
        #expect(try keychain.audit(query).entries.map(\.record.subject) == [x.bytes])
        query = AuditQuery()
        query.since = 3_600_000
        #expect(try keychain.audit(query).entries.contains { $0.record.caller == "second" })
        #expect(try !keychain.audit(query).entries.contains { $0.record.caller == "first" })
        // Names are looked up when the log is shown, if the caller may list the item. A locked device shows none.
        query = AuditQuery()
        query.item = x
        let stranger = Requester("stranger", groups: ["com.example.other"])
        #expect(try keychain.audit(query, by: stranger).entries.allSatisfy { $0.item == nil })
        try keychain.lock()
        try keychain.advance(by: .seconds(11))
        query = AuditQuery()
        query.item = x
        #expect(try keychain.audit(query).entries.allSatisfy { $0.item == nil })
        keychain.close()
    }
}

extension Keychain {
    /// Returns true if reading as this requester returns the secret.
    fileprivate func releases(_ id: ItemIdentifier, by name: String, in context: KeychainContext?) throws -> Bool {
        do throws(KeychainError) {
            switch try read(.id(id), by: Requester(name, groups: requester.groups), in: context) {
            case .some: return true
            case .none: return false
            }
        } catch {
            guard error.rule != nil else { throw error }
            return false
        }
    }
}
