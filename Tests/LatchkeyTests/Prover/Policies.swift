import AccessPolicy
import PolicyProver

/// Every demand that flags can make, once, in scenes of eight items each.
enum Policies {
    static let protections: [Accessibility] = [
        .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly, .afterFirstUnlock, .whenUnlocked,
    ]

    /// What can be assumed: the usual, and what differs from it in one thing.
    static let worlds = [
        Assumptions.Stated(), Assumptions.Stated(deletes: false), Assumptions.Stated(contexts: .kept),
        Assumptions.Stated(held: .justLocked),
    ]

    /// All demands in this class that are different, each with an item that they are usual for: a private key where they guard its
    /// use.
    static func items(in protection: Accessibility) -> [Item] {
        let flags = AccessControlFlags.named.map(\.flag)
        var controls: [AccessControl] = [AccessControl(protection)]
        for pattern in 0..<(1 << flags.count) {
            let chosen = AccessControlFlags(flags.indices.filter { pattern >> $0 & 1 == 1 }.map { flags[$0] })
            guard let control = try? AccessControl(protection: protection, flags: chosen) else { continue }
            if !controls.contains(control) { controls.append(control) }
        }
        return controls.map { Item($0, isKey: $0.guardsKeyUse) }
    }

    /// Them, as many on one device as there is room for.
    static func scenes(in protection: Accessibility) throws -> [Scene] {
        let items = items(in: protection)
        return try stride(from: 0, to: items.count, by: 8).map { first in
            try Scene(storing: Array(items[first..<min(first + 8, items.count)]))
        }
    }
}
