import AccessPolicy
import DeviceModel
import Measuring

// Prints our figures as JSON lines or, with the argument `workload`, the decisions for the peers.

let workload = try Workload(count: 4_096)
if CommandLine.arguments.dropFirst().first == "workload" {
    print(workload.json, terminator: "")
} else {
    for figure in try figures() { figure.print() }
}

func figures() throws -> [Figure] {
    let questions = workload.questions
    let untraced = nanoseconds(per: questions.count) {
        for question in questions { keep(decide(question.request, under: question.conditions)) }
    }
    let traced = nanoseconds(per: questions.count) {
        for question in questions {
            var trace = Trace()
            keep(decide(question.request, under: question.conditions, into: &trace))
            keep(trace)
        }
    }
    let blocks = allocations {
        for question in questions { keep(decide(question.request, under: question.conditions)) }
    }

    guard let code = Passcode(rawValue: 1), let wrong = Passcode(rawValue: 2), let finger = Finger(rawValue: 0),
        let other = Finger(rawValue: 1)
    else { return [] }
    let events: [Event] = [
        .lock, .timePassed(.seconds(10)), .presented(finger), .presented(other), .passcodeEntered(wrong),
        .passcodeEntered(code), .enrolled(other), .removed(other), .reboot, .presented(finger), .passcodeEntered(code),
        .companionPaired, .companionNear, .companionUnpaired, .emergency, .passcodeEntered(code),
    ]
    var device = Device(passcode: code, enrolled: [finger])
    let rounds = 256
    let apply = nanoseconds(per: rounds * events.count) {
        for _ in 0..<rounds { for event in events { keep(device.apply(event)) } }
    }

    var world = World(Device(passcode: code, enrolled: [finger]))
    let owner = Person(fingers: [finger], passcode: code)
    var slots: [SlotID] = []
    for flags in [AccessControlFlags.biometryAny, .userPresence, [.biometryAny, .or, .devicePasscode], []] {
        let control = try AccessControl(protection: .whenUnlocked, flags: flags)
        slots.append(try world.store(Item(control)))
    }
    let steps = slots.map { Call(.readData, $0, by: owner) }
    let step = nanoseconds(per: rounds * (events.count + steps.count)) {
        for _ in 0..<rounds {
            for event in events { keep(world.apply(event)) }
            for call in steps { keep(world.perform(call)) }
        }
    }
    let normal = nanoseconds(per: 4_096) { for _ in 0..<4_096 { keep(world.normalized) } }

    return [
        Figure(name: "decide.untraced.ns", value: untraced, unit: "ns", runs: 31),
        Figure(name: "decide.traced.ns", value: traced, unit: "ns", runs: 31),
        Figure(name: "decide.allocations", value: Double(blocks) / Double(questions.count), unit: "blocks", runs: 1),
        Figure(name: "device.apply.ns", value: apply, unit: "ns", runs: 31),
        Figure(name: "world.step.ns", value: step, unit: "ns", runs: 31),
        Figure(name: "world.normalised.ns", value: normal, unit: "ns", runs: 31),
        Figure(name: "world.bytes", value: Double(MemoryLayout<World>.size), unit: "bytes", runs: 1),
    ]
}
