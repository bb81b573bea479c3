internal import AccessPolicy
internal import DeviceModel
internal import PolicyProver

/// A device with one item, on the way to a condition and then in the hands of a person.
struct MatrixStage {
    /// The application password under which the item is stored.
    static let rightPassword: UInt8 = 1
    /// A wrong application password.
    static let wrongPassword: UInt8 = 2
    /// An app outside the item's access group.
    static let otherApp = AppID(rawValue: 1)

    private(set) var world: World
    private let item: SlotID
    private let room: SlotID
    /// The rule because of which the device could not store the item, or nil if it could.
    private(set) var refusal: Rule?
    /// True as long as every event could happen.
    private(set) var couldHappen = true
    /// True if the device has an owner who set it up.
    let wasSetUp: Bool
    private let device: MatrixDevice
    private var passcode = Passcode.first
    private var holder = Person.absent
    private var visited: World

    /// The app that makes the requests.
    var app = AppID.first
    /// The application password that the app supplies, or zero for none.
    var applicationPassword = rightPassword
    /// The app's answer to whether prompts are allowed.
    var interaction = Interaction.allowed
    /// True if the person first unlocks the device, as far as they can.
    var isUnlockedFirst = false

    init(_ policy: MatrixPolicy, _ device: MatrixDevice) {
        self.device = device
        world = World(Device(device.settings))
        world.apply(.appInstalled(.first, device.apps[0].app))
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

    /// Sets a passcode, and enrolls the owner and pairs a companion if the device has them at the beginning.
    mutating func setUp() {
        happen(.passcodeSet(passcode))
        if device.fingers > 0 { happen(.enrolled(.owners)) }
        let events: [Event] =
            switch device.companion {
            case .notPaired: []
            case .away: [.companionPaired]
            case .locked: [.companionPaired, .companionNear]
            case .ready: [.companionPaired, .companionNear, .companionUnlocked]
            }
        for event in events { happen(event) }
    }

    /// Removes the app that asks, and installs it again.
    mutating func reinstallApp() {
        happen(.appRemoved(.first))
        var app = device.apps[0].app
        app.permission = .notAsked
        happen(.appInstalled(.first, app))
    }

    /// Applies `event` to the device, without a person who causes it.
    mutating func happen(_ event: Event) { note(world.apply(event)) }

    /// Lets `person` cause `event`.
    mutating func happen(_ event: Event, by person: MatrixPerson) {
        note(world.act(event, by: person.person(knowing: passcode)))
    }

    private mutating func note(_ effects: Effects) { if effects.refusal != nil { couldHappen = false } }

    /// Records that the device cannot come to this condition.
    mutating func cannotHappen() { couldHappen = false }

    mutating func changePasscode() {
        passcode = .second
        happen(.passcodeChanged(passcode))
    }

    /// Types this many wrong passcodes, each as soon as the device takes one.
    mutating func guess(times: Int) {
        for number in 0..<UInt8(times) {
            let wait = world.device.delayedUntil - world.device.now
            if wait > .zero { happen(.timePassed(wait)) }
            happen(.passcodeEntered(.guess(number)))
        }
    }

    /// Hands the device to `person`, who unlocks it first if the condition says so.
    mutating func welcome(_ person: MatrixPerson) {
        holder = person.person(knowing: passcode)
        visited = world
        guard isUnlockedFirst else { return }
        if let finger = holder.finger(for: visited.device.enrolled) { visited.act(.presented(finger), by: holder) }
        if visited.device.isLocked, let code = holder.passcode { visited.act(.passcodeEntered(code), by: holder) }
    }

    /// The state of the device in the hands of its holder.
    var conditions: Conditions { visited.device.conditions() }

    /// Returns the result of `use`, tried on a copy of the device.
    func attempt(_ use: MatrixUse) -> Matrix.Cell {
        var trial = visited
        return Matrix.Cell(
            trial.perform(
                Call(
                    .item(use == .store ? room : item, use.action, control: nil), app: app, by: holder,
                    interaction: interaction, applicationPassword: applicationPassword)))
    }
}
