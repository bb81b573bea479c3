import AccessPolicy
import DeviceModel
import KeyKit
import Latchkey
import PolicyProver
import SecretVault
import SodiumKit
import TestSupport
import UserPresence

/// A real keychain that is set up like a scene of the prover and falls into strange hands.
///
/// Numbers have the names that ``KeychainTwins`` gives them. People act on the device as the model's people do
/// (`World.act`): a change of settings that needs the passcode takes it, typed into the vault.
struct Siege {
    let scene: Scene
    private(set) var keychain: Keychain
    let user = Recorder()
    /// The owner's items, in the order of the scene.
    private(set) var items: [Stored] = []
    /// The right passcode.
    private(set) var code: Passcode?
    /// True if another companion than the owner's is paired.
    private var isCompanionNew = false
    private(set) var timeLeft: TimeSpan?
    private var backup: Backup?
    private var counter = 0
    /// The contexts that the app keeps. In each, the owner has authenticated for the item in this place.
    private(set) var kept: [(place: Int, context: KeychainContext)] = []

    /// An item of the owner.
    struct Stored {
        let item: Item
        let name: String
        /// The owner's secret in it.
        let secret: String
        /// The secret that an attacker has replaced it with.
        var overwritten: String?
    }

    /// A backup in a file.
    private struct Backup {
        let folder: TemporaryFolder
        let isEncrypted: Bool
        var isOfThisDevice = true
        var path: String { folder.path("backup") }
    }

    /// A person with their belongings.
    struct Somebody {
        let profile: Profile
        /// All their fingers, enrolled or not.
        let fingers: Fingers
        /// The passcodes that they know.
        var codes: Passcodes

        init(_ profile: Profile, at scene: Scene) {
            self.profile = profile
            var fingers: Fingers = profile.carries.contains(.ownersFinger) ? scene.world.device.enrolled : []
            if profile.carries.contains(.ownFinger) {
                // In a scene, the numbers of the owner's fingers are below those of all others.
                for number in UInt8(Scene.mostFingers)..<30 { fingers.insert(KeychainTwins.finger(number)) }
            }
            self.fingers = fingers
            codes = []
            if profile.knows.contains(.passcode), let code = scene.world.device.passcode { codes.insert(code) }
        }

        var requester: Requester { Siege.requesters[profile.asksFromOtherGroup ? 1 : 0] }
    }

    static let requesters = [
        Requester("first app", groups: ["group 0"], app: .first),
        Requester("other app", groups: ["group 1"], app: KeychainTwins.apps[1]),
    ]

    /// Creates the device of `scene` as its owner leaves it, with the items in these places, after the events that
    /// happen before a person of `profile` gets it. The owner authenticates for an item with each set of factors in
    /// `contexts`.
    init(
        _ scene: Scene, items places: [Int]? = nil, for profile: Profile, assuming assumptions: Assumptions,
        authenticating contexts: [(place: Int, factors: FactorSet)] = []
    ) throws {
        self.scene = scene
        let device = scene.world.device
        keychain = try Keychain.simulated(
            device.settings, passcode: nil, enrolled: [], user: user, requester: Self.requesters[0])
        if let code = device.passcode { _ = try happen(.passcodeSet(code)) }
        for finger in device.enrolled { _ = try happen(.enrolled(finger)) }
        if device.companion.isPaired { _ = try keychain.place(companion: .ready) }
        try furnish(keychain, like: device)
        user.hand(to: SimulatedPerson(applicationPassword: "password 1"))
        for place in scene.items.indices {
            guard let item = scene.world[scene.items[place]]?.item else { continue }
            let stored = Stored(item: item, name: "item \(place)", secret: "the owner's secret \(place)")
            items.append(stored)
            if places?.contains(place) ?? true { try put(place, stored.secret, Self.requesters[0], nil) }
        }
        let prelude = scene.prelude(for: profile, assuming: assumptions)
        for event in prelude.events.prefix(prelude.authenticatesAfter) { _ = try happen(event) }
        for (place, factors) in contexts { try keepContext(for: place, authenticatedWith: factors) }
        for event in prelude.events.dropFirst(prelude.authenticatesAfter) { _ = try happen(event) }
        timeLeft = profile.time
    }

