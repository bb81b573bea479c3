import AccessPolicy
import DeviceModel
import Foundation
import Latchkey
import PolicyProver
import SodiumKit
import TestSupport
import Testing
import UserPresence

/// What the prover calls impossible does not happen by chance either, on a real keychain, whatever an attacker tries.
///
/// A daily run takes two thousand sequences, which its seed chooses; `LATCHKEY_SOAK_STEPS` sets the number of steps.
/// Success is judged by the bytes that the vault returned, never by its decisions.
@Suite struct RandomAttackTests {
    static let length = 30
    static let sequences =
        Soak.steps.map { max(8, $0 / length) }
        ?? 2_000

    @Test(arguments: Policies.protections, 0..<2) func nobodyComesByChanceToWhatIsNever(
        _ protection: Accessibility, _ half: Int
    ) throws {
        var tally = Tally()
        let all = try Policies.scenes(in: protection)
        let mine = all.indices.filter { $0 % 2 == half }
        let rows = mine.count * Profile.all.count
        let share = Self.sequences / (Policies.protections.count * 2)
        for (number, scene) in mine.enumerated() {
            let stated = Policies.worlds[number % Policies.worlds.count]
            let threats = Threats(all[scene], assuming: stated, tellsStories: false)
            for (row, profile) in threats.profiles.enumerated() {
                let place = number * threats.profiles.count + row
                // The sequences are spread evenly: this is the number to finish by the end of this round.
                for sequence in (share * place / rows)..<(share * (place + 1) / rows) {
                    let day = Soak.isExhaustive ? 0 : DaySample.seed << 44
                    let seed =
                        day | UInt64(Policies.protections.firstIndex(of: protection) ?? 0) << 40 | UInt64(half) << 32
                    var attack = try RandomAttack(
                        threats.scene, profile, assuming: Assumptions(stated), seed: seed | UInt64(sequence),
                        sparing: sequence.isMultiple(of: 2))
                    let cells = { (aim: Aim, item: Int) in threats.cell(row, aim, of: item) == .never }
                    if let trouble = try attack.run(steps: Self.length, never: cells, &tally) {
                        Issue.record("\(profile.name), seed \(seed | UInt64(sequence)): \(trouble)")
                        return
                    }
                }
            }
        }
        print("random attacks on the vault, \(protection), part \(half): \(tally)")
        // The test proves nothing unless some attacks succeed.
        #expect(tally.happened > tally.moves / 4)
        #expect(tally.gained > tally.asked / 40)
        #expect(tally.reached > tally.asked / 100)
    }

    /// The results of the moves.
    struct Tally: CustomStringConvertible {
        var sequences = 0
        var moves = 0
        var happened = 0
        var asked = 0
        var gained = 0
        /// The number of requests that reached an aim on the owner's item, as the prover predicts.
        var reached = 0
        var description: String {
            "\(sequences) sequences, \(moves) moves of which \(happened) happened, \(asked) requests of which \(gained) were met, "
                + "\(reached) of them as the prover has it"
        }
    }
}

/// An attacker who makes random moves within their profile.
struct RandomAttack {
    private let assumptions: Assumptions
    private var siege: Siege
    private var somebody: Siege.Somebody
    private var random: SeededGenerator
    /// True if the attacker is careful to destroy nothing that they may still reach.
    private let spares: Bool
    private var context: KeychainContext?
    /// True if the keychain may have been replaced since the contexts were kept.
    private var hasOtherKeychain = false
    /// True if the device is another one than the owner's.
    private var isElsewhere = false
    /// The places from which the attacker has deleted the owner's items.
    private var emptied: Set<Int> = []
    private var history: [String] = []

    init(_ scene: Scene, _ profile: Profile, assuming assumptions: Assumptions, seed: UInt64, sparing: Bool) throws {
        self.assumptions = assumptions
        var contexts: [(place: Int, factors: FactorSet)] = []
        for (place, ways) in scene.authentications(for: profile, assuming: assumptions).enumerated() {
            contexts += ways.map { (place, $0) }
        }
        var random = SeededGenerator(seed: seed)
        contexts = Array(contexts.shuffled(using: &random).prefix(3))
        siege = try Siege(scene, for: profile, assuming: assumptions, authenticating: contexts)
        somebody = Siege.Somebody(profile, at: scene)
        self.random = random
        spares = sparing
    }

