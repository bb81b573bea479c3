import AccessPolicy
import DeviceModel
import PolicyProver
import Testing

/// What is true of every search, whatever it is for.
@Suite struct SearchPropertyTests {
    /// How many tasks there are changes nothing of what is found, nor the order in which it is.
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

    /// The verdict without any task: only where nothing can be awaited does Swift choose that function.
    private static func verdict(of prover: Prover, on claim: Claim) -> Verdict { prover.prove(claim) }

    /// Where there is no room to look at everything, nothing is said to hold because nothing was found.
    @Test func withoutRoomNothingIsSaidToHold() async throws {
        for shipped in ShippedClaim.all where shipped.answer == .holds && shipped.steps == nil {
            let whole = await Prover(try shipped.scene).prove(shipped.claim).extent.situations
            // An owner needs no more room than it takes to come from everywhere to the aim, which may be less than a half.
            var room = max(1, whole / 2)
            if case .alwaysCan = shipped.claim.statement { room = 1 }
            let verdict = await Prover(try shipped.scene, limits: Limits(situations: room)).prove(shipped.claim)
            #expect(verdict.answer == .undecided || whole == 1, "\(shipped.name): \(verdict.answer)")
        }
    }

    /// Fingers that nobody tells apart are counted, so another one adds as many situations as the one before.
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
