public import AccessPolicy
internal import DeviceModel
internal import Latchkey

/// An account with several simulated devices, between which synchronizable items move, as through iCloud Keychain.
///
///     let (phone, pad) = (SimulatedDevice.iPhoneWithFaceID(), SimulatedDevice.iPhoneWithTouchID())
///     let account = SimulatedAccount()
///     account.signIn(phone)
///     account.signIn(pad)
///     phone.establishCircle()
///     pad.join(sponsoredBy: phone)
///     try phone.run { try SeedStore().save("…") }     // with kSecAttrSynchronizable
///     account.settle()
///     try pad.run { #expect(try SeedStore().load() == "…") }
///
/// Nothing moves by itself: ``settle()`` and ``deliver(to:)`` move items. ``records`` says what moved, and by which rule an
/// item stayed. A test gives the same result every time.
public final class SimulatedAccount: Sendable {
    /// A kind of device, as far as its syncing differs.
    public typealias DeviceKind = AccountDeviceKind

    /// The choice of the identifier of the next item that is sent for the first time. If two devices have stored an item
    /// under one primary key, the lower identifier wins.
    public enum NextRecord: Hashable, Sendable {
        /// An identifier that follows from the seed.
        case any
        /// An identifier below all others.
        case lowest
        /// An identifier above all others.
        case highest
    }

    let core: AccountCore

    /// Creates an account without devices.
    ///
    /// - Parameters:
    ///   - seed: The seed of the identifiers of records, which decide conflicts.
    ///   - syncsFromStart: True if passwords sync on a device as soon as it joins, as after setting up a phone. Apple's policy
    ///     has the switch off in a new circle.
    ///   - rightPasscodeRestoresTries: True if the right passcode gives a record of the escrow its ten tries again.
    public init(seed: UInt64 = 0, syncsFromStart: Bool = true, rightPasscodeRestoresTries: Bool = true) {
        var choices = Account.Choices()
        choices.syncsFromStart = syncsFromStart
        choices.rightPasscodeRestoresTries = rightPasscodeRestoresTries
        core = AccountCore(choices, seed: seed)
    }

    deinit { core.letGo() }

    /// The devices that were signed in, in that order.
    public var devices: [SimulatedDevice] { core.devices }

    /// Signs a device in with the account's password and its second factor. It is not in the circle yet, so no item reaches
    /// it. Returns false if the device is signed in already, here or elsewhere, if it is offline, or if the account has eight
    /// devices.
    ///
    ///     account.signIn(phone)
    @discardableResult
    public func signIn(_ device: SimulatedDevice, as kind: DeviceKind = .full) -> Bool {
        if device.isOffline { return device.noted("sign in", .offline) }
        if let other = device.account, other !== core, other.member(device)?.isSignedIn == true {
            return device.noted("sign in", .alreadySignedIn)
        }
        let refusal = core.signIn(device, as: kind)
        if refusal == nil { device.account = core }
        return device.noted("sign in", refusal)
    }

    /// Removes a device from the account's list of devices. It gets nothing from now on, and keeps what it has.
    ///
    ///     account.removeFromDeviceList(phone)
    @discardableResult
    public func removeFromDeviceList(_ device: SimulatedDevice) -> Bool {
        device.noted("remove from the account", core.apply(to: device) { .removedFromList($0) })
    }

    /// Changes the account's password on a device. The circle stays as it is.
    ///
    ///     account.changePassword(by: phone)
    @discardableResult
    public func changePassword(by device: SimulatedDevice) -> Bool {
        device.noted("change the account's password", core.apply(to: device) { .passwordChanged($0) })
    }

    /// Begins a new circle, with this device as its only member. The account forgets its items, and each device keeps its own.
    ///
    ///     account.resetCircle(by: phone)
    @discardableResult
    public func resetCircle(by device: SimulatedDevice) -> Bool {
        device.noted("reset the circle", core.apply(to: device) { .circleReset($0) })
    }

    /// Sets a recovery key, with which a device can join without another one.
    ///
    ///     account.setRecoveryKey("AAAA-BBBB", by: phone)
    @discardableResult
    public func setRecoveryKey(_ key: String, by device: SimulatedDevice) -> Bool {
        let number = core.number(of: key)
        return device.noted("set a recovery key", core.apply(to: device) { .recoveryKeySet($0, number) })
    }

    /// Delivers everything everywhere: each device sends, then each fetches, until nothing moves any more.
    ///
    ///     account.settle()
    public func settle() {
        do { try core.settle() } catch { fatalError("a keychain of the account cannot be used: \(error)") }
    }

    /// Lets one device fetch what the others have sent until now. Its own changes are not sent.
    ///
    ///     account.deliver(to: pad)
    public func deliver(to device: SimulatedDevice) {
        do { try core.deliver(to: device) } catch { fatalError("a keychain of the account cannot be used: \(error)") }
    }

    /// The movements of items so far, and the rules by which items stayed, in order.
    ///
    ///     #expect(account.records.last?.rule == .thisDeviceOnly)
    public var records: [SyncRecord] { core.records }

    /// Forgets the records so far.
    public func clearRecords() { core.clearRecords() }

    /// The number of items that the account keeps for its devices.
    public var itemCount: Int { core.count }

    /// The choice of the identifier of the next item that is sent for the first time.
    ///
    ///     account.nextRecord = .lowest
    public var nextRecord: NextRecord {
        get {
            switch core.nextRecord {
            case .any: .any
            case .lowest: .lowest
            case .highest: .highest
            }
        }
        set {
            switch newValue {
            case .any: core.nextRecord = .any
            case .lowest: core.nextRecord = .lowest
            case .highest: core.nextRecord = .highest
            }
        }
    }
}
