import AccessPolicy
import DeviceModel
import TestSupport
import Testing

/// Checks that `World.normalized` maps two worlds to one only if they behave the same in every future.
@Suite struct NormalFormTests {
    enum Move: Sendable {
        case event(Event)
        case act(Event, Person)
        case call(Call, reuse: TimeSpan)

        /// Does this to a world. Returns what an observer sees of it.
        func observe(_ world: inout World) -> Sight {
            switch self {
            case .event(let event): return .effects(Self.visible(world.apply(event)))
            case .act(let event, let person): return .effects(Self.visible(world.act(event, by: person)))
            case .call(let call, let reuse):
                var context = Context()
                context.reuse = reuse
                let outcome = world.perform(call, in: &context)
                return .verdict(
                    isGranted: outcome.decision.isGranted, denial: outcome.decision.denial?.rule,
                    ways: outcome.decision.denial?.ways, prompts: Array(outcome.prompts))
            }
        }

        /// Returns the effects with the counters in them at zero.
        private static func visible(_ effects: Effects) -> [Effect] {
            effects.map { effect in
                switch effect {
                case .createPasscodeClass: .createPasscodeClass(0)
                case .destroyPasscodeClass: .destroyPasscodeClass(0)
                // Of a counter as well, whether it goes or begins.
                case .destroyDomainState, .beginDomainState: .beginDomainState(.former)
                case .destroySensor: .destroySensor(0)
                default: effect
                }
            }
        }
    }

    /// The result that an observer sees: verdict and prompts, without times or counters.
    enum Sight: Equatable {
        case effects([Effect])
        case verdict(isGranted: Bool, denial: Rule?, ways: Ways?, prompts: [Factor])
    }

    static func world(_ random: inout SeededGenerator) -> World {
        var world = World(History.device(&random))
        for _ in 0..<3 {
            let flags = random.pick(flagSets)
            let control = Cast.control(flags, random.pick(Accessibility.allCases))
            let item = Item(control)
            if (try? world.store(item, applicationPassword: 1)) == nil { _ = world.place(item, stored: false) }
        }
        return world
    }

    static let flagSets: [AccessControlFlags] = [
        [], .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, .companion, .applicationPassword,
        [.biometryAny, .or, .devicePasscode], [.biometryCurrentSet, .or, .devicePasscode],
        [.biometryCurrentSet, .devicePasscode], [.biometryAny, .companion, .or],
        [.biometryAny, .applicationPassword],
    ]

    static func move(_ random: inout SeededGenerator) -> Move {
        let people = [Cast.owner, Cast.stranger, Cast.passcodeThief, .absent]
        switch Int.random(in: 0..<10, using: &random) {
        case 0...3: return .event(History.event(&random))
        case 4, 5: return .act(History.event(&random), random.pick(people))
        default:
            let action = random.pick([Action.readData, .readData, .readAttributes, .add, .update, .delete, .probe])
            guard let slot = SlotID(rawValue: UInt8.random(in: 0..<3, using: &random)) else { return .event(.lock) }
            var call = Call(action, slot, by: random.pick(people))
            call.interaction = random.pick([.allowed, .allowed, .allowed, .fail, .skip])
            call.applicationPassword = random.pick([0, 1, 2])
            if action == .update || action == .add, random.once(in: 3) {
                call.subject = .item(slot, action, control: Cast.control(random.pick(flagSets)))
            }
            switch Int.random(in: 0..<12, using: &random) {
            case 0: call.subject = .policy(random.pick(AuthenticationPolicy.allCases))
            case 1: call.subject = .accessControl(Cast.control(random.pick(flagSets)), .readData)
            case 2: call.interaction = .preflight
            default: break
            }
            return .call(call, reuse: random.pick([.zero, .seconds(10), .minutes(5)]))
        }
    }

    /// Returns a sequence of moves that distinguishes two worlds with the same normal form; nil if none does.
    private static func difference(
        _ one: World, _ other: World, _ moves: [Move], depth: Int
    ) -> [Move]? {
        guard depth > 0 else { return nil }
        for move in moves {
            var left = one
            var right = other
            if move.observe(&left) != move.observe(&right) { return [move] }
            if let rest = difference(left, right, moves, depth: depth - 1) { return [move] + rest }
        }
        return nil
    }

    /// Tries every sequence of up to five moves from a few, and a long random one from all.
    private static func future(
        tellingApart one: World, _ other: World, _ random: inout SeededGenerator
    ) -> [Move]? {
        let few = [move(&random), move(&random), .event(.timePassed(random.pick(History.waits)))]
        if let story = difference(one, other, few, depth: 5) { return story }
        var left = one
        var right = other
        var story: [Move] = []
        for _ in 0..<40 {
            let next = move(&random)
            story.append(next)
            if next.observe(&left) != next.observe(&right) { return story }
        }
        return nil
    }

