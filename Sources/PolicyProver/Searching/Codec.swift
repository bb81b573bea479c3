internal import AccessPolicy
internal import DeviceModel

/// A situation in normal form, packed into seven words of memory.
package struct SituationKey: Hashable, Sendable {
    fileprivate var words = InlineArray<7, UInt64>(repeating: 0)

    /// Returns true if both keys are of the same situation.
    package static func == (left: Self, right: Self) -> Bool {
        var difference: UInt64 = 0
        for place in left.words.indices { difference |= left.words[place] ^ right.words[place] }
        return difference == 0
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(mixed) }

    /// A hash whose low bits are well mixed, because they select the place in a table.
    var mixed: UInt64 {
        var sum = words[0]
        for place in 1..<words.count {
            sum = (sum ^ words[place]) &* 0x9e37_79b9_7f4a_7c15
            sum ^= sum &>> 29
        }
        return sum
    }
}

/// A codec that packs the situations of one search into keys and unpacks them again.
///
/// It keeps a template with everything that no move changes, so a key needs to hold only the rest.
package struct Codec: Sendable {
    private let template: Situation
    private let places: [SlotID]
    private let alike: [Fingers]

    /// Creates a codec for situations that moves lead to from `beginning`. The fingers in each set of `alike` are
    /// interchangeable.
    init(_ beginning: Situation, alike: [Fingers]) {
        template = beginning.normal
        places = Array(beginning.world.places)
        self.alike = alike
    }

    /// Returns the key of `situation`, which is also the key of every situation with the same future.
    package func key(_ situation: Situation) -> SituationKey {
        // The normal form of each part depends on the device as it is, not on its normal form.
        var form = situation
        form.kept = situation.kept.flatMap { $0.normalized(on: situation.world.device) }
        form.world.device = situation.world.device.normalized
        var writer = KeyWriter()
        code(&form, by: &writer) { situation.world.mark(of: $0) }
        return writer.key
    }

    /// Returns the situation in normal form that has this key.
    package func situation(_ key: SituationKey) -> Situation {
        var situation = template
        var reader = KeyReader(key)
        code(&situation, by: &reader) { _ in World.Mark() }
        return situation
    }

    /// Codes all that a key holds of a situation in normal form. Instead of the items, it codes their marks.
    @inline(__always)
    private func code<Coder: KeyCoder>(_ form: inout Situation, by coder: inout Coder, marks: (SlotID) -> World.Mark) {
        coder.device(&form.world.device, &form.world.backup, alike: alike)
        coder.nextWord()
        for id in places {
            var mark = marks(id)
            coder.mark(&mark)
            guard Coder.reads else { continue }
            form.world.slots.change(id) { slot in
                slot.isPresent = mark.isPresent
                slot.item.binding = mark.binding
                slot.applicationPassword = mark.applicationPassword
                slot.copy = mark.hasCopy ? slot.item : nil
                slot.copy?.binding = nil
            }
        }
        coder.nextWord()
        coder.ages(&form.world.device, &form.timeLeft)
        coder.account(&form.account)
        coder.nextWord()
        coder.past(&form)
    }
}

// MARK: - The fields

// Each list both writes and reads. A coder has to be inlined, because the search is slower without.
extension KeyCoder {
    @inline(__always)
    fileprivate mutating func device(_ device: inout Device, _ backup: inout World.Backup?, alike: [Fingers]) {
        flag(&device.isLocked)
        flag(&device.hasFirstUnlock)
        flag(&device.isOpen)
        number(&device.failedMatches, 3)
        var passcode = device.passcode.map { $0.rawValue + 1 } ?? 0
        number(&passcode, 7)
        device.passcode = Passcode(rawValue: passcode &- 1)
        number(&device.passcodeReasons.bits, 8)
        flag(&device.companion.isPaired)
        flag(&device.companion.isNear)
        flag(&device.companion.isUnlocked)
        optional(&backup, or: World.Backup(isEncrypted: false, isOfThisDevice: false)) { coder, backup in
            coder.flag(&backup.isEncrypted)
            coder.flag(&backup.isOfThisDevice)
        }
        for id in device.apps.installed {
            var permission = device.apps.permission(of: id).rawValue
            number(&permission, 2)
            device.apps.setPermission(of: id, to: App.Permission(rawValue: permission) ?? .denied)
        }
        for fingers in alike {
            var count = fingers.intersection(device.enrolled).count
            number(&count, 3)
            device.enrolled = device.enrolled.subtracting(fingers)
            for finger in fingers.prefix(count) { device.enrolled.insert(finger) }
        }
        // Known passcodes are kept one by one. Of the other guesses only the number matters.
        var known = device.wrongPasscodes.bits & 0xff
        number(&known, 8)
        var others = (device.wrongPasscodes.bits &>> 8).nonzeroBitCount
        number(&others, 6)
        device.wrongPasscodes.bits = known | (1 &<< UInt64(others) - 1) &<< 8
    }

