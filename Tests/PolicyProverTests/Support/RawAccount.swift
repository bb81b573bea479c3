import AccessPolicy
import DeviceModel
import PolicyProver
import Testing

/// The owner's account as the model has it, with all its devices, and the moves of the people on it. The prover's forms of the
/// account have no part in it.
struct RawAccount {
    /// The devices, in this order: the one at hand, the owner's other one, the attacker's and a new one of the owner.
    var devices: [SyncedAccount<SyncingWorld>.Device?]
    var synced = SyncedAccount<SyncingWorld>()
    let slot: SlotID

    /// The number of the secret that the owner stores at the beginning, and of the one that they store next.
    static let secret: UInt32 = 0
    static let next: UInt32 = 7

    static func id(_ number: Int) -> AccountDeviceID {
        guard let id = AccountDeviceID(rawValue: UInt8(number)) else { preconditionFailure("no such device") }
        return id
    }

    init(_ scene: Scene, hasOtherDevice: Bool, for profile: Profile, assuming assumptions: Assumptions) throws {
        slot = scene.items[0]
        let item = try #require(scene.world[slot]?.item)
        var empty = World(Device(scene.world.device.settings))
        _ = try empty.addSlot(for: item)
        let fresh = SyncedAccount.Device(SyncingWorld(empty), passcode: 0)
        devices = [SyncedAccount.Device(SyncingWorld(scene.world), passcode: 0), fresh, fresh, fresh]
        for number in devices.indices { devices[number]?.passcode = UInt32(number) + 100 }
        noteHandPasscode()
        for _ in devices { #expect(apply(.signedIn(.full), 0) == nil) }
        #expect(apply(.circleEstablished(Self.id(0)), 0) == nil)
        if hasOtherDevice {
            #expect(apply(.joinedBySponsor(Self.id(1), Self.id(0), isSponsorUnlocked: true), 1) == nil)
        }
        for number in (hasOtherDevice ? [] : [1]) + [2, 3] {
            #expect(apply(.signedOut(Self.id(number)), number) == nil)
        }
        settle()
        for event in scene.prelude(for: profile, assuming: assumptions).events { happen(event, on: 0) }
    }

    /// Lets everything move between the devices.
    mutating func settle() { _ = synced.settle(&devices) }

    /// Lets one device fetch.
    mutating func deliver(to device: Int) { _ = synced.deliver(to: Self.id(device), &devices) }

    @discardableResult
    mutating func apply(_ event: AccountEvent, _ device: Int) -> AccountRefusal? {
        synced.apply(event, passcode: devices[device]?.passcode)
    }

    /// Lets an event happen to a device, and returns true if it did.
    @discardableResult
    mutating func happen(_ event: Event, on device: Int) -> Bool {
        guard var one = devices[device] else { return false }
        let effects = one.keychain.apply(event)
        devices[device] = one
        if effects.refusal == nil, effects.contains(.eraseAll) { apply(.erased(Self.id(device)), device) }
        if device == 0 { noteHandPasscode() }
        return effects.refusal == nil
    }

    /// Gives the account the passcode that the device at hand has now.
    private mutating func noteHandPasscode() {
        let passcode = devices[0]?.keychain.world.device.passcode
        devices[0]?.passcode = passcode.map { UInt32($0.rawValue) }
    }

    /// Makes a call without any prompt, and returns the number of the secret if it is granted.
    mutating func ask(_ action: Action, on device: Int, secret: UInt32 = 99) -> UInt32? {
        guard var one = devices[device] else { return nil }
        let before = one.keychain.secret(in: slot)
        let outcome = one.keychain.perform(
            Call(.item(slot, action, control: nil), by: Person(), interaction: .fail), secret: secret)
        devices[device] = one
        return outcome.decision.isGranted ? before : nil
    }

    func isUnlocked(_ device: Int) -> Bool { devices[device]?.keychain.world.device.isLocked == false }

    /// True if no device of the owner has the owner's first secret any more.
    var ownersSecretIsEverywhereGone: Bool {
        ![0, 1, 3].contains { devices[$0]?.keychain.secret(in: slot) == Self.secret }
    }

    /// Makes a move in the account, and returns true if the account allows it.
    mutating func perform(_ move: AccountMove, own: Int) -> Bool {
        let (hand, other, mine) = (Self.id(0), Self.id(1), Self.id(own))
        let refusal: AccountRefusal? =
            switch move {
            case .signIn: apply(.signedInAgain(mine), own)
            case .joinBySponsor: apply(.joinedBySponsor(mine, hand, isSponsorUnlocked: isUnlocked(0)), own)
            case .joinByPasscode:
                apply(.joinedByPasscode(mine, hand, synced.account.escrow(of: hand)?.passcode ?? 0), own)
            case .joinByOtherPasscode: apply(.joinedByPasscode(mine, other, 101), own)
            case .joinByOther: apply(.joinedBySponsor(mine, other, isSponsorUnlocked: isUnlocked(1)), own)
            case .resetCircle: apply(.circleReset(mine), own)
            case .resetByOther: apply(.circleReset(other), 1)
            case .bringIn: apply(.joinedBySponsor(hand, mine, isSponsorUnlocked: isUnlocked(own)), 0)
            case .removal: apply(.removedFromList(hand), 1)
            case .handErased, .arrive: nil
            }
        settle()
        return refusal == nil
    }
}
