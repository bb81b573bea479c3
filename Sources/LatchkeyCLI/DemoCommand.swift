internal import AccessPolicy
internal import DeviceModel
internal import PolicyScenarios

/// `latchkey demo`
enum DemoCommand {
    private static let help = """
        usage: latchkey demo

        Takes a simulated device with one item under each of five demands through what happens to devices, and shows who
        can read what after each event: the owner, and a thief who knows the passcode. Then stores secrets in a vault in a
        temporary folder, and shows what a thief of its files gets. Then lets a keychain ask whoever is there, and shows
        what it asked for and what came of it. The same bytes every time.

        """

    static func run(_ arguments: inout Arguments) throws(UsageError) -> String {
        let (_, set) = try arguments.options(withValue: [], alone: ["--help", "-h"])
        if !set.isEmpty { return help }
        do {
            var demo = try Demo()
            var vault = try VaultDemo()
            defer { vault.remove() }
            var keychain = try KeychainDemo()
            let isColoured = Output.isColoured
            return try demo.text(coloured: isColoured) + vault.text(coloured: isColoured)
                + keychain.text(coloured: isColoured)
        } catch {
            Output.fail("the demonstration cannot be set up: \(error)", status: 1)
        }
    }
}

/// One item under each demand, on one device, and what happens to it.
private struct Demo {
    private static let demands: [(name: String, flags: AccessControlFlags)] = [
        ("biometryAny", .biometryAny),
        ("biometryCurrentSet", .biometryCurrentSet),
        ("userPresence", .userPresence),
        ("devicePasscode", .devicePasscode),
        ("biometryAny or passcode", [.biometryAny, .or, .devicePasscode]),
    ]

    private var world: World
    private var slots: [SlotID] = []
    private let people: [(name: String, person: Person)]
    private let owner: Person
    private let thiefsFinger: Finger
    private let strangersFinger: Finger

    /// The numbers that the world knows names by do not fit it.
    struct OutOfRange: Error {}

    init() throws {
        guard let ownFinger = Finger(rawValue: 0), let thiefsFinger = Finger(rawValue: 1),
            let strangersFinger = Finger(rawValue: 2), let code = Passcode(rawValue: 1)
        else { throw OutOfRange() }
        self.thiefsFinger = thiefsFinger
        self.strangersFinger = strangersFinger
        owner = Person(fingers: [ownFinger], passcode: code)
        people = [("owner", owner), ("thief", Person(fingers: [thiefsFinger], passcode: code))]
        world = World(Device(passcode: code, enrolled: [ownFinger]))
        for (_, flags) in Self.demands {
            let control = try AccessControl(protection: .whenUnlocked, flags: flags)
            slots.append(try world.store(Item(control)))
        }
    }

    mutating func text(coloured: Bool) throws -> String {
        guard let code = owner.passcode, let ownFinger = owner.fingers.first(where: { _ in true }) else {
            throw OutOfRange()
        }
        var table = TextTable()
        var reasons: [Rule] = []
        table.rows.append((["after", "who"] + Self.demands.map(\.name)).map { .init($0, .heading) })
        func show(_ event: String) {
            for (place, (name, person)) in people.enumerated() {
                let cells = slots.map { cell(for: person, $0, &reasons) }
                table.rows.append([.init(place == 0 ? event : ""), .init(name, .faint)] + cells)
            }
        }

        show("nothing")
        world.apply(.lock)
        world.apply(.timePassed(.seconds(10)))
        show("lock, and ten seconds")
        world.apply(.presented(ownFinger))
        world.apply(.reboot)
        show("unlock, and reboot")
        world.apply(.passcodeEntered(code))
        show("passcode entered")
        world.apply(.enrolled(thiefsFinger))
        show("new finger: the thief's")
        world.apply(.removed(thiefsFinger))
        show("that finger removed")
        for _ in 0..<5 { world.apply(.presented(strangersFinger)) }
        show("five strangers' touches")
        world.apply(.passcodeEntered(code))
        show("passcode entered")
        world.apply(.passcodeRemoved)
        show("passcode removed")

        var legend = TextTable()
        for (index, rule) in reasons.enumerated() {
            legend.rows.append([.init("[\(index + 1)]"), .init(rule.identifier), .init(rule.summary, .faint)])
        }
        return """
            One item under each demand, all whenUnlocked, on a simulated device with Touch ID. The events happen one after
            another. A cell says whether a read succeeds after them, and what was proved for it: each read is a trial that
            changes nothing, by someone who answers the app's prompt but unlocks no screen. The thief knows the passcode.

            \(table.text(coloured: coloured))
            \(legend.text(coloured: coloured))
            """
    }

    /// Tries a read on a copy of the world, so that trying changes nothing.
    private func cell(for person: Person, _ slot: SlotID, _ reasons: inout [Rule]) -> TextTable.Cell {
        var trial = world
        switch trial.perform(Call(.readData, slot, by: person)).decision {
        case .granted(let grant):
            return .init("yes, \(grant.way.map(\.name).joined(separator: " and "))", .good)
        case .denied(let denial):
            let known = reasons.firstIndex(of: denial.rule)
            if known == nil { reasons.append(denial.rule) }
            return .init("no [\((known ?? reasons.count - 1) + 1)]", .bad)
        case .challenge:
            return .init("asks")  // a read that may ask is settled, one way or the other
        }
    }
}
