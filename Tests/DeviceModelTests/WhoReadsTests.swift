import AccessPolicy
import DeviceModel
import TestSupport
import Testing

/// Compares every kind of policy × person × state of the sensor with the table `who-reads.tsv`.
@Suite struct WhoReadsTests {
    static let people: [(name: String, person: Person)] = [
        ("owner", Cast.owner), ("thief", Cast.passcodeThief), ("stranger", Cast.stranger), ("nobody", .absent),
    ]

    /// The columns of the table, as events after the item was stored.
    static let conditions: [(name: String, sensor: SensorKind, events: [Event])] = [
        ("ready", .touchID, []),
        ("locked out", .touchID, [Event](repeating: .presented(Cast.foreign), count: 5)),
        ("changed", .touchID, [.enrolled(Cast.thumb)]),
        ("not enrolled", .touchID, [.removed(Cast.index)]),
        ("reset and enrolled", .touchID, [.biometryReset, .enrolled(Cast.index)]),
        ("denied", .faceID, [.biometryDenied(.first)]),
        ("no passcode", .touchID, [.passcodeRemoved]),
    ]

    static func flags(_ words: String) throws -> AccessControlFlags {
        var flags = AccessControlFlags()
        for word in words.split(separator: " ") {
            flags.insert(try #require(AccessControlFlags.named.first { $0.name == word }?.flag, "\(word)"))
        }
        return flags
    }

    static func verdict(_ flags: AccessControlFlags, _ person: Person, on sensor: SensorKind, after events: [Event])
        -> String
    {
        var settings = DeviceSettings(sensor: sensor)
        settings.fidelity.sensorReset = .replacesSensor  // the stricter choice, and that of every real vault
        var device = Cast.device(settings)
        for event in [Event.companionPaired, .companionNear, .companionUnlocked] { _ = device.apply(event) }
        var (world, slot) = Cast.world(Cast.control(flags), on: device)
        for event in events { world.apply(event) }
        let outcome = world.perform(Call(.readData, slot, by: person))
        guard case .granted(let grant) = outcome.decision else { return outcome.verdict }
        return "yes: " + grant.way.map(\.name).joined(separator: " and ")
    }

    @Test func theTableHolds() throws {
        let rows = try FixtureTable("who-reads").rows
        var found: [String] = []
        for row in rows {
            let person = try #require(Self.people.first { $0.name == row[1] }?.person)
            let flags = try Self.flags(row[0])
            #expect(row.count == Self.conditions.count + 2)
            for (condition, expected) in zip(Self.conditions, row.dropFirst(2)) {
                let verdict = Self.verdict(flags, person, on: condition.sensor, after: condition.events)
                if verdict != expected {
                    found.append("\(row[0]), \(row[1]), \(condition.name): \(verdict), not \(expected)")
                }
            }
        }
        #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
        let demands = Set(rows.map { $0[0] })
        #expect(rows.count == demands.count * Self.people.count)
        // The table must have every constraint: each combination of flags with another meaning, without additional
        // flags.
        var constraints: Set<AccessControl> = []
        for demand in demands { constraints.insert(Cast.control(try Self.flags(demand))) }
        var all: Set<AccessControl> = []
        for pattern in 0..<128 {
            let chosen = AccessControlFlags.named.prefix(7).enumerated().filter { pattern >> $0.offset & 1 == 1 }
            let flags = AccessControlFlags(chosen.map(\.element.flag))
            if let control = try? AccessControl(protection: .whenUnlocked, flags: flags), control.isProtected {
                all.insert(control)
            }
        }
        #expect(constraints == all)
    }
}
