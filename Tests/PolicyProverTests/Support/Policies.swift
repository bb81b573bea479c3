import AccessPolicy
import DeviceModel
import PolicyProver

/// Every access policy that flags can express, each once, in the order of the bits.
enum Policies {
    /// Flags of which no two mean the same, without those for an application password or a key.
    static let guards: [AccessControlFlags] = {
        let single: [AccessControlFlags] = [.biometryAny, .biometryCurrentSet, .devicePasscode, .companion]
        var guards: [AccessControlFlags] = [[], .userPresence]
        for bits in 1..<(1 << single.count) {
            let asked = single.indices.filter { bits >> $0 & 1 == 1 }.map { single[$0] }
            let flags = asked.reduce(into: AccessControlFlags()) { $0.formUnion($1) }
            if flags.isSuperset(of: [.biometryAny, .biometryCurrentSet]) { continue }
            guards += asked.count == 1 ? [flags] : [flags.union(.or), flags.union(.and)]
        }
        return guards
    }()

    /// These flags with and without an application password, for data and for keys.
    static let flags: [AccessControlFlags] = guards.flatMap { guarding in
        [[], .applicationPassword, .privateKeyUsage, [.applicationPassword, .privateKeyUsage]].map(guarding.union)
    }

    /// All assumptions except the usual ones.
    static let otherWorlds: [Assumptions.Stated] = worlds.filter { Assumptions($0) != Assumptions() }

    /// All assumptions.
    static let worlds: [Assumptions.Stated] = [true, false].flatMap { deletes in
        Assumptions.Contexts.allCases.flatMap { contexts in
            Assumptions.Held.allCases.map { Assumptions.Stated(deletes: deletes, contexts: contexts, held: $0) }
        }
    }

    /// An attacker who runs code in the app, and finds the device locked.
    static let insider = Profile(
        name: "insider", summary: "an attacker who runs code in the app and knows its password",
        knows: [.applicationPassword], carries: [.ownersCompanion], holds: .locked, can: [.lock, .reboot, .wait])

    /// Items under all of these policies in these accessibility classes, and without flags.
    static func items(in classes: [Accessibility]) throws -> [Item] {
        try classes.flatMap { protection in
            let plain = Item(AccessControl(protection))
            return try [plain]
                + flags.map { flags in
                    let control = try AccessControl(protection: protection, flags: flags)
                    return Item(control, isKey: control.guardsKeyUse)
                }
        }
    }
}
