import AccessPolicy
import DeviceModel

/// The fingers, passcodes and people of the tests.
enum Cast {
    static func finger(_ number: UInt8) -> Finger {
        guard let finger = Finger(rawValue: number) else { preconditionFailure("no finger \(number)") }
        return finger
    }

    static func code(_ number: UInt8) -> Passcode {
        guard let code = Passcode(rawValue: number) else { preconditionFailure("no passcode \(number)") }
        return code
    }

    static let index = finger(0)
    static let thumb = finger(1)
    static let foreign = finger(9)
    static let right = code(1)
    static let wrong = code(2)

    static let owner = Person(fingers: [index], passcode: right, applicationPassword: 1, wearsCompanion: true)
    static let stranger = Person(fingers: [foreign], passcode: wrong)
    static let passcodeThief = Person(fingers: [foreign], passcode: right)

    /// Returns a device in use, held by its owner.
    static func device(_ settings: DeviceSettings = DeviceSettings()) -> Device {
        Device(settings, passcode: right, enrolled: settings.sensor == .none ? [] : [index])
    }

    static func control(_ flags: AccessControlFlags, _ protection: Accessibility = .whenUnlocked) -> AccessControl {
        do { return try AccessControl(protection: protection, flags: flags) } catch {
            preconditionFailure("\(error)")
        }
    }

    /// Returns a world with one item, and its slot.
    static func world(
        _ control: AccessControl, on device: Device = Cast.device(), applicationPassword: UInt8 = 0
    ) -> (world: World, slot: SlotID) {
        var world = World(device)
        let slot = world.place(Item(control), applicationPassword: applicationPassword)
        return (world, slot)
    }
}

extension Outcome {
    /// The word `granted`, or the identifier of the rule that denied the call.
    var verdict: String {
        switch decision {
        case .granted: "granted"
        case .challenge: "challenge"
        case .denied(let denial): denial.rule.identifier
        }
    }
}

extension World {
    /// Adds a slot for an item, and stores it if `stored` is true.
    mutating func place(_ item: Item, stored: Bool = true, applicationPassword: UInt8 = 0) -> SlotID {
        do {
            return stored ? try store(item, applicationPassword: applicationPassword) : try addSlot(for: item)
        } catch {
            preconditionFailure("\(error)")
        }
    }

    mutating func read(_ slot: SlotID, by person: Person = Cast.owner) -> String {
        perform(Call(.readData, slot, by: person)).verdict
    }
}
