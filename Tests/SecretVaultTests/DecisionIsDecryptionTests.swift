import AccessPolicy
import DeviceModel
import KeyKit
import SecretVault
import SodiumKit
import TestSupport
import Testing

/// Law 2: with the open class keys, and the gates and the password that a context holds, a wrap opens if and only if
/// `decide` grants the request. `make soak` tries every access policy in every class, over device histories and over
/// everything that a context can hold from before or after. For a private key this means: a signature is made if and
/// only if `decide` grants the use, whether the vault stores the key or a program keeps it sealed.
///
/// A daily run tries each policy in each history in one of its sixteen contexts, another one each day.
@Suite struct DecisionIsDecryptionTests {
    /// The events on a device after items were stored, and after some contexts were authenticated.
    static let histories: [(name: String, events: [Step])] = [
        ("nothing", []),
        ("locked, within the grace", [.event(.lock)]),
        ("locked", [.event(.lock), .event(.timePassed(.seconds(10)))]),
        ("locked from afar", [.event(.remoteLock)]),
        ("locked, and unlocked by a match", [.event(.lock), .event(.timePassed(.seconds(10))), .match]),
        ("locked, and unlocked by the passcode", [.event(.lock), .event(.timePassed(.seconds(10))), .passcode]),
        ("locked, and unlocked within the grace", [.event(.lock), .passcode]),
        ("restarted", [.event(.reboot)]),
        ("restarted, and unlocked", [.event(.reboot), .passcode]),
        (
            "restarted, unlocked and locked",
            [.event(.reboot), .passcode, .event(.lock), .event(.timePassed(.seconds(10)))]
        ),
        ("a finger more", [.event(.enrolled(Cast.thumb))]),
        ("a finger more while locked", [.event(.lock), .event(.enrolled(Cast.thumb)), .passcode]),
        ("a finger more after a restart", [.event(.reboot), .event(.enrolled(Cast.thumb)), .passcode]),
        ("a finger more and less", [.event(.enrolled(Cast.thumb)), .event(.removed(Cast.thumb))]),
        ("no finger", [.event(.removed(Cast.index))]),
        ("another sensor", [.event(.biometryReset)]),
        ("another sensor, enrolled", [.event(.biometryReset), .event(.enrolled(Cast.index))]),
        ("locked out", Array(repeating: .stranger, count: 5)),
        ("another passcode", [.changePasscode]),
        ("recovered", [.recover]),
        ("no passcode", [.removePasscode]),
        ("no passcode, and one again", [.removePasscode, .setPasscode]),
        ("the companion away", [.event(.companionAway)]),
        ("the companion paired anew", [.event(.companionUnpaired), .event(.companionPaired)]),
        ("ten minutes", [.event(.timePassed(.minutes(11)))]),
        ("wrong passcodes", Array(repeating: .wrongPasscode, count: 6)),
        ("erased", [.event(.erase)]),
    ]

    enum Step {
        case event(Event)
        case match, stranger, passcode, wrongPasscode, changePasscode, recover, removePasscode, setPasscode
    }

    /// An item, and what it gives to a request that is granted.
    struct Stored {
        enum Gift {
            case secret(String)
            case signature(PublicKey)
        }

        let reference: ItemReference
        let control: AccessControl
        let gives: Gift

        /// True if the vault no longer has the key that the item was sealed under.
        func isLost(on vault: Vault) throws -> Bool {
            if case .sealed(let key) = reference { try !vault.isOwn(key) } else { false }
        }

        /// Returns true if the request is granted and gives this.
        func opens(_ vault: Vault, in context: VaultContext) throws -> Bool {
            switch gives {
            case .signature(let key): return try vault.signing(reference, by: key, in: context)
            case .secret(let secret) where control.guardsKeyUse:
                return try vault.signing(reference, by: secret, in: context)
            case .secret(let secret):
                switch try vault.read(reference, for: Cast.app, in: context).value() {
                case .some(.some(let bytes)): return bytes.text() == secret
                default: return false
                }
            }
        }
    }

