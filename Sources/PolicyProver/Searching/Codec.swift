internal import AccessPolicy
internal import DeviceModel

/// A situation in normal form, packed into seven words of memory.
package struct SituationKey: Hashable, Sendable {
    var device: UInt64 = 0
    var items: UInt64 = 0
    var ages: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    var story: UInt64 = 0

    /// Returns true if both keys are of the same situation.
    package static func == (left: Self, right: Self) -> Bool {
        left.device == right.device && left.items == right.items && left.ages == right.ages
            && left.story == right.story
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(mixed)
    }

    /// A hash whose low bits are well mixed, because they select the place in a table.
    var mixed: UInt64 {
        var sum = device
        func mix(_ word: UInt64) {
            sum = (sum ^ word) &* 0x9e37_79b9_7f4a_7c15
            sum ^= sum &>> 29
        }
        mix(items)
        mix(ages.0)
        mix(ages.1)
        mix(ages.2)
        mix(ages.3)
        mix(story)
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
        let device = situation.world.device.normalized
        var bits = Packer()
        bits.add(device.isLocked)
        bits.add(device.hasFirstUnlock)
        bits.add(device.isOpen)
        bits.add(UInt64(device.failedMatches), 3)
        bits.add(UInt64(device.passcode.map { $0.rawValue + 1 } ?? 0), 7)
        bits.add(UInt64(device.passcodeReasons.bits), 8)
        bits.add(device.companion.isPaired)
        bits.add(device.companion.isNear)
        bits.add(device.companion.isUnlocked)
        bits.add(situation.world.backup != nil)
        bits.add(situation.world.backup?.isEncrypted == true)
        bits.add(situation.world.backup?.isOfThisDevice == true)
        for id in device.apps.installed { bits.add(UInt64(device.apps.permission(of: id).rawValue), 2) }
        for fingers in alike { bits.add(UInt64(fingers.intersection(device.enrolled).count), 3) }
        // Known passcodes are kept one by one. Of the other guesses only the number matters.
        bits.add(device.wrongPasscodes.bits & 0xff, 8)
        bits.add(UInt64((device.wrongPasscodes.bits &>> 8).nonzeroBitCount), 6)

        var key = SituationKey()
        key.device = bits.word
        var items = Packer()
        for id in places { items.add(Self.code(situation.world.mark(of: id)), 8) }
        key.items = items.word
        key.ages = Self.ages(of: device, situation.timeLeft)
        key.story = Self.story(situation)
        return key
    }

    /// Returns the situation in normal form that has this key.
    package func situation(_ key: SituationKey) -> Situation {
        var situation = template
        var bits = Unpacker(key.device)
        func flag() -> Bool { bits.read(1) == 1 }
        var device = template.world.device
        device.isLocked = flag()
        device.hasFirstUnlock = flag()
        device.isOpen = flag()
        device.failedMatches = UInt8(bits.read(3))
        let code = UInt8(bits.read(7))
        device.passcode = code == 0 ? nil : Passcode(rawValue: code - 1)
        device.passcodeReasons.bits = UInt8(bits.read(8))
        device.companion.isPaired = flag()
        device.companion.isNear = flag()
        device.companion.isUnlocked = flag()
        let hasBackup = flag()
        let isEncrypted = flag()
        let isOfThisDevice = flag()
        situation.world.backup =
            hasBackup ? World.Backup(isEncrypted: isEncrypted, isOfThisDevice: isOfThisDevice) : nil
        for id in device.apps.installed {
            device.apps.setPermission(of: id, to: App.Permission(rawValue: UInt8(bits.read(2))) ?? .denied)
        }
        device.enrolled = []
        for fingers in alike {
            var left = Int(bits.read(3))
            for finger in fingers where left > 0 {
                device.enrolled.insert(finger)
                left -= 1
            }
        }
        let known = bits.read(8)
        device.wrongPasscodes.bits = known | (((1 &<< bits.read(6)) - 1) &<< 8)
        Self.read(key.ages, into: &device, &situation.timeLeft)
        Self.read(key.story, into: &situation)
        situation.world.device = device
        var items = Unpacker(key.items)
        for id in places {
            let code = UInt8(items.read(8))
            situation.world.slots.change(id) { Self.read(code, into: &$0) }
        }
        return situation
    }
}

// MARK: - Items

extension Codec {
    /// Packs one item into eight bits: whether it is there, its bindings, its password, and whether the backup has a
    /// copy.
    private static func code(_ mark: World.Mark) -> UInt64 {
        var bits = Packer()
        bits.add(mark.isPresent)
        bits.add(mark.isBound)
        bits.add(mark.setHolds)
        bits.add(mark.classKeyHolds)
        bits.add(UInt64(mark.applicationPassword), 2)
        bits.add(mark.hasCopy)
        return bits.word
    }

    /// Unpacks one item. Everything that the code leaves out is in the slot already.
    private static func read(_ code: UInt8, into slot: inout Slot) {
        var bits = Unpacker(UInt64(code))
        slot.isPresent = bits.read(1) == 1
        let isBound = bits.read(1) == 1
        let holds = bits.read(1) == 1
        let classHolds = bits.read(1) == 1
        slot.item.binding =
            isBound ? Binding(domainState: holds ? .normal : .former, passcodeClassKey: classHolds ? 1 : .max) : nil
        slot.applicationPassword = UInt8(bits.read(2))
        slot.copy = nil
        if bits.read(1) == 1 {
            var copy = slot.item
            copy.binding = nil
            slot.copy = copy
        }
    }
}