    /// Searches for two worlds with the same normal form that some future distinguishes.
    private static func counterexample(
        seeds: Range<UInt64>, by normal: (World) -> World
    ) -> (compared: Int, story: String?) {
        var compared = 0
        for seed in seeds {
            var random = SeededGenerator(seed: seed)
            var worlds: [World: World] = [:]
            var world = world(&random)
            let start = world
            for step in 0..<120 {
                if step % 40 == 39 { world = start }
                _ = move(&random).observe(&world)
                // Candidates are an earlier world of the same history, and this world after some time.
                var later = world
                later.apply(.timePassed(random.pick(History.waits)))
                var twins = worlds.updateValue(world, forKey: normal(world)).map { [$0] } ?? []
                if normal(later) == normal(world) { twins.append(later) }
                for twin in twins where twin != world {
                    compared += 1
                    if let story = future(tellingApart: world, twin, &random) {
                        return (compared, "seed \(seed): \(story) tells apart\n\(world)\n\(twin)")
                    }
                }
            }
        }
        return (compared, nil)
    }

    @Test(arguments: [0, 1]) func noFutureTellsWorldsOfOneNormalFormApart(_ half: UInt64) {
        let histories: UInt64 = Soak.isExhaustive ? 1_500 : 60
        let found = Self.counterexample(seeds: half * histories..<(half + 1) * histories) { $0.normalized }
        print("normal form: \(found.compared) pairs of worlds, no future tells them apart: \(found.story == nil)")
        #expect(found.story == nil)
        #expect(found.compared > 500)
    }

    @Test func normalizingTwiceIsNormalizingOnceAndChangesNoVerdict() {
        for seed in 0..<2_000 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            var world = Self.world(&random)
            for _ in 0..<20 { _ = Self.move(&random).observe(&world) }
            var normal = world.normalized
            #expect(normal.normalized == normal, "seed \(seed)")
            for _ in 0..<20 {
                let next = Self.move(&random)
                let seen = next.observe(&world)
                let after = next.observe(&normal)
                if after != seen {
                    Issue.record("seed \(seed): \(after) instead of \(seen) by \(next)")
                    return
                }
            }
        }
    }

    // Days without the passcode and hours without biometry are too rare in the random histories, so they are tested
    // here.
    @Test func whenBiometryWasLastUsedIsTold() {
        func world(_ idle: TimeSpan) -> World {
            var world = World(Cast.device())
            for event in [Event.timePassed(.hours(155)), .lock, .presented(Cast.index), .timePassed(idle)] {
                world.apply(event)
            }
            return world
        }
        var one = world(.hours(2))
        var other = world(.hours(3))
        #expect(one.normalized != other.normalized)
        #expect(one.normalized.device.lastPasscode == other.normalized.device.lastPasscode)
        one.apply(.timePassed(.minutes(90)))
        other.apply(.timePassed(.minutes(90)))
        #expect(one.device.passcodeReasons.isEmpty)
        #expect(other.device.passcodeReasons == [.passcodeUnused])
    }

    /// A part of the state that a normal form would be wrong to leave out.
    enum Omission: String, CaseIterable, Sendable {
        case failedMatches = "failed matches"
        case wrongPasscodes = "wrong passcodes"
        case lastPasscode = "when the passcode was last used"
        case delayedUntil = "how long the device waits"
        case lastUnlocked = "when the device was last unlocked"
        case biometricUnlock = "the unlock that may be reused"
        case passcodeReasons = "why the passcode is required"
        case bindings = "what items are bound to"

        func forget(in world: inout World) {
            switch self {
            case .failedMatches: world.device.failedMatches = 0
            case .wrongPasscodes: world.device.wrongPasscodes = []
            case .lastPasscode: world.device.lastPasscode = .start
            case .delayedUntil: world.device.delayedUntil = .start
            case .lastUnlocked: world.device.lastUnlocked = .start
            case .biometricUnlock: world.device.biometricUnlock = nil
            case .passcodeReasons: world.device.passcodeReasons = []
            case .bindings: world.slots.changeEach { $0.item.binding = nil }
            }
        }
    }

    @Test(arguments: Omission.allCases) func tooCoarseANormalFormIsFoundOut(_ omission: Omission) {
        let found = Self.counterexample(seeds: 0..<1000) { world in
            var normal = world.normalized
            omission.forget(in: &normal)
            return normal
        }
        #expect(found.story != nil, "forgetting \(omission.rawValue) passed over \(found.compared) pairs")
    }
}
