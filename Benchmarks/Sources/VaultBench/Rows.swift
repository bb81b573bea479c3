import AccessPolicy
import CFloor
import SecretVault
import SodiumKit

/// A vault full of generic passwords with secrets of 64 bytes, and the parts that reading needs.
struct Rows {
    static let caller = Caller("bench", groups: ["com.example.bench"], interaction: .fail)
    static let passcode = "123456"

    let path: String
    let vault: Vault

    /// Creates a vault of this size and unlocks it.
    init(_ count: Int, at path: String) throws {
        self.path = path
        vault = try Vault.create(at: path, .simulated(), passcode: try SecureBytes(Self.passcode)).vault
        try require(
            vault.addAll((0..<count).lazy.map(Self.item), for: Self.caller) { _ in try SecureBytes(count: 64) }
                .isGranted)
    }

    /// Opens and unlocks the vault at `path`.
    init(at path: String) throws {
        self.path = path
        vault = try Vault.open(at: path)
        try vault.enter(passcode: try SecureBytes(Self.passcode))
    }

    static func item(_ number: Int) -> ItemDescription {
        ItemDescription(
            .genericPassword, ["acct": .string("account \(number)"), "svce": .string("service \(number % 1000)")],
            AccessControl(.whenUnlocked), group: "com.example.bench")
    }

    /// Returns references to `count` different items of the first `total`, in random order.
    static func references(_ count: Int, of total: Int) -> [ItemReference] {
        var chosen: [Int] = []
        if count == total {
            chosen = Array(0..<total)
        } else {
            var seen: Set<Int> = []
            while seen.count < count { seen.insert(.random(in: 0..<total)) }
            chosen = Array(seen)
        }
        return chosen.shuffled().map { .key(item($0).primaryKey) }
    }

    /// Reads all of these items.
    func read(_ references: [ItemReference]) throws {
        for reference in references {
            try require(vault.read(reference, for: Self.caller).isGranted)
        }
    }
}

/// Stops the run if the measured operation did not succeed.
func require(_ condition: Bool) throws {
    struct Failed: Error {}
    if !condition { throw Failed() }
}

/// The error that something which a figure needs could not be set up.
struct CannotMeasure: Error {}
