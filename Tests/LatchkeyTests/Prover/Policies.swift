import AccessPolicy
import PolicyProver

/// Every access policy that flags can form, once each, in scenes of eight items.
enum Policies {
    static let protections: [Accessibility] = [
        .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly, .afterFirstUnlock, .whenUnlocked,
    ]

    /// The assumptions to test: the usual ones, and variants that differ in one point.
    static let worlds = [
        Assumptions.Stated(), Assumptions.Stated(deletes: false), Assumptions.Stated(contexts: .kept),
        Assumptions.Stated(held: .justLocked),
    ]

    /// Returns all different policies in this class, each with the kind of item that it is usual for: a private key if
    /// the flags guard the use of one.
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

    /// Returns the policies in scenes, with as many on one device as there is room for.
    static func scenes(in protection: Accessibility) throws -> [Scene] {
        let items = items(in: protection)
        return try stride(from: 0, to: items.count, by: 8).map { first in
            try Scene(storing: Array(items[first..<min(first + 8, items.count)]))
        }
    }
}
