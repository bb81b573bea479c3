import AccessPolicy
import DeviceModel
import PolicyProver
import Testing

/// Properties of every search.
@Suite struct SearchPropertyTests {
    /// The number of tasks changes neither the situations that a search finds nor their order.
    @Test func moreTasksFindTheSame() async throws {
        for shipped in ShippedClaim.all {
            let scene = try shipped.scene
            let alone = Self.verdict(of: Prover(scene), on: shipped.claim)
            for tasks in [1, 2, 3, 8] {
                let together = await Prover(scene, tasks: tasks).prove(shipped.claim)
                #expect(
                    together.answer == alone.answer && together.story == alone.story
                        && together.extent.situations == alone.extent.situations
                        && together.extent.moves == alone.extent.moves, "\(shipped.name) with \(tasks) tasks")
            }
        }
    }

    /// Returns the synchronous verdict. Swift chooses that function only in a function that cannot await.
    private static func verdict(of prover: Prover, on claim: Claim) -> Verdict { prover.prove(claim) }

    /// A search without room for everything never says that a claim holds because it found nothing.
    @Test func withoutRoomNothingIsSaidToHold() async throws {
        for shipped in ShippedClaim.all where shipped.answer == .holds && shipped.steps == nil {
            let whole = await Prover(try shipped.scene).prove(shipped.claim).extent.situations
            // The owner's search is smaller than the attacker's, perhaps less than half of it.
            var room = max(1, whole / 2)
            if case .alwaysCan = shipped.claim.statement { room = 1 }
            let verdict = await Prover(try shipped.scene, limits: SearchLimits(situations: room)).prove(shipped.claim)
            #expect(verdict.answer == .undecided || whole == 1, "\(shipped.name): \(verdict.answer)")
        }
    }

    /// Interchangeable fingers are counted, so another one adds as many situations as the one before.
    @Test func moreFingersChangeNothingButTheCount() async throws {
        var sizes: [Int] = []
        for fingers in 1...5 {
            let item = Item(try AccessControl(protection: .whenUnlockedThisDeviceOnly, flags: .biometryCurrentSet))
            let scene = try Scene(fingers: fingers, storing: [item])
            let verdict = await Prover(scene).prove(Claim(.never(.read, against: .passcodeThief)))
            #expect(verdict.answer == .holds)
            sizes.append(verdict.extent.situations)
        }
        print("situations with one to five fingers: \(sizes)")
        for (less, more) in zip(sizes, sizes.dropFirst()) { #expect(Double(more) < Double(less) * 1.9 + 1) }
        #expect(sizes[4] < sizes[0] * 6)
    }
}