    /// A device with items under every policy in every class, and a key outside the vault under each that guards keys.
    struct Scene {
        let vault: Vault
        let recoveryKey: RecoveryKey?
        var passcode = "1234"
        var wrong = 0
        var items: [Stored] = []

        init(_ fidelity: Fidelity) throws {
            var options = VaultOptions.simulated(DeviceSettings(fidelity: fidelity))
            options.hasRecoveryKey = true
            let created = try Vault.inMemory(options, passcode: Cast.bytes(passcode))
            vault = created.vault
            recoveryKey = created.recoveryKey
            for event in [Event.enrolled(Cast.index), .companionPaired, .companionNear, .companionUnlocked] {
                try vault.apply(event)
            }
            let context = try vault.makeContext()
            try context.setApplicationPassword(Cast.bytes("opensesame"))
            for control in Self.demands {
                let name = "\(items.count)"
                #expect(try vault.adding(Self.item(name, control), "secret \(name)", in: context) == "granted")
                items.append(Stored(reference: Cast.key(name), control: control, gives: .secret("secret \(name)")))
                guard control.guardsKeyUse else { continue }
                let key = try #require(try vault.generateSealedKey(under: control, for: Cast.app, in: context).value())
                items.append(Stored(reference: .sealed(key), control: control, gives: .signature(key.publicKey)))
            }
        }

        static func item(_ name: String, _ control: AccessControl) -> ItemDescription {
            var item = Cast.item(name, control)
            item.isKey = control.guardsKeyUse
            return item
        }

        static let demands: [AccessControl] = {
            let flags = AccessControlFlags.named.map(\.flag)
            var demands: Set<AccessControl> = []
            for pattern in 0..<(1 << flags.count) {
                let chosen = flags.indices.filter { pattern >> $0 & 1 == 1 }.map { flags[$0] }
                for protection in Accessibility.allCases {
                    if let control = try? AccessControl(protection: protection, flags: AccessControlFlags(chosen)) {
                        demands.insert(control)
                    }
                }
            }
            return demands.union(Accessibility.allCases.map { AccessControl($0) }).sorted {
                ($0.description, $0.hasFlags ? 1 : 0) < ($1.description, $1.hasFlags ? 1 : 0)
            }
        }()

        mutating func perform(_ step: Step) throws {
            switch step {
            case .event(let event): try vault.apply(event)
            case .match: try vault.record(.presented(Cast.index))
            case .stranger: try vault.record(.presented(Cast.foreign))
            case .passcode: try vault.enter(passcode: Cast.bytes(passcode))
            case .wrongPasscode:
                wrong += 1
                try vault.enter(passcode: Cast.bytes("wrong \(wrong)"))
            case .changePasscode:
                try vault.changePasscode(from: Cast.bytes(passcode), to: Cast.bytes("5678"))
                passcode = "5678"
            case .recover:
                guard let recoveryKey else { return }
                try vault.recover(with: recoveryKey, to: Cast.bytes("5678"))
                passcode = "5678"
            case .removePasscode: try vault.removePasscode(Cast.bytes(passcode))
            case .setPasscode: try vault.setPasscode(Cast.bytes(passcode))
            }
        }

        /// Returns a context with as much evidence of these factors as the device can give now.
        func context(_ factors: FactorSet) throws -> VaultContext {
            let context = try vault.makeContext()
            if try vault.device.isLocked { return context }
            if factors.contains(.biometry) { try vault.record(.presented(Cast.index), in: context) }
            if factors.contains(.companion) { try vault.record(.confirmedByCompanion, in: context) }
            if factors.contains(.passcode) { try vault.enter(passcode: Cast.bytes(passcode), in: context) }
            return context
        }
    }

    struct Count {
        var questions = 0
        var opened = 0
        var differences: [String] = []
    }

