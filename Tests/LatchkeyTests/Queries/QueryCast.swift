import AccessPolicy
import ApplePlatform
import DeviceModel
import Latchkey
import SecretVault
import SodiumKit
import Testing
import UserPresence

// Values and calls that the tests of queries use often. "semantics 3.6" in a comment is a section of
// docs/apple-semantics.md.

/// Returns Apple's number for the result of a call; zero for success.
func code(_ body: () throws -> Void) throws -> Int32 {
    do {
        try body()
        return 0
    } catch let error as KeychainError {
        if case .request(let fault) = error { return fault.code }
        guard let status = error.status else { throw error }
        return status.rawValue
    }
}

/// Returns the rule that denies a call; nil for success.
func rule(_ body: () throws -> Void) throws -> String? {
    do {
        try body()
        return nil
    } catch let error as KeychainError {
        guard let rule = error.rule else { throw error }
        return rule.identifier
    }
}

extension Cast {
    /// A device whose classes close at the moment of a lock, with these choices on disputed points.
    static func device(_ settle: (inout Fidelity) -> Void = { _ in }) -> DeviceSettings {
        var fidelity = Fidelity()
        settle(&fidelity)
        return DeviceSettings(lockGrace: .zero, fidelity: fidelity)
    }

    static func password(_ account: String, _ more: Attributes = [:], _ control: AccessControl? = nil) -> NewItem {
        var attributes = more
        attributes["acct"] = .string(account)
        return NewItem(.genericPassword, attributes, control)
    }

    static func synchronizable(_ account: String) -> NewItem {
        var item = password(account)
        item.isSynchronizable = true
        return item
    }

    /// Queries for all passwords with these attributes, with the attributes of each.
    static func passwords(_ attributes: Attributes = [:], group: String? = nil) -> ItemQuery {
        var query = ItemQuery(.genericPassword, attributes, group: group, wanted: .attributes)
        query.limit = .all
        return query
    }

    /// Queries for the passwords with these attributes, for an update or a deletion.
    static func each(_ attributes: Attributes = [:], group: String? = nil) -> ItemQuery {
        ItemQuery(.genericPassword, attributes, group: group)
    }

    static func account(_ name: String) -> Attributes { ["acct": .string(name)] }

    static let twoGroups = Requester("two", groups: ["first", "second"])
    static let otherGroup = Requester("other", groups: ["other"])
    static let noGroup = Requester("none", groups: [])
}

extension Keychain {
    @discardableResult
    func store(
        _ item: NewItem, _ secret: String = "secret", by requester: Requester? = nil,
        in context: KeychainContext? = nil,
        interaction: Interaction = .allowed
    ) throws -> ItemIdentifier {
        try add(item, secret: SecureBytes(secret), by: requester, in: context, interaction: interaction)
    }

    /// Returns the accounts of the matching items, sorted; none if nothing matches.
    func accounts(
        _ query: ItemQuery, by requester: Requester? = nil, interaction: Interaction = .allowed
    ) throws -> [String] {
        var query = query
        query.wanted.insert(.attributes)
        do throws(KeychainError) {
            return try find(query, by: requester, interaction: interaction).map(\.account).sorted()
        } catch {
            guard error.status == .itemNotFound else { throw error }
            return []
        }
    }

    /// Returns the secrets of the matching items, in order.
    func secrets(
        _ query: ItemQuery, by requester: Requester? = nil, in context: KeychainContext? = nil,
        interaction: Interaction = .allowed
    ) throws -> [String] {
        var query = query
        query.wanted = .data
        return try find(query, by: requester, in: context, interaction: interaction)
            .map { $0.secret?.bytes.text() ?? "nothing" }.sorted()
    }

    /// Returns the attributes of the only matching item.
    func stored(_ id: ItemIdentifier, by requester: Requester? = nil) throws -> StoredItem {
        try attributes(.id(id), by: requester)
    }

    /// Unlocks the device with its passcode.
    func reopen() throws { _ = try unlock(passcode: SecureBytes("1234")) }
}

extension FoundEntry {
    /// The account, if the query asked for attributes.
    var account: String {
        switch stored?.description.attributes["acct"] {
        case .string(let text): text
        case let other: "\(String(describing: other))"
        }
    }
}

extension ItemChanges {
    /// Changes that set these attributes and keep the others.
    init(merging: Attributes) {
        self.init()
        self.merging = merging
    }
}
