import AccessPolicy
import DeviceModel
import Foundation
import KeyKit
import SecretVault
import SodiumKit
import TestSupport
import Testing

/// Law 6: whatever happens, a World and a vault give the same answers. The vault's answer is the bytes that it returned
/// or did not return.
///
/// `make soak` runs this with ten million steps. A daily run takes a few, because `ModelIsKeychainTests` shows the same of a
/// keychain, which has a vault in it.
@Suite struct ModelIsVaultTests {
    static let steps = Soak.steps ?? 10_000
    static let length = 100
    static let shards = 2

    @Test(arguments: 0..<shards) func aWorldAndAVaultAnswerAlike(_ shard: Int) throws {
        var done = 0
        var tally = Tally()
        let sequences = max(Self.steps / Self.length, Self.shards)
        for sequence in stride(from: shard, to: sequences, by: Self.shards) {
            var random = SeededGenerator(seed: UInt64(sequence))
            var twins = try Twins(&random)
            for _ in 0..<Self.length {
                let step = twins.step(&random)
                if let difference = try twins.perform(step, &tally) {
                    Issue.record("seed \(sequence), after \(twins.history.suffix(40)): \(step): \(difference)")
                    return
                }
                done += 1
                if done.isMultiple(of: 1_000_000) { print("model = vault, part \(shard): \(done) steps, none differs") }
            }
            let report = try twins.vault.verify()
            if !report.findings.isEmpty {
                Issue.record("seed \(sequence): \(report.findings)")
                return
            }
        }
        print("model = vault, part \(shard): \(done) steps, none differs; \(tally)")
        #expect(tally.granted > done / 10)
        #expect(tally.denied > done / 10)
    }

    struct Tally: CustomStringConvertible {
        var granted = 0
        var denied = 0
        var events = 0
        var description: String { "\(granted) granted, \(denied) denied, \(events) events happened" }
    }
}

/// A World and a vault that get the same events.
struct Twins {
    enum Step {
        case event(Event)
        /// Evidence for one of the contexts.
        case prove(Factor, context: Int, right: Bool)
        case call(Action, slot: Int, context: Int?, control: AccessControl?)
        case invalidate(context: Int)
    }

    private(set) var world: World
    let vault: Vault
    private let recoveryKey: RecoveryKey?
    private let folder: TemporaryFolder
    private var backups = 0
    private var lastBackup: String?
    private(set) var history: [String] = []
    /// The vault counts the restart at its creation as a session.
    private let sessionsAhead: UInt64

    private struct Pair {
        var model: Context
        var vault: VaultContext
        /// The application password of the context; zero for none.
        let password: UInt8
    }

    private var contexts: [Pair] = []
    private var slots: [(id: SlotID, control: AccessControl)] = []
    /// The secret of each slot's item, and the password that it is under.
    private var secrets: [Int: String] = [:]
    /// The secrets at the last backup.
    private var secretsThen: [Int: String] = [:]
    private var counter = 0

    init(_ random: inout SeededGenerator) throws {
        var settings = DeviceSettings(sensor: random.pick(SensorKind.allCases))
        settings.lockGrace = random.pick([.zero, .seconds(10)])
        settings.attemptEnd = random.pick(AttemptEnd.allCases)
        settings.fidelity.passcodeDelays = random.pick(Fidelity.PasscodeDelays.allCases)
        settings.fidelity.sensorReset = random.pick(Fidelity.SensorReset.allCases)
        settings.fidelity.changedSet = random.pick(Fidelity.ChangedSet.allCases)
        settings.fidelity.duplicate = random.pick(Fidelity.Duplicate.allCases)
        settings.fidelity.attributes = random.pick(Fidelity.Attributes.allCases)
        settings.fidelity.presence = random.pick(Fidelity.Presence.allCases)
        settings.fidelity.contextLifetime = random.pick(Fidelity.ContextLifetime.allCases)
        folder = try TemporaryFolder(inMemory: true)
        world = World(Device(settings))
        var options = VaultOptions.simulated(settings)
        options.hasRecoveryKey = true
        let created = try Vault.inMemory(options)
        vault = created.vault
        recoveryKey = created.recoveryKey
        sessionsAhead = try vault.device.session - world.device.session
        for _ in 0..<3 {
            let password = UInt8(random.once(in: 2) ? Int.random(in: 1...2, using: &random) : 0)
            contexts.append(Pair(model: Context(), vault: try newContext(password), password: password))
        }
        for number in 0..<4 {
            let control = Self.control(&random)
            var item = Item(control)
            item.isKey = control.guardsKeyUse
            item.id = ItemID(rawValue: UInt64(number))
            slots.append((try world.addSlot(for: item), control))
        }
        for event in [
            Event.passcodeSet(code(1)), .enrolled(Cast.index), .companionPaired, .companionNear, .companionUnlocked,
        ] {
            var tally = ModelIsVaultTests.Tally()
            if !random.once(in: 6) { _ = try perform(.event(event), &tally) }
        }
    }