    @inline(__always) fileprivate mutating func mark(_ mark: inout World.Mark) {
        flag(&mark.isPresent)
        flag(&mark.isBound)
        flag(&mark.setHolds)
        flag(&mark.classKeyHolds)
        number(&mark.applicationPassword, 2)
        flag(&mark.hasCopy)
        var spare = false  // each mark has a byte
        flag(&spare)
    }

    // The clock of the normal form shows zero now, so past times are negative and delays end at positive ones. Forty
    // bits of milliseconds are thirty-four years.
    @inline(__always) fileprivate mutating func ages(_ device: inout Device, _ timeLeft: inout TimeSpan?) {
        age(&device.lastUnlocked, 40)
        optional(&device.biometricUnlock, or: BiometricUnlock(at: .start, domainState: .former)) { coder, unlock in
            coder.age(&unlock.at, 20)
            coder.enrolledSet(&unlock.domainState)
        }
        nextWord()
        age(&device.lastPasscode, 32)
        age(&device.lastBiometricUnlock, 32)
        nextWord()
        number(&device.delayedUntil.milliseconds, 26)
        optional(&timeLeft, or: .zero) { $0.number(&$1.milliseconds, 37) }
        nextWord()
        optional(&device.securityDelayEnds, or: .start) { $0.number(&$1.milliseconds, 23) }
    }

    @inline(__always) fileprivate mutating func account(_ account: inout AccountPart) {
        number(&account.circle, 16)
        number(&account.kept.bits, 8)
        number(&account.onOther.bits, 8)
        flag(&account.isOnOwn)
    }

    @inline(__always) fileprivate mutating func past(_ situation: inout Situation) {
        flag(&situation.isCompanionNew)
        flag(&situation.hasSeenEnrollmentChange)
        flag(&situation.isElsewhere)
        flag(&situation.isBackupAttackers)
        optional(&situation.kept, or: KeptContext(session: 1, at: .start, domainState: .former)) { coder, kept in
            coder.enrolledSet(&kept.domainState)
            coder.age(&kept.at, 20)
        }
        for place in situation.world.files.indices {
            flag(&situation.world.files[place].isPresent)
            flag(&situation.world.files[place].isOpen)
            flag(&situation.world.files[place].hasCopy)
        }
    }
}

// MARK: - The bits

/// A coder that walks along the bits of a key. It writes the values that it meets, or replaces them by those it reads.
private protocol KeyCoder {
    /// True if the coder replaces values.
    static var reads: Bool { get }
    /// Codes a number that has at most `width` bits, from 1 to 63.
    mutating func number(_ value: inout some FixedWidthInteger, _ width: UInt64)
    /// Goes to the beginning of the next word.
    mutating func nextWord()
}

extension KeyCoder {
    @inline(__always) mutating func flag(_ flag: inout Bool) {
        var number: UInt8 = flag ? 1 : 0
        self.number(&number, 1)
        flag = number == 1
    }

    @inline(__always) mutating func age(_ moment: inout Instant, _ width: UInt64) {
        var age = -moment.milliseconds
        number(&age, width)
        moment.milliseconds = -age
    }

    @inline(__always) mutating func enrolledSet(_ state: inout DomainState) {
        number(&state.sensor, 1)
        number(&state.epoch, 1)
    }

    /// Codes whether there is a value, and then the value. If there is none, `none` takes its room.
    @inline(__always)
    mutating func optional<Value>(_ value: inout Value?, or none: Value, _ code: (inout Self, inout Value) -> Void) {
        var isThere = value != nil
        flag(&isThere)
        var some = value ?? none
        code(&self, &some)
        value = isThere ? some : nil
    }
}

private struct KeyWriter: KeyCoder {
    static var reads: Bool { false }
    private(set) var key = SituationKey()
    private var place = 0
    private var used: UInt64 = 0

    @inline(__always) mutating func number(_ value: inout some FixedWidthInteger, _ width: UInt64) {
        // Masking shifts are one instruction each, also in WebAssembly. A negative number has too many bits.
        let number = UInt64(truncatingIfNeeded: value)
        precondition(number &>> width == 0, "a number has more bits than there is room for")
        precondition(used + width <= 64, "a situation has more to tell than there is room for")
        key.words[place] |= number &<< used
        used += width
    }

    @inline(__always) mutating func nextWord() {
        place += 1
        used = 0
    }
}

private struct KeyReader: KeyCoder {
    static var reads: Bool { true }
    private let key: SituationKey
    private var place = 0
    private var rest: UInt64

    init(_ key: SituationKey) {
        self.key = key
        rest = key.words[0]
    }

    @inline(__always) mutating func number(_ value: inout some FixedWidthInteger, _ width: UInt64) {
        value = .init(truncatingIfNeeded: rest & (1 &<< width - 1))
        rest &>>= width
    }

    @inline(__always) mutating func nextWord() {
        place += 1
        rest = key.words[place]
    }
}
