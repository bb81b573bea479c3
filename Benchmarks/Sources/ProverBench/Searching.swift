import AccessPolicy
import DeviceModel
import Measuring
import PolicyProver

/// Searches everything that an attacker who has seen the passcode can bring about. The goal is impossible, so the
/// search is complete.
private func search(_ scene: Scene, tasks: Int) async -> Extent {
    let claim = Claim(.never(.use, against: .passcodeThief))
    let verdict = await Prover(scene, tasks: tasks).prove(claim)
    precondition(verdict.answer == .holds, "a search has to go through everything")
    return verdict.extent
}

/// Searches everything that such an attacker can bring about who also has the owner's account and a device of their own, with
/// another device of the owner in the circle.
private func searchOfTwoDevices(_ items: [Item]) throws -> Extent {
    var thief = Profile.passcodeThief
    thief.knows.insert(.appleAccount)
    thief.carries.insert(.ownDevice)
    var shared = Item(AccessControl(.whenUnlocked))
    shared.isSynchronizable = true
    var scene = try Scene(DeviceSettings(sensor: .faceID), storing: items + [shared])
    scene.joinAccount()
    let verdict = Prover(scene).prove(Claim(.never(.use, against: thief)))
    precondition(verdict.answer == .holds, "a search has to go through everything")
    return verdict.extent
}

private func timed(runs: Int, _ body: () async throws -> Void) async rethrows -> Double {
    let clock = ContinuousClock()
    var times: [Double] = []
    for _ in 0..<runs {
        let start = clock.now
        try await body()
        times.append((clock.now - start) / .nanoseconds(1))
    }
    return median(times)
}

/// Returns the processor time that such a search takes.
private func busy(_ scene: Scene, runs: Int) async -> Double {
    var times: [Double] = []
    for _ in 0..<runs {
        let start = processorNanoseconds
        keep(await search(scene, tasks: 1))
        times.append(processorNanoseconds - start)
    }
    return median(times)
}

/// Measures the speed on one core and on two, with eight items under Face ID.
func speed() async throws -> [Figure] {
    let scene = try Scene(DeviceSettings(sensor: .faceID), storing: Policies.items(Policies.eight))
    let extent = await search(scene, tasks: 1)
    let busy = await busy(scene, runs: 11)
    let one = await timed(runs: 11) { keep(await search(scene, tasks: 1)) }
    let two = await timed(runs: 11) { keep(await search(scene, tasks: 2)) }
    let seven = try Policies.items(Policies.eight.prefix(7))
    var times: [Double] = []
    var ofTwo: Extent?
    for _ in 0..<5 {
        let start = processorNanoseconds
        ofTwo = try searchOfTwoDevices(seven)
        times.append(processorNanoseconds - start)
    }
    return [
        Figure(
            name: "prover.two_devices.states_per_s", value: Double(ofTwo?.moves ?? 0) / median(times) * 1e9, unit: "/s",
            runs: 5),
        Figure(name: "prover.states_per_s", value: Double(extent.moves) / busy * 1e9, unit: "/s", runs: 11),
        Figure(name: "prover.two_tasks.ratio", value: one / two, unit: "times faster", runs: 11),
        Figure(
            name: "prover.bytes_per_state", value: Double(extent.bytes) / Double(extent.situations), unit: "bytes",
            runs: 1),
    ]
}

/// Measures each shipped claim.
func claims() async throws -> [Figure] {
    var slowest = (name: "", time: 0.0)
    var all = 0.0
    for shipped in ShippedClaim.all {
        let prover = Prover(try shipped.scene, tasks: 2)
        let time = await timed(runs: 5) { keep(await prover.prove(shipped.claim)) }
        all += time
        if time > slowest.time { slowest = (shipped.name, time) }
    }
    return [
        Figure(name: "prover.claim.slowest.ms", value: slowest.time / 1e6, unit: "ms", runs: 5),
        Figure(name: "prover.claims.ms", value: all / 1e6, unit: "ms", runs: 5),
        Figure(name: "prover.claims.count", value: Double(ShippedClaim.all.count), unit: "claims", runs: 1),
    ]
}

/// Measures the table of threats for one item, with the attacks.
func threats() async throws -> [Figure] {
    let scene = try Scene(DeviceSettings(sensor: .faceID), storing: Policies.items([.biometryCurrentSet]))
    let time = await timed(runs: 11) { keep(Threats(scene)) }
    return [Figure(name: "prover.threats.ms", value: time / 1e6, unit: "ms", runs: 11)]
}

/// Computes the tables of `scenes` with two tasks.
private func tables(of scenes: [Scene]) async {
    await withTaskGroup(of: Void.self) { group in
        for part in 0..<2 {
            group.addTask { for scene in stride(from: part, to: scenes.count, by: 2) { keep(Threats(scenes[scene])) } }
        }
    }
}

/// Measures the tables of every policy.
func everything() async throws -> [Figure] {
    let items = Policies.all
    var scenes: [Scene] = []
    for first in stride(from: 0, to: items.count, by: 8) {
        scenes.append(try Scene(storing: Array(items[first..<min(first + 8, items.count)])))
    }
    let time = await timed(runs: 3) { await tables(of: scenes) }
    return [
        Figure(name: "prover.everything.s", value: time / 1e9, unit: "s", runs: 3),
        Figure(name: "prover.demands.count", value: Double(items.count), unit: "demands", runs: 1),
    ]
}

/// Measures the growth with more items and more fingers.
func growth() async throws -> [Figure] {
    var figures: [Figure] = []
    func measure(_ what: String, _ scene: Scene) async {
        let extent = await search(scene, tasks: 1)
        let time = await busy(scene, runs: 5)
        figures.append(Figure(name: "\(what).states", value: Double(extent.situations), unit: "situations", runs: 1))
        figures.append(Figure(name: "\(what).ms", value: time / 1e6, unit: "ms", runs: 5))
    }
    for count in 1...Policies.eight.count {
        let items = try Policies.items(Policies.eight.prefix(count))
        await measure("prover.items.\(count)", try Scene(DeviceSettings(sensor: .faceID), storing: items))
    }
    for count in 1...Scene.mostFingers {
        await measure(
            "prover.fingers.\(count)", try Scene(fingers: count, storing: Policies.items([.biometryCurrentSet])))
    }
    return figures
}
