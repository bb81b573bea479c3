import AccessPolicy
import PolicyProver

/// The access policies of the searches.
enum Policies {
    /// Eight policies with different factors and bindings.
    static let eight: [AccessControlFlags] = [
        .biometryCurrentSet, .biometryAny, .devicePasscode, .userPresence, [], .companion,
        [.biometryCurrentSet, .or, .devicePasscode], [.biometryCurrentSet, .and, .devicePasscode],
    ]

    static func items(_ flags: some Sequence<AccessControlFlags>) throws -> [Item] {
        try flags.map { Item(try AccessControl(protection: .whenUnlockedThisDeviceOnly, flags: $0)) }
    }

    /// Every policy that flags can express in any class, once.
    static var all: [Item] {
        let flags = AccessControlFlags.named.map(\.flag)
        var controls: Set<AccessControl> = []
        var items: [Item] = []
        for protection in Accessibility.allCases {
            for pattern in 0..<(1 << flags.count) {
                let chosen = AccessControlFlags(flags.indices.filter { pattern >> $0 & 1 == 1 }.map { flags[$0] })
                guard let control = try? AccessControl(protection: protection, flags: chosen) else { continue }
                if controls.insert(control).inserted { items.append(Item(control, isKey: control.guardsKeyUse)) }
            }
        }
        return items
    }
}
