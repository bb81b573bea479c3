internal import AccessPolicy
internal import DeviceModel

/// Every form that an owner's account can take in a search, worked out before it begins.
///
/// The account has the device at hand, the owner's other device if there is one, and two that are not signed in at the
/// beginning: the attacker's and a new one of the owner. ``Account`` decides each step. Each device that takes part checks
/// the account after every event, and leaves a record under the passcode that it has then.
///
/// There is no move for wrong passcodes. They open no record, and who can destroy one with them can also begin a new circle,
/// which destroys all of them.
struct Circles: Hashable, Sendable {
    /// A form of the account.
    fileprivate struct Form: Hashable, Sendable {
        /// True if the device at hand sends and receives items.
        var handTakesPart: Bool
        /// True if the devices that people bring send and receive items, by ``Side``.
        var ownTakesPart: [Bool]
        /// True if the owner's other device sends and receives items.
        var otherTakesPart: Bool
        /// True if the account does not list the device at hand any more.
        var isHandRemoved: Bool
        /// The passcode that opens the record of the device at hand; nil if there is no record.
        var record: Passcode?
        /// The form after each move of each side with the device at hand unlocked or not; nil if it is refused.
        var next: [UInt16?] = []
        /// The form once the device at hand has each of ``HandPasscode``.
        var withPasscode: [UInt16] = []

        /// Everything about the form that a search sees without a move.
        var look: Form {
            var look = self
            (look.next, look.withPasscode) = ([], [])
            return look
        }
    }

    /// The people who bring a device of their own.
    enum Side: Int, CaseIterable, Sendable {
        case attacker = 0
        case owner = 1
    }

    private var forms: [Form] = []
    private var starts: [Beginning: UInt16] = [:]
    /// The form at the beginning.
    private(set) var start: UInt16 = 0

    /// The facts that tell accounts apart at the beginning.
    private struct Beginning: Hashable, Sendable {
        var handHasPasscode: Bool
        /// True if the owner's other device has a passcode; nil if there is no other device.
        var otherHasPasscode: Bool?
    }

    /// The account of an owner.
    ///
    /// - Parameter otherHasPasscode: True if the owner's other device has a passcode; nil if there is no other device.
    init(handHasPasscode: Bool, otherHasPasscode: Bool?) {
        self = Self.all
        let beginning = Beginning(handHasPasscode: handHasPasscode, otherHasPasscode: otherHasPasscode)
        guard let start = starts[beginning] else { preconditionFailure("all beginnings are worked out") }
        self.start = start
    }

    func handTakesPart(in circle: UInt16) -> Bool { forms[Int(circle)].handTakesPart }
    func otherTakesPart(in circle: UInt16) -> Bool { forms[Int(circle)].otherTakesPart }
    func ownTakesPart(_ side: Side, in circle: UInt16) -> Bool { forms[Int(circle)].ownTakesPart[side.rawValue] }
    func isHandRemoved(in circle: UInt16) -> Bool { forms[Int(circle)].isHandRemoved }
    func record(in circle: UInt16) -> Passcode? { forms[Int(circle)].record }

    /// Returns the form after a move; nil if the account refuses it.
    func next(_ circle: UInt16, after move: AccountMove, by side: Side, isUnlocked: Bool) -> UInt16? {
        forms[Int(circle)].next[Self.place(move, side, isUnlocked)]
    }

    /// Returns the form once the device at hand has this passcode.
    func next(_ circle: UInt16, withPasscode passcode: Passcode?) -> UInt16 {
        forms[Int(circle)].withPasscode[HandPasscode.place(of: passcode)]
    }

    private static func place(_ move: AccountMove, _ side: Side, _ isUnlocked: Bool) -> Int {
        (Int(move.rawValue) * Side.allCases.count + side.rawValue) * 2 + (isUnlocked ? 1 : 0)
    }

    // MARK: - Working out

    private static let all = Circles()