    /// The aim that the prover calls impossible and the attacker reached; nil if none.
    mutating func run(
        steps: Int, never: (Aim, Int) -> Bool, _ tally: inout RandomAttackTests.Tally
    ) throws -> String? {
        tally.sequences += 1
        for _ in 0..<steps {
            if siege.canAsk(somebody), random.once(in: 2) {
                let place = Int.random(in: siege.items.indices, using: &random)
                let action = action()
                let isOwners = siege.items[place].overwritten == nil
                let gain = try ask(action, place)
                tally.asked += 1
                guard let gain else { continue }
                tally.gained += 1
                if gain == .deleted && isOwners { emptied.insert(place) }
                let replaces = gain == .stored && emptied.contains(place)
                let aim = replaces ? .overwrite : siege.aim(of: gain, at: place, isOwners: isOwners)
                if aim != nil { tally.reached += 1 }
                if let aim, never(aim, place), !(isElsewhere && [.destroy, .overwrite].contains(aim)) {
                    return "\(aim) of \(siege.items[place].item.control) by \(action) after \(history)"
                }
            } else {
                guard let event = event() else { continue }
                tally.moves += 1
                if try siege.act(event, by: &somebody) {
                    tally.happened += 1
                    history.append("\(event)")
                    if keepsNothing(event) {
                        context = nil
                        hasOtherKeychain = true
                    }
                    if event == .restoredOntoAnotherDevice { isElsewhere = true }
                }
            }
        }
        // The owner can still read every item that cannot be destroyed.
        let place = Int.random(in: siege.items.indices, using: &random)
        if never(.destroy, place), !isElsewhere, siege.items[place].overwritten == nil, siege.canAsk(somebody),
            try siege.ownerGets(place) != siege.items[place].secret
        {
            return "the owner does not get back \(siege.items[place].item.control) after \(history)"
        }
        return nil
    }

    private func keepsNothing(_ event: Event) -> Bool {
        switch event {
        case .erase, .restoredOntoThisDevice, .restoredOntoAnotherDevice: true
        default: false
        }
    }

    // MARK: - Requests

    private mutating func action() -> Action {
        let gentle: [Action] = [.readData, .readData, .readData, .readAttributes, .sign, .sign, .agree, .decapsulate]
        if spares { return random.pick(gentle) }
        // An app without a way to delete items cannot replace one either.
        return random.pick(gentle + [.update, .update] + (assumptions.deletes ? [.add, .delete] : []))
    }

    private mutating func ask(_ action: Action, _ place: Int) throws -> Siege.Gain? {
        var person = try siege.person(somebody)
        // The attacker mostly answers as well as possible, and otherwise in some way that they can.
        if random.once(in: 4) {
            person.passcode = random.pick([nil, "code 3", "code \(Int.random(in: 8..<60, using: &random))"])
        }
        if random.once(in: 6) { person.fingers = somebody.fingers.map(KeychainTwins.name).shuffled(using: &random) }
        person.prefersFallback = random.once(in: 6)
        person.dismisses = random.once(in: 20)
        person.permitsBiometry = !random.once(in: 20)
        let interaction: Interaction = random.once(in: 12) ? random.pick([.fail, .skip]) : .allowed
        // A context that lasts between two requests keeps its authentication, as far as events allow.
        if random.once(in: 4) {
            let made = try siege.keychain.makeContext()
            if random.once(in: 2) {
                try siege.prove(random.pick(AuthenticationPolicy.allCases), somebody, person, made)
            }
            context = made
        }
        var used = random.once(in: 2) ? context : nil
        // A kept context belongs to the keychain that made it.
        let kept = siege.kept.filter { $0.place == place }
        if !hasOtherKeychain, !somebody.profile.asksFromOtherGroup, !kept.isEmpty, random.once(in: 2) {
            used = random.pick(kept).context
        }
        let brings = somebody.profile.knows.contains(.applicationPassword) && random.once(in: 3)
        return try siege.ask(
            action, of: place, by: somebody, answering: person, in: used, interaction: interaction,
            bringsPassword: brings)
    }