// MARK: - The past

extension Codec {
    private static func story(_ situation: Situation) -> UInt64 {
        var bits = Packer()
        bits.add(situation.isCompanionNew)
        bits.add(situation.hasSeenEnrollmentChange)
        bits.add(situation.isElsewhere)
        bits.add(situation.isBackupAttackers)
        let kept = situation.kept.flatMap { $0.normalized(on: situation.world.device) }
        bits.add(kept != nil)
        bits.add(kept?.domainState.sensor == 1)
        bits.add(kept?.domainState.epoch == 1)
        bits.add(UInt64(-(kept?.at.milliseconds ?? 0)), 20)
        for place in situation.world.files.indices {
            let file = situation.world.files[place]
            bits.add(file.isPresent)
            bits.add(file.isOpen)
            bits.add(file.hasCopy)
        }
        return bits.word
    }

    private static func read(_ story: UInt64, into situation: inout Situation) {
        var bits = Unpacker(story)
        situation.isCompanionNew = bits.read(1) == 1
        situation.hasSeenEnrollmentChange = bits.read(1) == 1
        situation.isElsewhere = bits.read(1) == 1
        situation.isBackupAttackers = bits.read(1) == 1
        let isKept = bits.read(1) == 1
        let state = DomainState(sensor: UInt32(bits.read(1)), epoch: UInt32(bits.read(1)))
        let at = Instant(milliseconds: -Int64(bits.read(20)))
        situation.kept = isKept ? KeptContext(session: 1, at: at, domainState: state) : nil
        for place in situation.world.files.indices {
            situation.world.files[place].isPresent = bits.read(1) == 1
            situation.world.files[place].isOpen = bits.read(1) == 1
            situation.world.files[place].hasCopy = bits.read(1) == 1
        }
    }
}

// MARK: - Ages

extension Codec {
    // The clock of the normal form shows zero now, so past times are negative and delays end at positive ones. Forty
    // bits of milliseconds are thirty-four years.

    private static func ages(of device: Device, _ timeLeft: TimeSpan?) -> (UInt64, UInt64, UInt64, UInt64) {
        var first = Packer()
        first.add(UInt64(-device.lastUnlocked.milliseconds), 40)
        first.add(device.biometricUnlock != nil)
        first.add(UInt64(-(device.biometricUnlock?.at.milliseconds ?? 0)), 20)
        first.add(device.biometricUnlock?.domainState.sensor == 1)
        first.add(device.biometricUnlock?.domainState.epoch == 1)
        var second = Packer()
        second.add(UInt64(-device.lastPasscode.milliseconds), 32)
        second.add(UInt64(-device.lastBiometricUnlock.milliseconds), 32)
        var third = Packer()
        third.add(UInt64(device.delayedUntil.milliseconds), 26)
        third.add(timeLeft != nil)
        third.add(UInt64(timeLeft?.milliseconds ?? 0), 37)
        var fourth = Packer()
        fourth.add(device.securityDelayEnds != nil)
        fourth.add(UInt64(device.securityDelayEnds?.milliseconds ?? 0), 23)
        return (first.word, second.word, third.word, fourth.word)
    }

    private static func read(
        _ ages: (UInt64, UInt64, UInt64, UInt64), into device: inout Device, _ timeLeft: inout TimeSpan?
    ) {
        var first = Unpacker(ages.0)
        device.lastUnlocked = Instant(milliseconds: -Int64(first.read(40)))
        let hasUnlock = first.read(1) == 1
        let at = Instant(milliseconds: -Int64(first.read(20)))
        let state = DomainState(sensor: UInt32(first.read(1)), epoch: UInt32(first.read(1)))
        device.biometricUnlock = hasUnlock ? BiometricUnlock(at: at, domainState: state) : nil
        var second = Unpacker(ages.1)
        device.lastPasscode = Instant(milliseconds: -Int64(second.read(32)))
        device.lastBiometricUnlock = Instant(milliseconds: -Int64(second.read(32)))
        var third = Unpacker(ages.2)
        device.delayedUntil = Instant(milliseconds: Int64(third.read(26)))
        let isLimited = third.read(1) == 1
        let left = TimeSpan(milliseconds: Int64(third.read(37)))
        timeLeft = isLimited ? left : nil
        var fourth = Unpacker(ages.3)
        let hasDelay = fourth.read(1) == 1
        let ends = Instant(milliseconds: Int64(fourth.read(23)))
        device.securityDelayEnds = hasDelay ? ends : nil
    }
}

/// A word that small numbers are written into, one after another.
private struct Packer {
    var word: UInt64 = 0
    private var used: UInt64 = 0

    @inline(__always) mutating func add(_ flag: Bool) { add(flag ? 1 : 0, 1) }

    @inline(__always) mutating func add(_ number: UInt64, _ width: UInt64) {
        // Every width is from 1 to 63, so masking shifts are right. They are one instruction each, also in WebAssembly.
        precondition(number &>> width == 0, "a number has more bits than there is room for")
        precondition(used + width <= 64, "a situation has more to tell than there is room for")
        word |= number &<< used
        used += width
    }
}

/// A word that small numbers are read from, in the order in which they were written.
private struct Unpacker {
    private var rest: UInt64

    init(_ word: UInt64) { rest = word }

    mutating func read(_ width: UInt64) -> UInt64 {
        let number = rest & (1 &<< width - 1)
        rest &>>= width
        return number
    }
}