    private init() {
        var accounts: [OwnersAccount] = []
        var numbers: [OwnersAccount: UInt16] = [:]
        func number(_ account: OwnersAccount) -> UInt16 {
            if let number = numbers[account] { return number }
            let number = UInt16(accounts.count)
            numbers[account] = number
            accounts.append(account)
            return number
        }
        for handHasPasscode in [true, false] {
            for otherHasPasscode in [true, false, nil] {
                starts[Beginning(handHasPasscode: handHasPasscode, otherHasPasscode: otherHasPasscode)] = number(
                    OwnersAccount(handHasPasscode: handHasPasscode, otherHasPasscode: otherHasPasscode))
            }
        }
        while forms.count < accounts.count {
            let account = accounts[forms.count]
            var form = Form(account)
            for move in AccountMove.allCases {
                for side in Side.allCases {
                    for isUnlocked in [false, true] {
                        form.next.append(account.after(move, by: side, isUnlocked: isUnlocked).map { number($0) })
                    }
                }
            }
            for passcode in HandPasscode.all { form.withPasscode.append(number(account.with(passcode))) }
            forms.append(form)
        }
        merge()
    }

    /// Gives forms that no moves can tell apart one number.
    ///
    /// It begins with groups of forms that look alike. Then it divides each group by the groups that its moves lead to, until none is
    /// divided any more.
    private mutating func merge() {
        var groups = Self.numbered(forms.map { $0.look })
        while true {
            let next = Self.numbered(forms.indices.map { Ways(groups[$0], forms[$0], groups) })
            let isDone = next.max() == groups.max()
            groups = next
            if isDone { break }
        }
        var merged: [Form] = []
        for (form, group) in zip(forms, groups) where Int(group) == merged.count {
            var form = form
            form.next = form.next.map { $0.map { groups[Int($0)] } }
            form.withPasscode = form.withPasscode.map { groups[Int($0)] }
            merged.append(form)
        }
        starts = starts.mapValues { groups[Int($0)] }
        forms = merged
    }

    /// The group of a form, and the groups that its moves lead to.
    private struct Ways: Hashable {
        let group: UInt16
        let next: [UInt16?]
        let withPasscode: [UInt16]

        init(_ group: UInt16, _ form: Form, _ groups: [UInt16]) {
            self.group = group
            next = form.next.map { $0.map { groups[Int($0)] } }
            withPasscode = form.withPasscode.map { groups[Int($0)] }
        }
    }

    /// Returns a number for each value, the same for equal ones, in the order in which they first come.
    private static func numbered<Value: Hashable>(_ values: [Value]) -> [UInt16] {
        var numbers: [Value: UInt16] = [:]
        return values.map { value in
            let number = numbers[value] ?? UInt16(numbers.count)
            numbers[value] = number
            return number
        }
    }
}

/// The passcodes that the device at hand can have.
private enum HandPasscode {
    static let all: [Passcode?] = [nil, .owners, .ownersNext, .attackers]

    static func place(of passcode: Passcode?) -> Int {
        guard let place = all.firstIndex(of: passcode) else {
            preconditionFailure("no person of a search sets another passcode")
        }
        return place
    }
}

/// An account, with the passcodes of the owner's devices.
private struct OwnersAccount: Hashable {
    private(set) var account = Account()
    private var handPasscode: Passcode?
    private let otherHasPasscode: Bool?

    static let hand = id(0)
    static let other = id(1)

    static func own(_ side: Circles.Side) -> AccountDeviceID { id(UInt8(2 + side.rawValue)) }

    private static func id(_ number: UInt8) -> AccountDeviceID {
        guard let id = AccountDeviceID(rawValue: number) else {
            preconditionFailure("an account has room for four devices")
        }
        return id
    }

