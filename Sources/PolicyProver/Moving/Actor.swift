internal import AccessPolicy
package import DeviceModel

/// Somebody of a profile in front of a device of the model: their fingers and codes in its numbers.
struct Actor: Hashable, Sendable {
    /// What they can do.
    let profile: Profile
    /// The assumptions.
    let assumptions: Assumptions
    /// Of which factors the app keeps proofs, item by item, in the contexts that it keeps.
    private(set) var kept: [SlotID: FactorSet] = [:]
    /// Their fingers that the device knew when it came to them.
    let known: Fingers
    /// A finger of their own that it did not know.
    let spare: Fingers
    /// The passcodes that they know, be they right or not any more.
    let codes: Passcodes
    /// The passcode that they would set.
    let ownCode: Passcode
    /// The app that they ask through.
    let app: AppID
    /// All fingers, in sets within which nobody of the company tells one from another.
    private(set) var alike: [Fingers] = []

    private init(_ profile: Profile, at scene: Scene, assuming assumptions: Assumptions) {
        self.profile = profile
        self.assumptions = assumptions
        known = profile.carries.contains(.ownersFinger) ? scene.enrolled : []
        spare = profile.carries.contains(.ownFinger) ? [profile.isOwner ? .ownersSpare : .attackers] : []
        let own: Passcode = profile.isOwner ? .ownersNext : .attackers
        ownCode = own
        codes = profile.knows.contains(.passcode) ? [.owners, own] : [own]
        app = profile.asksFromOtherGroup ? .other : .first
    }

    var fingers: Fingers { known.union(spare) }

    /// Those of `profiles` at one device, which comes to the first of them.
    static func company(_ profiles: [Profile], at scene: Scene, assuming assumptions: Assumptions) -> [Actor] {
        var actors = profiles.map { Actor($0, at: scene, assuming: assumptions) }
        var kept: [SlotID: FactorSet] = [:]
        for (slot, ways) in zip(scene.items, scene.authentications(for: profiles[0], assuming: assumptions)) {
            kept[slot] = ways.reduce(FactorSet()) { $0.union($1) }
        }
        for index in actors.indices where actors[index].app == .first { actors[index].kept = kept }
        var alike: [Fingers] = []
        for finger in actors.reduce(scene.enrolled, { $0.union($1.fingers) }) {
            let owners = actors.map { $0.fingers.contains(finger) }
            let place = alike.firstIndex { set in
                set.contains { other in actors.map { $0.fingers.contains(other) } == owners }
            }
            if let place { alike[place].insert(finger) } else { alike.append([finger]) }
        }
        for index in actors.indices { actors[index].alike = alike }
        return actors
    }

    /// Returns true if they wear the companion that is paired in `situation`.
    func wearsCompanion(in situation: Situation) -> Bool {
        situation.isCompanionNew
            ? profile.carries.contains(.ownCompanion) : profile.carries.contains(.ownersCompanion)
    }

    /// True if they have a companion that they could pair.
    var hasCompanion: Bool { !profile.carries.intersection([.ownCompanion, .ownersCompanion]).isEmpty }

    /// True if what they pair is another companion than the owner's. An owner pairs theirs, everybody else their own.
    var pairsOwn: Bool {
        profile.carries.contains(.ownCompanion) && !(profile.isOwner && profile.carries.contains(.ownersCompanion))
    }

    /// Returns true if they have a device to ask: who has only a backup has none before it is on one of their own.
    func canAsk(in situation: Situation) -> Bool {
        profile.holds != .backup || !situation.world.holdsBackupOfThisDevice
    }

    /// The application password that they know; zero for none.
    var applicationPassword: UInt8 { profile.knows.contains(.applicationPassword) ? Scene.applicationPassword : 0 }

    /// The person, who answers as well as they can: with a finger that the device knows, or else none, and with the passcode that
    /// is right, if they know it. What is wrong they show and type on the lock screen, where they can.
    func person(in situation: Situation) -> Person {
        let device = situation.world.device
        return Person(
            fingers: fingers.intersection(device.enrolled),
            passcode: device.passcode.flatMap { codes.contains($0) ? $0 : nil },
            applicationPassword: applicationPassword,
            wearsCompanion: wearsCompanion(in: situation),
            knowsBackupPassword: profile.knows.contains(.backupPassword) || profile.can.contains(.backUp))
    }
}

// The numbers of the prover. Fingers below five are enrolled at the beginning, and the owner's.

extension Finger {
    /// A finger of the owner's that is not enrolled at the beginning.
    package static let ownersSpare = numbered(6)
    /// A finger of somebody who is not the owner.
    package static let attackers = numbered(8)

    static func numbered(_ number: UInt8) -> Self {
        guard let finger = Self(rawValue: number) else { preconditionFailure("a sensor tells more than that apart") }
        return finger
    }
}

extension Passcode {
    /// What the owner has set.
    package static let owners = numbered(1)
    /// What the owner would set anew.
    package static let ownersNext = numbered(2)
    /// What somebody else would set.
    package static let attackers = numbered(3)

    /// Codes from here on are guesses.
    package static let firstGuess: UInt8 = 8

    static func numbered(_ number: UInt8) -> Self {
        guard let code = Self(rawValue: number) else { preconditionFailure("a device tells sixty codes apart") }
        return code
    }
}

extension AppID {
    static let other: AppID = {
        guard let id = AppID(rawValue: 1) else { preconditionFailure("a device has room for two apps") }
        return id
    }()
}