    /// Has the owner use an item in a context that the app keeps.
    private mutating func keepContext(for place: Int, authenticatedWith factors: FactorSet) throws {
        let context = try keychain.makeContext()
        let enrolled = scene.world.device.enrolled.map(KeychainTwins.name)
        user.hand(
            to: SimulatedPerson(
                fingers: factors.contains(.biometry) ? enrolled : [],
                passcode: factors.contains(.passcode) ? code.map { "code \($0.rawValue)" } : nil,
                applicationPassword: factors.contains(.applicationPassword) ? "password 1" : nil,
                wearsCompanion: factors.contains(.companion)))
        let action: Action = items[place].item.isKey ? .sign : .readData
        let gain = try gain(action, place, Self.requesters[0], context, .allowed)
        if gain == nil { throw Unprepared(place: place, factors: factors) }
        kept.append((place, context))
    }

    /// The error for an item that the owner should be able to read, by the prover, and cannot.
    struct Unprepared: Error {
        let place: Int
        let factors: FactorSet
    }

    private func furnish(_ keychain: Keychain, like device: Device) throws {
        for id in KeychainTwins.apps {
            if let app = device.app(id) { try keychain.simulate(.appInstalled(id, app)) }
        }
    }

    // MARK: - Events

    /// Makes the event happen as far as `somebody` can cause it, and returns true if it happened.
    mutating func act(_ event: Event, by somebody: inout Somebody) throws -> Bool {
        let canDo: Bool
        switch event.means(on: try keychain.device) {
        case .nothing, .passcode: canDo = true
        case .unlockedDevice: canDo = try !keychain.device.isLocked
        case .settings: canDo = try proveForSettings(event, somebody)
        case .protectedSettings(let afterDelay):
            canDo =
                try (!afterDelay || keychain.device.isSecurityDelayOver) && proveForSettings(event, somebody)
                && showsKnownFinger(somebody)
        case .finger(let finger): canDo = somebody.fingers.contains(finger)
        case .companion: canDo = wearsCompanion(somebody)
        case .backup: canDo = opensBackup(somebody)
        case .backupAndSettings: canDo = try opensBackup(somebody) && proveForSettings(event, somebody)
        case .recoveryKey, .sensorItself: canDo = false
        }
        guard canDo, try happen(event) else { return false }
        switch event {
        case .passcodeSet(let code), .passcodeChanged(let code): somebody.codes.insert(code)
        case .companionPaired: isCompanionNew = true
        default: break
        }
        return true
    }

    private func proveForSettings(_ event: Event, _ somebody: Somebody) throws -> Bool {
        if try keychain.device.isLocked { return false }
        guard let code else { return true }
        guard somebody.codes.contains(code) else { return false }
        switch event {
        case .passcodeChanged, .passcodeRemoved: return true  // these type it themselves
        default: return try keychain.unlock(passcode: KeychainTwins.text(code)).authenticated(.passcode)
        }
    }

    private func showsKnownFinger(_ somebody: Somebody) throws -> Bool {
        let known = try somebody.fingers.intersection(keychain.device.enrolled)
        guard let finger = known.first(where: { _ in true }) else { return false }
        return try keychain.unlockBySensor(showing: KeychainTwins.name(finger)).authenticated(.biometry)
    }

    private func opensBackup(_ somebody: Somebody) -> Bool {
        guard let backup else { return false }
        return !backup.isEncrypted || somebody.profile.knows.contains(.backupPassword)
    }

    private func wearsCompanion(_ somebody: Somebody) -> Bool {
        somebody.profile.carries.contains(isCompanionNew ? .ownCompanion : .ownersCompanion)
    }

    /// A person who has only a backup has no device to ask until they restore it onto their own.
    func canAsk(_ somebody: Somebody) -> Bool { somebody.profile.holds != .backup || backup?.isOfThisDevice == false }