    // MARK: - Events

    private mutating func event() -> Event? {
        var events: [Event] = []
        let can = somebody.profile.can
        if !siege.canAsk(somebody) { return .restoredOntoAnotherDevice }
        let guess = KeychainTwins.code(UInt8.random(in: 8..<60, using: &random))
        let own = KeychainTwins.code(random.once(in: 2) ? 3 : 4)
        events += somebody.codes.map(Event.passcodeEntered)
        events += somebody.codes.map(Event.passcodeEntered)
        if can.contains(.guess) { events.append(.passcodeEntered(guess)) }
        let fingers = somebody.fingers.map { $0 }
        let finger = fingers.isEmpty ? nil : random.pick(fingers)
        let known = siege.scene.world.device.enrolled
        if let finger, can.contains(.tryFinger) || known.contains(finger) { events.append(.presented(finger)) }
        if let finger = somebody.fingers.intersection(known).first(where: { _ in true }) {
            events.append(.presented(finger))
        }
        if can.contains(.lock) { events += [.lock, .emergency] }
        if can.contains(.reboot) { events.append(.reboot) }
        if can.contains(.permit) { events += [.biometryPermitted(.first), .biometryDenied(.first)] }
        events += [.companionNear, .companionAway, .companionUnlocked, .companionLocked]
        if can.contains(.enroll), let finger { events += [.enrolled(finger), .enrolled(finger), .presented(finger)] }
        if can.contains(.remove) {
            events += known.union(somebody.fingers).prefix(7).map(Event.removed)
            events.append(.biometryReset)
        }
        if can.contains(.changePasscode) { events += [.passcodeSet(own), .passcodeChanged(own)] }
        if can.contains(.removePasscode) { events.append(.passcodeRemoved) }
        if can.contains(.pair) {
            events.append(.companionUnpaired)
            if somebody.profile.carries.contains(.ownCompanion), somebody.profile.knows.contains(.appleAccount) {
                events.append(.companionPaired)
            }
        }
        if can.contains(.backUp) { events += [.backupTaken(encrypted: true), .backupTaken(encrypted: false)] }
        if can.contains(.restore), !spares || random.once(in: 4) {
            events += [.restoredOntoThisDevice, .restoredOntoAnotherDevice]
        }
        if can.contains(.erase), !spares { events.append(.erase) }
        if can.contains(.wait), let wait = wait() { events += [wait, wait] }
        return random.pick(events)
    }

    private mutating func wait() -> Event? {
        let spans: [TimeSpan] = [
            .seconds(1), .seconds(9), .seconds(11), .minutes(1), .minutes(4), .minutes(6), .minutes(16), .hours(1),
            .hours(5), .hours(9), .hours(49), .hours(160),
        ]
        let span =
            random.once(in: 3) ? TimeSpan.seconds(Int64.random(in: 0..<700_000, using: &random)) : random.pick(spans)
        guard let left = siege.timeLeft else { return .timePassed(span) }
        if left == .zero { return nil }
        return .timePassed(TimeSpan(milliseconds: min(span.milliseconds, left.milliseconds)))
    }
}

extension Siege {
    /// Returns the aim that an attacker has reached with these bytes from the item in this place; nil if they stored
    /// the bytes themselves.
    fileprivate func aim(of gain: Gain, at place: Int, isOwners: Bool) -> Aim? {
        switch gain {
        case .secret(let secret): secret == items[place].secret ? .read : nil
        case .key(let secret): secret == items[place].secret ? .use : nil
        case .attributes: isOwners ? .list : nil
        case .overwritten: isOwners ? .overwrite : nil
        case .deleted: isOwners ? .destroy : nil
        case .stored: nil
        }
    }
}