    private static let demands: [AccessControl] = DecisionIsDecryptionTests.Scene.demands

    private static func control(_ random: inout SeededGenerator) -> AccessControl {
        if random.once(in: 2) { return AccessControl(random.pick(Accessibility.allCases)) }
        let control = random.pick(demands)
        return random.once(in: 3) || !control.guardsKeyUse ? control : random.pick(demands.filter { !$0.guardsKeyUse })
    }

    private func newContext(_ password: UInt8) throws -> VaultContext {
        let context = try vault.makeContext()
        if password != 0 { try context.setApplicationPassword(Cast.bytes("password \(password)")) }
        return context
    }

    private func code(_ number: UInt8) -> Passcode { Passcode(rawValue: number) ?? Self.noCode }
    private static let noCode = Passcode(rawValue: 63)!  // swift-format-ignore: NeverForceUnwrap

    // MARK: - What may happen

    mutating func step(_ random: inout SeededGenerator) -> Step {
        let context = Int.random(in: 0..<contexts.count, using: &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<6: return .event(event(&random))
        case 6..<10:
            return .prove(
                random.pick([.biometry, .biometry, .companion, .passcode]), context: context, right: !random.once(in: 6)
            )
        case 10: return random.once(in: 8) ? .invalidate(context: context) : .event(.timePassed(.seconds(1)))
        case 11..<14:
            return .call(
                .add, slot: Int.random(in: 0..<slots.count, using: &random),
                context: random.once(in: 3) ? nil : context,
                control: nil)
        default:
            let action = random.pick(
                [
                    .readData, .readData, .readData, .readData, .sign, .agree, .update, .delete, .readAttributes,
                    .probe,
                    .inventory, .readReference, .attest, .update,
                ] as [Action])
            let control = action == .update && random.once(in: 2) ? Self.control(&random) : nil
            return .call(
                action, slot: Int.random(in: 0..<slots.count, using: &random),
                context: random.once(in: 4) ? nil : context,
                control: control)
        }
    }

    private func event(_ random: inout SeededGenerator) -> Event {
        // Reset the device to a state where much is possible, often enough.
        let device = world.device
        if device.passcode == nil && random.once(in: 2) { return .passcodeSet(code(1)) }
        if let passcode = device.passcode, device.isLocked, random.once(in: 2) { return .passcodeEntered(passcode) }
        if device.enrolled.isEmpty && random.once(in: 3) { return .enrolled(Cast.index) }
        return switch Int.random(in: 0..<26, using: &random) {
        case 0: .reboot
        case 1, 2: .lock
        case 3, 4, 5: .passcodeEntered(world.device.passcode ?? code(1))
        case 6: .passcodeEntered(code(UInt8.random(in: 1..<16, using: &random)))
        case 7, 8: .presented(Cast.index)
        case 9: .presented(Cast.finger(UInt8.random(in: 0..<4, using: &random)))
        case 10, 11, 12:
            .timePassed(
                random.pick([
                    .seconds(1), .seconds(9), .seconds(10), .minutes(1), .minutes(5), .minutes(11), .hours(1),
                    .hours(5),
                    .hours(49), .hours(157),
                ]))
        case 13: .passcodeSet(code(UInt8.random(in: 1..<4, using: &random)))
        case 14: .passcodeChanged(code(UInt8.random(in: 1..<4, using: &random)))
        case 15:
            random.once(in: 3) ? .passcodeRemoved : .passcodeRecovered(code(UInt8.random(in: 1..<4, using: &random)))
        case 16, 17: .enrolled(Cast.finger(UInt8.random(in: 0..<4, using: &random)))
        case 18: .removed(Cast.finger(UInt8.random(in: 0..<4, using: &random)))
        case 19: random.once(in: 3) ? .biometryReset : .removed(Cast.thumb)
        case 20: random.pick([.companionPaired, .companionPaired, .companionUnpaired])
        case 21: random.pick([.companionNear, .companionAway, .companionNear])
        case 22: random.pick([.companionUnlocked, .companionLocked, .companionUnlocked])
        case 23:
            random.pick([
                .biometryPermitted(.first), .biometryDenied(.first), .biometryPermitted(.first), .remoteLock,
                .emergency,
                .appRemoved(.first), .appInstalled(.first, App()), .appInstalled(.first, App()),
            ])
        case 24: random.pick([.backupTaken(encrypted: true), .backupTaken(encrypted: false)])
        default: random.once(in: 3) ? random.pick([.restoredOntoThisDevice, .erase]) : .timePassed(.seconds(-1))
        }
    }