    private mutating func happen(_ event: Event) throws -> Bool {
        let effects: Effects
        switch event {
        case .passcodeEntered(let typed): effects = try keychain.unlock(passcode: KeychainTwins.text(typed))
        case .presented(let finger): effects = try keychain.unlockBySensor(showing: KeychainTwins.name(finger))
        case .passcodeSet(let next): effects = try keychain.setPasscode(KeychainTwins.text(next))
        case .passcodeChanged(let next):
            guard let code else { return false }
            effects = try keychain.changePasscode(from: KeychainTwins.text(code), to: KeychainTwins.text(next))
        case .passcodeRemoved:
            guard let code else { return false }
            effects = try keychain.removePasscode(KeychainTwins.text(code))
        case .enrolled(let finger):
            if try keychain.enrolledNames.contains(KeychainTwins.name(finger)) { return false }
            effects = try keychain.enroll(KeychainTwins.name(finger))
        case .removed(let finger): effects = try keychain.removeEnrolled(KeychainTwins.name(finger))
        case .biometryReset: effects = try keychain.resetSensor()
        case .backupTaken(let isEncrypted): effects = try backUp(encrypted: isEncrypted)
        case .restoredOntoThisDevice: return try restore(sameDevice: true)
        case .restoredOntoAnotherDevice: return try restore(sameDevice: false)
        default: effects = try keychain.simulate(event)
        }
        if effects.refusal != nil { return false }
        switch event {
        case .passcodeSet(let next), .passcodeChanged(let next): code = next
        case .companionUnpaired, .erase: isCompanionNew = false
        case .timePassed(let span):
            timeLeft = timeLeft.map { TimeSpan(milliseconds: max(0, $0.milliseconds - span.milliseconds)) }
        default: break
        }
        if try keychain.device.passcode == nil { code = nil }
        return true
    }

    private static func passphrase() throws -> SecureBytes { try SecureBytes("the password of the backup") }

    private mutating func backUp(encrypted: Bool) throws -> Effects {
        let next = Backup(folder: try TemporaryFolder(inMemory: true), isEncrypted: encrypted)
        let protection =
            encrypted ? BackupProtection(try Self.passphrase(), cost: .test) : BackupProtection()
        let effects = try keychain.backUp(to: next.path, protection).effects
        if effects.refusal == nil { backup = next }
        return effects
    }

    private mutating func restore(sameDevice: Bool) throws -> Bool {
        guard let backup else { return false }
        let passphrase = backup.isEncrypted ? try Self.passphrase() : nil
        if sameDevice && backup.isOfThisDevice {
            if try keychain.restore(from: backup.path, sealedUnder: passphrase).refusal != nil { return false }
        } else {
            // Another device is another keychain, as new. To the backup of another device, this one is new as well.
            let former = keychain
            let device = try former.device
            keychain = try Keychain.simulated(
                device.settings, passcode: nil, enrolled: [], user: user, requester: Self.requesters[0])
            try furnish(keychain, like: device)
            if backup.isEncrypted { _ = try keychain.bringIn(from: backup.path, sealedUnder: passphrase) }
            self.backup?.isOfThisDevice = false
            former.close()
        }
        isCompanionNew = false
        code = nil
        return true
    }
}

// MARK: - Requests

extension Siege {
    /// The result of a request.
    enum Gain: Equatable {
        case secret(String)
        case key(String)
        case attributes
        case overwritten
        case stored
        case deleted
    }

    /// Returns the person who answers prompts for `somebody` as well as possible.
    func person(_ somebody: Somebody) throws -> SimulatedPerson {
        let enrolled = try keychain.enrolledNames
        return SimulatedPerson(
            fingers: somebody.fingers.map(KeychainTwins.name).filter(enrolled.contains),
            passcode: code.flatMap { somebody.codes.contains($0) ? "code \($0.rawValue)" : nil },
            applicationPassword: somebody.profile.knows.contains(.applicationPassword) ? "password 1" : nil,
            wearsCompanion: wearsCompanion(somebody))
    }

    /// Makes a request from the app of `somebody`, with `person` in front of the device, and returns the result; nil if
    /// a rule denied it.
    mutating func ask(
        _ action: Action, of place: Int, by somebody: Somebody, answering person: SimulatedPerson,
        in context: KeychainContext? = nil, interaction: Interaction = .allowed, bringsPassword: Bool = false
    ) throws -> Gain? {
        user.hand(to: person)
        let used = bringsPassword ? try context ?? keychain.makeContext() : context
        if bringsPassword { try used?.setApplicationPassword(KeychainTwins.password(1)) }
        do {
            return try gain(action, place, somebody.requester, used, interaction)
        } catch let error as KeychainError where error.rule != nil {
            return nil
        }
    }

    /// Has their app evaluate a policy in `context`, and ignores a failure.
    func prove(
        _ policy: AuthenticationPolicy, _ somebody: Somebody, _ person: SimulatedPerson, _ context: KeychainContext
    ) throws {
        user.hand(to: person)
        do { try context.evaluate(policy, by: somebody.requester) } catch let error where error.rule != nil {}
    }

