internal import AccessPolicy
internal import DeviceModel

/// A device with one item on it, on the way to a condition; and then somebody in front of it.
struct MatrixStage {
    /// The application password that the item is stored under.
    static let rightPassword: UInt8 = 1
    /// Another one.
    static let wrongPassword: UInt8 = 2
    /// An app that has not the item's access group.
    static let otherApp = AppID(rawValue: 1)

    private(set) var world: World
    private let item: SlotID
    private let room: SlotID
    /// The rule by which the item could not be stored.
    private(set) var refusal: Rule?
    /// True if everything that was to happen could.
    private(set) var couldHappen = true
    /// True if the device has an owner who set it up.
    let wasSetUp: Bool
    private var passcode = Passcode.first
    private var holder = Person.absent
    private var visited: World

    /// Which app asks.
    var app = AppID.first
    /// What the app brings as its application password; zero for nothing.
    var applicationPassword = rightPassword
    /// Whether the app allows anybody to be asked.
    var interaction = Interaction.allowed
    /// True if the person first unlocks the device, as far as they can.
    var isUnlockedFirst = false

    init(_ policy: MatrixPolicy, _ device: MatrixDevice) {
        world = World(Device(device.settings))
        visited = world
        wasSetUp = device.isSetUp
        let new = policy.item
        do {
            item = try world.addSlot(for: new)
            room = try world.addSlot(for: new)
        } catch {
            preconditionFailure("a world has room for two items: \(error)")
        }
        if device.isSetUp { setUp() }
        if let group = AccessGroup(rawValue: 1), let other = Self.otherApp {
            happen(.appInstalled(other, App(groups: [group])))
        }
        let owner = MatrixPerson.owner.person(knowing: passcode)
        let call = Call(
            .item(item, .add, control: nil), by: owner, applicationPassword: Self.rightPassword)
        refusal = world.perform(call).decision.denial?.rule
    }

    /// Its owner sets a passcode, enrolls themselves and pairs a companion that is at hand.
    mutating func setUp() {
        happen(.passcodeSet(passcode))
        if world.device.settings.sensor != .none { happen(.enrolled(.owners)) }
        for event in [Event.companionPaired, .companionNear, .companionUnlocked] { happen(event) }
    }

    /// Lets `event` happen to the device, whoever holds it.
    mutating func happen(_ event: Event) { note(world.apply(event)) }

    /// Lets `person` cause `event`.
    mutating func happen(_ event: Event, by person: MatrixPerson) {
        note(world.act(event, by: person.person(knowing: passcode)))
    }

    private mutating func note(_ effects: Effects) { if effects.refusal != nil { couldHappen = false } }

    /// Says that the device never comes to this.
    mutating func cannotHappen() { couldHappen = false }

    mutating func changePasscode() {
        passcode = .second
        happen(.passcodeChanged(passcode))
    }

    /// So many wrong passcodes are typed, each once the device takes another.
    mutating func guess(times: Int) {
        for number in 0..<UInt8(times) {
            let wait = world.device.delayedUntil - world.device.now
            if wait > .zero { happen(.timePassed(wait)) }
            happen(.passcodeEntered(.guess(number)))
        }
    }

    /// Somebody takes the device into their hands.
    mutating func welcome(_ person: MatrixPerson) {
        holder = person.person(knowing: passcode)
        visited = world
        guard isUnlockedFirst else { return }
        if let finger = holder.finger(for: visited.device.enrolled) { visited.act(.presented(finger), by: holder) }
        if visited.device.isLocked, let code = holder.passcode { visited.act(.passcodeEntered(code), by: holder) }
    }

    /// What comes of `use`, tried on a copy of the device.
    func attempt(_ use: MatrixUse) -> Matrix.Cell {
        var trial = visited
        return Matrix.Cell(
            trial.perform(
                Call(
                    .item(use == .store ? room : item, use.action, control: nil), app: app, by: holder,
                    interaction: interaction, applicationPassword: applicationPassword)))
    }
}
