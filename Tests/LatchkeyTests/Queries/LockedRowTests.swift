import AccessPolicy
import DeviceModel
import Latchkey
import SecretVault
import SodiumKit
import Testing
import UserPresence

/// Semantics 3.8: one locked row among the matches fails the whole call, before any prompt.
@Suite struct LockedRowTests {
    private static let parts: [ItemQuery.Parts] = [[], .data, .attributes, .reference, [.data, .attributes]]

    @Test(arguments: parts)
    func oneLockedItemFailsTheWholeCall(_ wanted: ItemQuery.Parts) throws {
        let user = Remembering(Cast.owner)
        let keychain = try Keychain.simulated(Cast.device(), user: user)
        try keychain.store(Cast.password("open", [:], AccessControl(.always)))
        try keychain.store(Cast.password("protected", [:], try Cast.control(.biometryAny, .always)))
        try keychain.store(Cast.password("first", [:], AccessControl(.afterFirstUnlock)))
        try keychain.store(Cast.password("locked"))
        var query = Cast.passwords()
        query.wanted = wanted
        #expect(try keychain.find(query).count == 4)
        let asked = user.kinds.count
        try keychain.lock()
        for interaction in [Interaction.allowed, .fail, .skip] {
            #expect(try rule { _ = try keychain.find(query, interaction: interaction) } == "class.locked")
            #expect(try code { _ = try keychain.find(query, interaction: interaction) } == -25308)
        }
        query.limit = .upTo(4)
        #expect(try code { _ = try keychain.find(query) } == -25308)
        // Without the locked row nothing prevents the search. A protected item cannot be opened on a locked device.
        query.limit = .all
        for (account, expected) in [("open", 0 as Int32), ("first", 0), ("locked", -25308), ("protected", -25308)] {
            query.attributes = Cast.account(account)
            #expect(try code { _ = try keychain.find(query) } == expected, "\(account)")
        }
        try keychain.simulate(.reboot)
        for (account, expected) in [("open", 0 as Int32), ("first", -25308), ("locked", -25308)] {
            query.attributes = Cast.account(account)
            #expect(try code { _ = try keychain.find(query) } == expected, "\(account)")
        }
        #expect(user.kinds.count == asked)
        query.attributes = [:]
        try keychain.reopen()
        #expect(try keychain.find(query).count == 4)
    }

    /// An invalidated row is skipped, so it does not hide until a prompt that a row behind it is locked.
    @Test func aLockedItemBehindALostOneIsSeenFirst() throws {
        for _ in 0..<8 {  // rows lie in an order that nobody chooses
            let user = Remembering(Cast.owner)
            let keychain = try Keychain.simulated(Cast.device(), user: user)
            try keychain.store(Cast.password("lost", [:], try Cast.control(.biometryCurrentSet, .always)))
            try keychain.store(Cast.password("protected", [:], try Cast.control(.biometryAny, .always)))
            #expect(try keychain.enroll("left thumb").refusal == nil)
            try keychain.store(Cast.password("locked"))
            try keychain.lock()
            var query = Cast.passwords()
            query.limit = .upTo(2)
            #expect(try code { _ = try keychain.find(query) } == -25308)
            #expect(user.kinds == [])
        }
    }

    /// An attribute without a column is sealed with its item. While the item is locked it cannot be compared, and the
    /// call fails.
    @Test func whatIsSealedCannotBeMatchedWhileLocked() throws {
        let keychain = try Keychain.simulated(Cast.device())
        try keychain.store(Cast.password("plain"))
        try keychain.store(Cast.password("open", ["invi": .number(1)], AccessControl(.always)))
        try keychain.lock()
        let query = Cast.passwords(["invi": .number(1)])
        #expect(try code { _ = try keychain.find(query) } == -25308)
        let changes = ItemChanges(merging: ["labl": .string("x")])
        #expect(try code { try keychain.update(Cast.each(["invi": .number(1)]), changes) } == -25308)
        // The class tells such an item apart.
        var always = query
        always.accessible = .always
        #expect(try keychain.accounts(always) == ["open"])
        try keychain.reopen()
        #expect(try keychain.accounts(query) == ["open"])
    }
}
