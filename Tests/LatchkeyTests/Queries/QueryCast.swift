import AccessPolicy
import DeviceModel
import Latchkey
import SecretVault
import SodiumKit
import Testing
import UserPresence

// What the tests of queries say often. "semantics 3.6" in a comment means that section of docs/apple-semantics.md.

/// The number of Apple's that a call ends in; zero where it did what was asked.
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

/// The rule by which a call is denied; nil where it did what was asked.
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
    /// A device whose classes close at the moment of a lock, on which some points are settled like this.
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

    /// The passwords with these attributes: all of them, with what is known of each.
    static func passwords(_ attributes: Attributes = [:], group: String? = nil) -> ItemQuery {
        var query = ItemQuery(.genericPassword, attributes, group: group, wanted: .attributes)
        query.limit = .all
        return query
    }

    /// The passwords with these attributes, for a change or a removal.
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

    /// The accounts of the items that a query means, in order of their names; none where nothing is found.
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

    /// The secrets of the items that a query means, in order.
    func secrets(
        _ query: ItemQuery, by requester: Requester? = nil, in context: KeychainContext? = nil,
        interaction: Interaction = .allowed
    ) throws -> [String] {
        var query = query
        query.wanted = .data
        return try find(query, by: requester, in: context, interaction: interaction)
            .map { $0.secret?.bytes.text() ?? "nothing" }.sorted()
    }

    /// What is known of the one item that this is.
    func stored(_ id: ItemIdentifier, by requester: Requester? = nil) throws -> StoredItem {
        try attributes(.id(id), by: requester)
    }

    /// Shuts the device without its passcode, which later opens it again.
    func reopen() throws { _ = try unlock(passcode: SecureBytes("1234")) }
}

extension FoundEntry {
    /// The account of it, where attributes were wanted.
    var account: String {
        switch stored?.description.attributes["acct"] {
        case .string(let text): text
        case let other: "\(String(describing: other))"
        }
    }
}

extension ItemChanges {
    /// These attributes anew, the others as they are.
    init(merging: Attributes) {
        self.init()
        self.merging = merging
    }
}