    @Test(arguments: [Fidelity.Presence.biometryOrPasscode, .biometryCompanionOrPasscode])
    func aWrapOpensIfAndOnlyIfDecideGrants(_ presence: Fidelity.Presence) throws {
        var fidelity = Fidelity()
        fidelity.presence = presence
        if presence == .biometryCompanionOrPasscode { fidelity.contextLifetime = .tenMinutes }
        var count = Count()
        for (number, history) in Self.histories.enumerated() {
            var scene = try Scene(fidelity)
            let subsets = (0..<8 as Range<UInt8>).map { FactorSet(bits: $0) }
            let before = try subsets.map { try scene.context($0) }
            for step in history.events { try scene.perform(step) }
            // Check the earlier contexts before any new authentication.
            try compare(scene, before, from: number, "\(history.name), proved before", &count)
            let after = try subsets.map { try scene.context($0) }
            try compare(scene, after, from: number + before.count, "\(history.name), proved after", &count)
            if count.differences.count > 10 { break }
        }
        #expect(count.differences.prefix(10) == [])
        #expect(count.opened > count.questions / 20, "hardly anything opened: the comparison shows little")
        print(
            "decision = decryption: \(count.questions) questions over \(Scene.demands.count) demands and "
                + "\(Self.histories.count) histories, \(count.opened) opened, \(count.differences.count) differ")
    }

    /// Compares the answers for all items in these contexts, whose numbers begin at `first`.
    private func compare(
        _ scene: Scene, _ contexts: [VaultContext], from first: Int, _ name: String, _ count: inout Count
    ) throws {
        let vault = scene.vault
        // Without a passcode the vault promises nothing about constraints, because every gate is under the device's key
        // alone.
        let claims = try vault.device.passcode != nil
        for (place, context) in contexts.enumerated() {
            // Evidence that time has made void goes with its gates when the next operation begins, whichever that is.
            _ = try vault.decision(.readData, scene.items[0].reference, for: Cast.app, in: context)
            for password in [String?.none, "opensesame", "wrong"] {
                for (index, item) in scene.items.enumerated() where DaySample.takes(first + place + index, oneIn: 16) {
                    let isAsked = item.control.needsApplicationPassword
                    if password != nil && !isAsked { continue }
                    if let password { try context.setApplicationPassword(Cast.bytes(password)) }
                    let reference = item.reference
                    let isLost = try item.isLost(on: vault)
                    if isLost {
                        #expect(throws: VaultError.key(.malformed(.sealedKey))) {
                            try item.opens(vault, in: context)
                        }
                        continue
                    }
                    let opens = try vault.opensByForce(reference, in: context)
                    let action: Action = item.control.guardsKeyUse ? .sign : .readData
                    let isGranted = try vault.decision(action, reference, for: Cast.app, in: context).isGranted
                    if let password { try context.setApplicationPassword(Cast.bytes(password)) }
                    let isRight = try item.opens(vault, in: context)
                    count.questions += 1
                    count.opened += opens ? 1 : 0
                    let isSame =
                        isGranted == isRight && (opens == isGranted || (!claims && opens && item.control.isProtected))
                    if !isSame, count.differences.count <= 10 {
                        let held = try context.context
                        count.differences.append(
                            "\(name): \(item.control), password \(password ?? "none"), holding "
                                + "\(Factor.allCases.filter { held[$0] != nil }): decide \(isGranted), wrap \(opens), "
                                + "bytes \(isRight)")
                    }
                    if password == nil { try context.dropApplicationPassword() }
                }
                try context.dropApplicationPassword()
            }
        }
    }

    @Test func theMatchThatUnlockedTheDeviceOpensOnlyContextsThatAskForIt() throws {
        let vault = try Cast.vault()
        try vault.adding(Cast.item("any", Cast.control(.biometryAny)), "s3cret")
        let patient = try vault.makeContext()
        try patient.setReuse(.seconds(60))
        let plain = try vault.makeContext()
        try vault.lock()
        try vault.apply(.timePassed(.seconds(10)))
        try vault.record(.presented(Cast.index), in: plain)
        #expect(try vault.reading("any", in: plain) == "interaction.not-allowed")
        #expect(try vault.reading("any", in: patient) == "s3cret")
        #expect(try vault.opensByForce(Cast.key("any"), in: patient) == false)  // lent for the one grant
        try vault.apply(.timePassed(.seconds(61)))
        #expect(try vault.reading("any", in: patient) == "interaction.not-allowed")
    }
}
