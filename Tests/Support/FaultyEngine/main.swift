internal import AccessPolicy
internal import PolicyProver

// Proves every shipped claim on an engine with the given fault, and prints the claims whose answer changes.

seededFault = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 0
for shipped in ShippedClaim.all {
    // It counts as a changed answer, too, if an item cannot be stored any more.
    guard let scene = try? shipped.scene else {
        print("\(shipped.name): cannot be stored")
        continue
    }
    let verdict = await Prover(scene, limits: SearchLimits(situations: 100_000)).prove(shipped.claim)
    let steps = verdict.story?.steps.count
    if verdict.answer != shipped.answer || steps != shipped.steps {
        print("\(shipped.name): \(verdict.answer)\(steps.map { " in \($0) steps" } ?? "")")
    }
}