    private mutating func gain(
        _ action: Action, _ place: Int, _ requester: Requester, _ context: KeychainContext?, _ interaction: Interaction
    ) throws -> Gain? {
        let item = reference(place)
        switch action {
        case .readData:
            let bytes = try keychain.read(item, by: requester, in: context, interaction: interaction)
            return Self.text(of: bytes).map(Gain.secret)
        case .sign, .agree, .decapsulate:
            let message = Array("a message".utf8)
            let scheme = SignatureScheme.ecdsa(.x962, .sha256, .message)
            let output = try keychain.useKey(
                item, to: action, .sign(message, scheme), by: requester, in: context, interaction: interaction)
            guard case .signature(let signature) = output else { return nil }
            // The key is the owner's, or the one that has overwritten it.
            for secret in [items[place].secret, items[place].overwritten].compactMap(\.self) {
                let publicKey = try PrivateKey(derivedFrom: secret).publicKey
                if try publicKey.verify(signature.span.bytes, of: message.span.bytes, with: scheme) {
                    return .key(secret)
                }
            }
            return nil
        case .readAttributes:
            let stored = try keychain.attributes(item, by: requester, in: context, interaction: interaction)
            return stored.description.attributes["acct"] == .string(items[place].name) ? .attributes : nil
        case .update:
            let secret = nextSecret()
            let bytes = SecretChange.replace(try self.bytes(secret, of: place))
            try keychain.update(item, secret: bytes, by: requester, in: context, interaction: interaction)
            items[place].overwritten = secret
            return .overwritten
        case .delete:
            try keychain.delete(item, by: requester, in: context, interaction: interaction)
            return .deleted
        case .add:
            let secret = nextSecret()
            let named = try context ?? keychain.makeContext()
            if items[place].item.control.needsApplicationPassword {
                try named.setApplicationPassword(KeychainTwins.password(2))
            }
            try put(place, secret, requester, named)
            items[place].overwritten = secret
            return .stored
        default: return nil
        }
    }

    private mutating func nextSecret() -> String {
        counter += 1
        return "a stranger's secret \(counter)"
    }

    private func put(_ place: Int, _ secret: String, _ requester: Requester, _ context: KeychainContext?) throws {
        let stored = items[place]
        var item = NewItem.password(account: stored.name, service: "service", stored.item.control, group: "group 0")
        item.isKey = stored.item.isKey
        try keychain.add(item, secret: bytes(secret, of: place), by: requester, in: context)
    }

    /// Returns the bytes to store for a secret: the text, or the private key that follows from it.
    private func bytes(_ secret: String, of place: Int) throws -> SecureBytes {
        guard items[place].item.isKey else { return try SecureBytes(secret) }
        return try PrivateKey(derivedFrom: secret).externalRepresentation()
    }

    private func reference(_ place: Int) -> ItemReference {
        .key(
            PrimaryKey(
                .genericPassword, ["acct": .string(items[place].name), "svce": .string("service")], group: "group 0"))
    }

    private static func text(of bytes: consuming SecureBytes?) -> String? {
        switch consume bytes {
        case .some(let bytes): bytes.text()
        case .none: nil
        }
    }

    /// Returns the secret of the item for an owner who does everything to get it back: waits, types the passcode that
    /// is right now, pairs the companion again, and enrolls a finger if there is none. Returns nil if nothing helps.
    mutating func ownerGets(_ place: Int, password: Int = 1) throws -> String? {
        if try keychain.device.passcodeState == .delayed { _ = try happen(.timePassed(.hours(9))) }
        if let code { _ = try happen(.passcodeEntered(code)) }
        if try keychain.device.settings.sensor != .none, try keychain.enrolledNames.isEmpty {
            _ = try happen(.enrolled(KeychainTwins.finger(0)))
        }
        _ = try keychain.place(companion: .ready)
        _ = try keychain.simulate(.biometryPermitted(.first))
        user.hand(
            to: SimulatedPerson(
                fingers: try keychain.enrolledNames, passcode: code.map { "code \($0.rawValue)" },
                applicationPassword: "password \(password)", wearsCompanion: true))
        do {
            let gain = try gain(items[place].item.isKey ? .sign : .readData, place, Self.requesters[0], nil, .allowed)
            switch gain {
            case .secret(let secret), .key(let secret): return secret
            default: return nil
            }
        } catch let error as KeychainError where error.rule != nil {
            return nil
        }
    }
}
