internal import AccessPolicy
internal import DeviceModel

/// Every form that an owner's account can take in a search, worked out before it begins.
///
/// The account has the device at hand, the owner's other device if there is one, and two that are not signed in at the
/// beginning: the attacker's and a new one of the owner. ``Account`` decides each step. Each device that takes part checks
/// the account after every event, and leaves a record under the passcode that it has at the beginning.
///
/// Of wrong passcodes for a record there is no move: guesses open nothing, and a record that they destroy is missed only by
/// a device that would join with it. An account without that record is one with fewer moves for everyone.
struct Circles: Hashable, Sendable {
    /// A form of the account.
    fileprivate struct Form: Hashable, Sendable {
        /// True if the device at hand sends and receives items.
        var handTakesPart: Bool
        /// True if the devices that people bring send and receive items, by ``Side``.
        var ownTakesPart: [Bool]
        /// True if the owner's other device sends and receives items.
        var otherTakesPart: Bool
        /// True if the owner has removed the device at hand.
        var isHandRemoved: Bool
        /// The form after each move of each side with the device at hand unlocked or not; nil if it is refused.
        var next: [UInt16?] = []
    }

    /// The people who bring a device of their own.
    enum Side: Int, CaseIterable, Sendable {
        case attacker = 0
        case owner = 1
    }

    private var forms: [Form] = []

    /// The number of forms.
    var count: Int { forms.count }

    func handTakesPart(in circle: UInt16) -> Bool { forms[Int(circle)].handTakesPart }
    func otherTakesPart(in circle: UInt16) -> Bool { forms[Int(circle)].otherTakesPart }
    func ownTakesPart(_ side: Side, in circle: UInt16) -> Bool { forms[Int(circle)].ownTakesPart[side.rawValue] }
    func isHandRemoved(in circle: UInt16) -> Bool { forms[Int(circle)].isHandRemoved }

    /// Returns the form after a move; nil if the account refuses it.
    func next(_ circle: UInt16, after move: AccountMove, by side: Side, isUnlocked: Bool) -> UInt16? {
        forms[Int(circle)].next[Self.place(move, side, isUnlocked)]
    }

    private static func place(_ move: AccountMove, _ side: Side, _ isUnlocked: Bool) -> Int {
        (Int(move.rawValue) * Side.allCases.count + side.rawValue) * 2 + (isUnlocked ? 1 : 0)
    }

    /// Works out the account of an owner with or without another device.
    init(hasOtherDevice: Bool) {
        var accounts = [Devices.account(hasOtherDevice: hasOtherDevice).normalized]
        var numbers = [accounts[0]: UInt16(0)]
        var place = 0
        while place < accounts.count {
            let account = accounts[place]
            var form = Form(account)
            for move in AccountMove.allCases {
                for side in Side.allCases {
                    for isUnlocked in [false, true] {
                        guard let after = account.after(move, by: side, isUnlocked: isUnlocked)?.normalized else {
                            form.next.append(nil)
                            continue
                        }
                        if numbers[after] == nil {
                            numbers[after] = UInt16(accounts.count)
                            accounts.append(after)
                        }
                        form.next.append(numbers[after])
                    }
                }
            }
            forms.append(form)
            place += 1
        }
    }
}

/// The devices of the account, with the numbers that stand for their passcodes.
private enum Devices {
    static let hand = id(0)
    static let other = id(1)

    static func own(_ side: Circles.Side) -> AccountDeviceID { id(UInt8(2 + side.rawValue)) }

    private static func id(_ number: UInt8) -> AccountDeviceID {
        guard let id = AccountDeviceID(rawValue: number) else {
            preconditionFailure("an account has room for four devices")
        }
        return id
    }

    static func passcode(of id: AccountDeviceID) -> UInt32 { UInt32(id.rawValue) + 1 }

    /// Returns the account as its owner leaves it.
    static func account(hasOtherDevice: Bool) -> Account {
        var account = Account()
        func apply(_ event: AccountEvent) {
            guard account.apply(event) == nil else { preconditionFailure("an owner can set up an account") }
        }
        for _ in 0..<4 { apply(.signedIn(.full)) }
        apply(.circleEstablished(hand))
        if hasOtherDevice { apply(.joinedBySponsor(other, hand, isSponsorUnlocked: true)) }
        for id in [own(.attacker), own(.owner)] + (hasOtherDevice ? [] : [other]) { apply(.signedOut(id)) }
        account.check()
        return account
    }
}

extension Account {
    /// Lets each device that takes part check the account.
    fileprivate mutating func check() {
        for id in devices where standing(of: id).obstacle == nil {
            apply(.checked(id, passcode: Devices.passcode(of: id)))
        }
    }

    /// Returns the account after a move of one side; nil if it refuses the move.
    fileprivate func after(_ move: AccountMove, by side: Circles.Side, isUnlocked: Bool) -> Account? {
        let own = Devices.own(side)
        var account = self
        let event: AccountEvent
        switch move {
        case .signIn: event = .signedInAgain(own)
        case .joinBySponsor: event = .joinedBySponsor(own, Devices.hand, isSponsorUnlocked: isUnlocked)
        case .joinByPasscode: event = .joinedByPasscode(own, Devices.hand, Devices.passcode(of: Devices.hand))
        case .joinByOtherPasscode: event = .joinedByPasscode(own, Devices.other, Devices.passcode(of: Devices.other))
        // The other device is in its owner's hands, unlocked.
        case .joinByOther: event = .joinedBySponsor(own, Devices.other, isSponsorUnlocked: true)
        // A circle of their own gives a member nothing that they do not have.
        case .resetCircle where isTrusted(own): return nil
        case .resetCircle: event = .circleReset(own)
        case .resetByOther where isTrusted(Devices.other): return nil
        case .resetByOther: event = .circleReset(Devices.other)
        case .bringIn: event = .joinedBySponsor(Devices.hand, own, isSponsorUnlocked: true)
        case .removal: event = .removedFromList(Devices.hand)
        case .handErased: event = .erased(Devices.hand)
        case .arrive: return account.takesPart(own) ? account : nil
        }
        if move.needsUnlockedHand && !isUnlocked { return nil }
        if account.apply(event) != nil { return nil }
        account.check()
        return account
    }

    fileprivate func takesPart(_ id: AccountDeviceID) -> Bool {
        let standing = standing(of: id)
        return standing.obstacle == nil && standing.obstacle(to: .applications) == nil
    }
}

extension Circles.Form {
    fileprivate init(_ account: Account) {
        self.init(
            handTakesPart: account.takesPart(Devices.hand),
            ownTakesPart: Circles.Side.allCases.map { account.takesPart(Devices.own($0)) },
            otherTakesPart: account.takesPart(Devices.other),
            isHandRemoved: account[Devices.hand]?.isOnList == false)
    }
}