    /// Creates the account as its owner leaves it.
    init(handHasPasscode: Bool, otherHasPasscode: Bool?) {
        handPasscode = handHasPasscode ? .owners : nil
        self.otherHasPasscode = otherHasPasscode
        var events: [AccountEvent] = Array(repeating: .signedIn(.full), count: 4)
        events.append(.circleEstablished(Self.hand))
        var absent = [Self.own(.attacker), Self.own(.owner)]
        if otherHasPasscode != nil {
            events.append(.joinedBySponsor(Self.other, Self.hand, isSponsorUnlocked: true))
        } else {
            absent.append(Self.other)
        }
        for event in events + absent.map({ .signedOut($0) }) {
            guard account.apply(event) == nil else { preconditionFailure("an owner can set up an account") }
        }
        check()
    }

    /// Lets each device that takes part check the account, until nothing changes any more.
    private mutating func check() {
        for id in account.devices where account.standing(of: id).obstacle == nil {
            account.apply(.checked(id, passcode: passcode(of: id)))
        }
        account = account.normalized
    }

    /// Returns the number that stands for the passcode of a device.
    private func passcode(of id: AccountDeviceID) -> UInt32? {
        switch id {
        case Self.hand: handPasscode.map { UInt32($0.rawValue) }
        case Self.other: otherHasPasscode == true ? 100 : nil
        default: 100 + UInt32(id.rawValue)
        }
    }

    /// The passcode that opens the record of the device at hand; nil if there is none.
    var record: Passcode? {
        account.escrow(of: Self.hand).flatMap { Passcode(rawValue: UInt8(truncatingIfNeeded: $0.passcode)) }
    }

    /// Returns the account once the device at hand has this passcode.
    func with(_ passcode: Passcode?) -> OwnersAccount {
        var after = self
        after.handPasscode = passcode
        after.check()
        return after
    }

    /// Returns the account after a move of one side; nil if it refuses the move.
    func after(_ move: AccountMove, by side: Circles.Side, isUnlocked: Bool) -> OwnersAccount? {
        let (hand, other, own) = (Self.hand, Self.other, Self.own(side))
        let event: AccountEvent
        switch move {
        case .signIn: event = .signedInAgain(own)
        case .joinBySponsor: event = .joinedBySponsor(own, hand, isSponsorUnlocked: isUnlocked)
        case .joinByPasscode:
            // The person has the passcode of the record, or they are not offered the move.
            guard let record = account.escrow(of: hand) else { return nil }
            event = .joinedByPasscode(own, hand, record.passcode)
        case .joinByOtherPasscode:
            guard let record = account.escrow(of: other) else { return nil }
            event = .joinedByPasscode(own, other, record.passcode)
        // The other device is in its owner's hands, unlocked.
        case .joinByOther: event = .joinedBySponsor(own, other, isSponsorUnlocked: true)
        // A circle of their own gives a member nothing that they do not have.
        case .resetCircle where account.isTrusted(own): return nil
        case .resetCircle: event = .circleReset(own)
        case .resetByOther where account.isTrusted(other): return nil
        case .resetByOther: event = .circleReset(other)
        case .bringIn: event = .joinedBySponsor(hand, own, isSponsorUnlocked: true)
        case .removal: event = .removedFromList(hand)
        case .handErased: event = .erased(hand)
        case .arrive: return takesPart(own) ? self : nil
        }
        if move.needsUnlockedHand && !isUnlocked { return nil }
        var after = self
        if after.account.apply(event) != nil { return nil }
        after.check()
        return after
    }

    func takesPart(_ id: AccountDeviceID) -> Bool {
        let standing = account.standing(of: id)
        return standing.obstacle == nil && standing.obstacle(to: .applications) == nil
    }

    var listsHand: Bool { account[Self.hand]?.isOnList == true }
}

extension Circles.Form {
    fileprivate init(_ account: OwnersAccount) {
        self.init(
            handTakesPart: account.takesPart(OwnersAccount.hand),
            ownTakesPart: Circles.Side.allCases.map { account.takesPart(OwnersAccount.own($0)) },
            otherTakesPart: account.takesPart(OwnersAccount.other), isHandRemoved: !account.listsHand,
            record: account.record)
    }
}