    // MARK: - Letting it happen to both

    /// Applies a step to both. Returns the difference afterwards, if there is one.
    mutating func perform(_ step: Step, _ tally: inout ModelIsVaultTests.Tally) throws -> String? {
        history.append("\(step)")
        switch step {
        case .event(let event):
            let difference = try happen(event, &tally)
            return try difference ?? conditionsDiffer()
        case .prove(let factor, let context, let isRight):
            return try prove(factor, context, isRight) ?? conditionsDiffer()
        case .invalidate(let context):
            contexts[context].model.isInvalidated = true
            try contexts[context].vault.invalidate()
            let fresh = Pair(model: Context(), vault: try newContext(0), password: 0)
            if contexts[context].password == 0 { contexts[context] = fresh }
            return nil
        case .call(let action, let slot, let context, let control):
            return try call(action, slot, context, control, &tally)
        }
    }

    private mutating func happen(_ event: Event, _ tally: inout ModelIsVaultTests.Tally) throws -> String? {
        var model: Effects
        let real: Effects
        let present = world.device.passcode.map { "code \($0.rawValue)" } ?? "code 1"
        switch event {
        case .passcodeEntered(let code):
            model = world.apply(event)
            real = try vault.enter(passcode: Cast.bytes("code \(code.rawValue)"))
        case .presented(let finger):
            model = world.apply(event)
            real = try vault.record(.presented(finger))
        case .passcodeSet(let code):
            model = world.apply(event)
            real = try vault.setPasscode(Cast.bytes("code \(code.rawValue)"))
        case .passcodeChanged(let code):
            model = afterPasscode(event)
            real = try vault.changePasscode(from: Cast.bytes(present), to: Cast.bytes("code \(code.rawValue)"))
        case .passcodeRemoved:
            model = afterPasscode(event)
            real = try vault.removePasscode(Cast.bytes(present))
        case .passcodeRecovered(let code):
            guard let recoveryKey, !hasBeenErased, world.device.passcode != nil else { return nil }
            if code == world.device.passcode { return nil }  // The model distinguishes two codes by their numbers.
            model = world.apply(event)
            real = try vault.recover(with: recoveryKey, to: Cast.bytes("code \(code.rawValue)"))
        case .backupTaken(let isEncrypted):
            backups += 1
            let path = folder.path("backup \(backups)")
            model = world.apply(event)
            if isEncrypted {
                real = try vault.export(to: path, BackupProtection(Cast.bytes("phrase"), cost: .test)).effects
            } else {
                real = try vault.export(to: path, BackupProtection()).effects
            }
            if real.refusal == nil { (lastBackup, secretsThen) = (path, secrets) }
        case .restoredOntoThisDevice:
            model = world.apply(event)
            guard let lastBackup else { return model.refusal == .noBackup ? nil : "the world has a backup" }
            real = try vault.restore(from: lastBackup, passphrase: Cast.bytes("phrase")).effects
            if real.refusal == nil { secrets = secretsThen }
        default:
            model = world.apply(event)
            real = try vault.apply(event)
        }
        if model.refusal == nil { tally.events += 1 }
        if model.contains(.eraseAll) { hasBeenErased = true }
        return model.refusal == real.refusal ? nil : "\(model) in the world, \(real) in the vault"
    }

    /// True once the device was erased. Erasing makes a new root, which the former recovery key does not open.
    private var hasBeenErased = false

    private mutating func afterPasscode(_ event: Event) -> Effects {
        let entered = world.apply(.passcodeEntered(world.device.passcode ?? code(1)))
        return entered.authenticated(.passcode) ? world.apply(event) : entered
    }

    private mutating func prove(_ factor: Factor, _ number: Int, _ isRight: Bool) throws -> String? {
        // Only an unlocked device shows prompts.
        if world.device.isLocked { return nil }
        let pair = contexts[number]
        let model: Bool
        let real: Bool
        switch factor {
        case .biometry:
            let finger = isRight ? Cast.index : Cast.foreign
            model = world.apply(.presented(finger)).authenticated(.biometry)
            real = try vault.record(.presented(finger), in: pair.vault).authenticated(.biometry)
        case .companion:
            // A context that has ended accepts nothing more.
            model = world.device.companion.state == .ready && !pair.model.isInvalidated
            real = try vault.record(.confirmedByCompanion, in: pair.vault).authenticated(.companion)
        case .passcode:
            let typed = isRight ? world.device.passcode ?? code(1) : code(40)
            model = world.apply(.passcodeEntered(typed)).authenticated(.passcode)
            real = try vault.enter(passcode: Cast.bytes("code \(typed.rawValue)"), in: pair.vault).authenticated(
                .passcode)
        case .applicationPassword: return nil
        }
        if model { contexts[number].model.add(Evidence(factor, under: world.device.conditions())) }
        return model == real ? nil : "proved \(model) in the world, \(real) in the vault"
    }

