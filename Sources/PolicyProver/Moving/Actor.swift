internal import AccessPolicy
package import DeviceModel

/// A person of a profile in front of a device of the model, with their fingers and codes as the model numbers them.
///
/// It is a class because every move of a search passes its person on: a reference is quicker to pass than a copy.
final class Actor: Sendable {
    let profile: Profile
    let assumptions: Assumptions
    /// The factors that count in the contexts that each app keeps, item by item.
    let kept: [AppID: [SlotID: FactorSet]]
    /// Their fingers that are enrolled at the beginning.
    let known: Fingers
    /// A finger of their own that is not enrolled at the beginning.
    let spare: Fingers
    /// The passcodes that they know, whether or not the device still has them.
    let codes: Passcodes
    /// The passcode that they set.
    let ownCode: Passcode
    /// The apps that they ask through: every app of the items' access group, or one of another group.
    let apps: [AppID]
    /// Every app of the items' access group, which they can install on a device of their own.
    private let groupApps: [AppID]
    /// All fingers, in sets of fingers that belong to the same people, so that exchanging two of a set changes nothing.
    let alike: [Fingers]
    /// The forms of the owner's account; nil if there is none.
    let circles: Circles?

    private init(
        _ profile: Profile, _ fingers: (known: Fingers, spare: Fingers), assuming assumptions: Assumptions,
        apps: [AppID], kept: [AppID: [SlotID: FactorSet]], alike: [Fingers], circles: Circles?
    ) {
        self.circles = circles
        self.profile = profile
        self.assumptions = assumptions
        (known, spare) = fingers
        let own: Passcode = profile.isOwner ? .ownersNext : .attackers
        ownCode = own
        codes = profile.knows.contains(.passcode) ? [.owners, own] : [own]
        groupApps = apps
        self.apps = profile.asksFromOtherGroup ? [.other] : apps
        self.kept = profile.asksFromOtherGroup ? [:] : kept
        self.alike = alike
    }

    var fingers: Fingers { known.union(spare) }

    /// Returns the people of `profiles` in front of one device, which comes to the first of them.
    static func company(_ profiles: [Profile], at scene: Scene, assuming assumptions: Assumptions) -> [Actor] {
        let hands = profiles.map { profile -> (known: Fingers, spare: Fingers) in
            (
                known: profile.carries.contains(.ownersFinger) ? scene.enrolled : [],
                spare: profile.carries.contains(.ownFinger) ? [profile.isOwner ? .ownersSpare : .attackers] : []
            )
        }
        var kept: [AppID: [SlotID: FactorSet]] = [:]
        for app in scene.apps {
            let ways = scene.authentications(for: profiles[0], assuming: assumptions, through: app)
            for (slot, ways) in zip(scene.items, ways) {
                kept[app, default: [:]][slot] = ways.reduce(FactorSet()) { $0.union($1) }
            }
        }
        let fingers = hands.map { $0.known.union($0.spare) }
        var alike: [Fingers] = []
        for finger in fingers.reduce(scene.enrolled, { $0.union($1) }) {
            let owners = fingers.map { $0.contains(finger) }
            let place = alike.firstIndex { set in
                set.contains { other in fingers.map { $0.contains(other) } == owners }
            }
            if let place { alike[place].insert(finger) } else { alike.append([finger]) }
        }
        return profiles.indices.map {
            Actor(
                profiles[$0], hands[$0], assuming: assumptions, apps: scene.apps, kept: kept, alike: alike,
                circles: scene.circles)
        }
    }

    /// Returns true if they wear the companion that is paired in `situation`.
    func wearsCompanion(in situation: Situation) -> Bool {
        situation.isCompanionNew
            ? profile.carries.contains(.ownCompanion) : profile.carries.contains(.ownersCompanion)
    }

    /// True if they have a companion that they can pair.
    var hasCompanion: Bool { !profile.carries.intersection([.ownCompanion, .ownersCompanion]).isEmpty }

    /// True if they would pair a companion other than the owner's. An owner pairs the owner's own one if they carry it.
    var pairsOwn: Bool {
        profile.carries.contains(.ownCompanion) && !(profile.isOwner && profile.carries.contains(.ownersCompanion))
    }

    /// Returns true if they have a device to ask with. A person with only a backup has none until they restore it, and one
    /// with nothing of the owner's has none until the account's items arrive on a device of their own.
    func canAsk(in situation: Situation) -> Bool {
        switch profile.holds {
        case .unlocked, .locked, .poweredOff, .erased: true
        case .backup: !situation.world.holdsBackupOfThisDevice
        case .nothing: situation.isElsewhere
        }
    }

    /// Returns the apps that they ask through.
    func apps(in situation: Situation) -> [AppID] { situation.account.isOnOwn ? groupApps : apps }

    /// The application password that they know, or zero if they know none.
    var applicationPassword: UInt8 { profile.knows.contains(.applicationPassword) ? Scene.applicationPassword : 0 }

    /// Returns the person as the model's prompts meet them, who answers as well as they can.
    ///
    /// They show only enrolled fingers and type only the right passcode. Wrong ones are moves at the lock screen.
    func person(in situation: Situation) -> Person {
        let device = situation.world.device
        return Person(
            fingers: fingers.intersection(device.enrolled),
            passcode: device.passcode.flatMap { codes.contains($0) ? $0 : nil },
            applicationPassword: applicationPassword,
            wearsCompanion: wearsCompanion(in: situation),
            knowsBackupPassword: profile.knows.contains(.backupPassword))
    }
}

// The model numbers fingers and passcodes. Fingers below five are the owner's, and enrolled at the beginning.

extension Finger {
    /// A finger of the owner that is not enrolled at the beginning.
    package static let ownersSpare = numbered(6)
    /// A finger of an attacker.
    package static let attackers = numbered(8)

    static func numbered(_ number: UInt8) -> Self {
        guard let finger = Self(rawValue: number) else { preconditionFailure("a sensor tells more than that apart") }
        return finger
    }
}

extension Passcode {
    /// The passcode at the beginning, which the owner set.
    package static let owners = numbered(1)
    /// A new passcode that the owner sets.
    package static let ownersNext = numbered(2)
    /// A passcode that an attacker sets.
    package static let attackers = numbered(3)

    /// The lowest number of a passcode that is a guess.
    package static let firstGuess: UInt8 = 8

    static func numbered(_ number: UInt8) -> Self {
        guard let code = Self(rawValue: number) else { preconditionFailure("a device tells sixty codes apart") }
        return code
    }
}

extension AppID {
    /// The app of another access group.
    static let other = numbered(1)

    static func numbered(_ number: UInt8) -> Self {
        guard let id = Self(rawValue: number) else { preconditionFailure("a device has room for that many apps") }
        return id
    }
}
