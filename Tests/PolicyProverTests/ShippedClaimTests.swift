import AccessPolicy
import PolicyProver
import Testing

@Suite struct ShippedClaimTests {
    /// Each proof takes less than a hundred milliseconds on an idle core. The test allows ten times that on a busy one.
    @Test func allAreAnsweredAsTheySay() async throws {
        var slowest = (name: "", time: Duration.zero)
        for shipped in ShippedClaim.all {
            let prover = Prover(try shipped.scene)
            let start = ContinuousClock.now
            let verdict = await prover.prove(shipped.claim)
            let time = ContinuousClock.now - start
            if time > slowest.time { slowest = (shipped.name, time) }
            let steps = verdict.story?.steps.count
            let told = verdict.story.map { story in story.steps.map(story.words) } ?? []
            #expect(
                verdict.answer == shipped.answer && steps == shipped.steps,
                "\(shipped.name): \(verdict.answer) in \(steps ?? 0) of \(verdict.extent): \(told)")
            #expect(time < .seconds(1), "\(shipped.name) took \(time)")
        }
        print("\(ShippedClaim.all.count) claims, the slowest \(slowest.name) in \(slowest.time)")
    }

    @Test func eachHasANameOfItsOwnAndASentence() {
        #expect(Set(ShippedClaim.all.map(\.name)).count == ShippedClaim.all.count)
        #expect(
            ShippedClaim.all.allSatisfy {
                $0.about.hasSuffix(".") && $0.name.allSatisfy { $0.isLowercase || $0 == "-" }
            })
    }
}