    private mutating func call(
        _ action: Action, _ number: Int, _ context: Int?, _ control: AccessControl?,
        _ tally: inout ModelIsVaultTests.Tally
    ) throws -> String? {
        let slot = slots[number]
        let pair = try context.map { contexts[$0] } ?? Pair(model: Context(), vault: newContext(0), password: 0)
        var model = pair.model
        let before = world[slot.id]
        let call = Call(
            .item(slot.id, action, control: control), by: Person(), interaction: .fail,
            applicationPassword: pair.password)
        let outcome = world.perform(call, in: &model)
        if let context { contexts[context].model = model }
        let expected = outcome.verdict
        let real = try ask(action, number, pair.vault, control, before)
        // The vault's context drops a wrong password; the World gets the password with each call.
        if pair.password != 0, try !pair.vault.context.offersApplicationPassword, !pair.model.isInvalidated {
            try pair.vault.setApplicationPassword(Cast.bytes("password \(pair.password)"))
            if let context { contexts[context].model[.applicationPassword] = nil }
        }
        if expected == "granted" { tally.granted += 1 } else { tally.denied += 1 }
        return expected == real ? nil : "\(expected) in the world, \(real) in the vault, of \(slot.control)"
    }

    private mutating func ask(
        _ action: Action, _ number: Int, _ context: VaultContext, _ control: AccessControl?, _ before: Slot?
    ) throws -> String {
        let reference = Cast.key("item \(number)")
        var caller = Cast.app
        caller.interaction = .fail
        switch action {
        case .add:
            // The World adds what is in the slot, so the next add includes what an update has changed.
            let demanded = before?.item.control ?? slots[number].control
            counter += 1
            let secret = "secret \(counter)"
            var item = Cast.item("item \(number)", demanded)
            item.isKey = before?.item.isKey ?? false
            let verdict = try vault.adding(item, secret, in: context, as: caller)
            if verdict == "granted" { secrets[number] = secret }
            return verdict
        case .readData:
            switch try vault.read(reference, for: caller, in: context) {
            case .granted(let secret):
                return secret.text == secrets[number] ? "granted" : "wrong bytes: \(secret.text ?? "none")"
            case .challenge(let challenge): return "asks for \(challenge.ways)"
            case .denied(let denial): return denial.rule.identifier
            }
        case .sign, .agree, .decapsulate:
            let trial = try KeyTrial.signing(by: PrivateKey(derivedFrom: secrets[number] ?? "").publicKey)
            switch try vault.use(reference, to: action, trial.operation, for: caller, in: context) {
            case .granted(.done(let output)): return trial.isRight(output) ? "granted" : "signed by another key"
            case .granted(.failed(let error)): return "\(error)"
            case .challenge(let challenge): return "asks for \(challenge.ways)"
            case .denied(let denial): return denial.rule.identifier
            }
        case .update:
            counter += 1
            let secret = "secret \(counter)"
            let changes = ItemChanges(control: control)
            let change = SecretChange.replace(try Cast.bytes(secret, isKey: before?.item.isKey ?? false))
            let verdict = verdict(try vault.update(reference, changes, secret: change, for: caller, in: context))
            if verdict == "granted" { secrets[number] = secret }
            return verdict
        case .delete: return verdict(try vault.delete(reference, for: caller, in: context))
        case .readAttributes, .readReference, .probe, .inventory, .attest, .checkDuplicate:
            switch try vault.describe(action, reference, for: caller, in: context) {
            case .granted(let item):
                return item.description.attributes["acct"] == .string("item \(number)") ? "granted" : "wrong attributes"
            case .challenge(let challenge): return "asks for \(challenge.ways)"
            case .denied(let denial): return denial.rule.identifier
            }
        }
    }

    private func verdict(_ answer: borrowing Reply<ItemIdentifier>) -> String {
        if answer.isGranted { return "granted" }
        return answer.denial?.rule.identifier ?? "asks"
    }

    // MARK: - Looking at both

    private func conditionsDiffer() throws -> String? {
        let model = world.device.conditions()
        var real = try vault.conditions(for: Cast.app)
        real.session -= sessionsAhead
        return model == real ? nil : "the device differs: \(model) in the world, \(real) in the vault"
    }
}

extension Outcome {
    fileprivate var verdict: String {
        switch decision {
        case .granted: "granted"
        case .challenge: "challenge"
        case .denied(let denial): denial.rule.identifier
        }
    }
}
