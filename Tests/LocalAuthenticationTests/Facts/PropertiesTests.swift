import Foundation
import LatchkeyTesting
import LocalAuthentication
import Testing

/// Semantics 6.5: the properties in detail.
@Suite struct PropertiesTests {
    private static func titled(_ title: String?) -> LAContext {
        let context = LAContext()
        context.localizedFallbackTitle = title
        return context
    }

    static let words: [Fact] = [
        Fact("no fallback title: the usual words", on: { SimulatedDevice() }) { device in
            #expect(await titled(nil).outcome() == 0)
            #expect(!device.prompts[0].offersFallback, "there was no miss")
            device.user = Person(passcode: "1234")
            #expect(await titled(nil).outcome() == -3)
            #expect(device.prompts[1].offersFallback && device.prompts[1].fallbackTitle == nil)
        },
        Fact("a fallback title is shown", on: { SimulatedDevice() }) { device in
            device.user = Person(passcode: "1234")
            #expect(await titled("Use the code").outcome() == -3)
            #expect(device.prompts[0].offersFallback && device.prompts[0].fallbackTitle == "Use the code")
        },
        Fact("under policy 2 it is the title of the way to the passcode", on: { SimulatedDevice() }) { device in
            device.user = Person(passcode: "1234")
            #expect(await titled("Use the code").outcome(.deviceOwnerAuthentication) == 0)
            #expect(device.prompts[0].fallbackTitle == "Use the code" && device.factors == [.biometry, .passcode])
        },
        Fact("an empty fallback title leaves only Cancel under policy 1", on: { SimulatedDevice() }) { device in
            device.user = Person(passcode: "1234")
            #expect(await titled("").outcome() == -2)
            #expect(!device.prompts[0].offersFallback)
        },
        Fact("an empty fallback title hides the button under policy 2 too", on: { SimulatedDevice() }) { device in
            device.user = Person(passcode: "1234")
            #expect(await titled("").outcome(.deviceOwnerAuthentication) == -2)
            #expect(device.factors == [.biometry] && !device.prompts[0].offersFallback)
        },
        Fact("failures lead to the passcode under policy 2 though the button is hidden", on: { SimulatedDevice() }) {
            device in
            device.user = Person(fingers: ["another finger"], passcode: "1234")
            #expect(await titled("").outcome(.deviceOwnerAuthentication) == 0)
            #expect(device.factors == [.biometry, .passcode])
        },
        Fact("a cancel title is shown", on: { SimulatedDevice() }) { device in
            let context = LAContext()
            context.localizedCancelTitle = "Not now"
            #expect(await context.outcome() == 0)
            #expect(device.prompts[0].cancelTitle == "Not now")
        },
        Fact("no cancel title, or an empty one: the usual word", on: { SimulatedDevice() }) { device in
            let context = LAContext()
            #expect(await context.outcome() == 0)
            let empty = LAContext()
            empty.localizedCancelTitle = ""
            #expect(await empty.outcome() == 0)
            #expect(device.prompts.map(\.cancelTitle) == [nil, nil])
        },
        Fact("localizedReason is for calls that say no reason", on: { SimulatedDevice() }) { device in
            add("token", .biometryAny)
            let context = LAContext()
            context.localizedReason = "to read the token"
            #expect(read("token", in: context) == errSecSuccess)
            #expect(device.prompts.map(\.reason) == ["to read the token"])
        },
        Fact("an evaluation's own reason comes before localizedReason", on: { SimulatedDevice() }) { device in
            let context = LAContext()
            context.localizedReason = "to read the token"
            #expect(await context.outcome() == 0)
            #expect(device.prompts.map(\.reason) == ["a test"] && context.localizedReason == "to read the token")
        },
        Fact("words that are changed count for the next sheet", on: { SimulatedDevice() }) { device in
            let context = titled("One")
            device.user = .absent
            _ = await context.outcome()
            context.localizedFallbackTitle = "Two"
            _ = await context.outcome()
            #expect(device.prompts.map(\.fallbackTitle) == ["One", "Two"])
        },
    ]

    static let interaction: [Fact] = [
        Fact("interactionNotAllowed: an evaluation that needs a sheet is -1004", on: { SimulatedDevice() }) { _ in
            let context = LAContext()
            context.interactionNotAllowed = true
            #expect(await context.outcome() == -1004)
            #expect(await context.outcome(of: .userPresence) == -1004)
        },
        Fact("interactionNotAllowed: the keychain says -25308", on: { SimulatedDevice() }) { device in
            add("token", .biometryAny)
            let context = LAContext()
            context.interactionNotAllowed = true
            #expect(read("token", in: context) == errSecInteractionNotAllowed)
            #expect(device.prompts.isEmpty)
        },
        Fact("interactionNotAllowed: what is proved already needs no sheet", on: { SimulatedDevice() }) { device in
            add("token", .biometryAny)
            let context = LAContext()
            #expect(await context.outcome() == 0)
            context.interactionNotAllowed = true
            #expect(await context.outcome() == 0)
            #expect(read("token", in: context) == errSecSuccess)
            #expect(device.factors == [.biometry])
        },
        Fact("interactionNotAllowed: what could never be proved is said", on: { SimulatedDevice(enrolled: []) }) { _ in
            let context = LAContext()
            context.interactionNotAllowed = true
            #expect(await context.outcome() == -7)
        },
    ]

    /// An unlock this long ago, and whether it counts in a context with this reuse duration.
    struct Reuse: Sendable, CustomTestStringConvertible {
        var testDescription: String { "\(allowed) s allowed, \(passed) passed: \(isReused ? "silent" : "asks")" }
        let allowed: Double
        let passed: Duration
        let isReused: Bool

        init(_ allowed: Double, _ passed: Duration, _ isReused: Bool) {
            (self.allowed, self.passed, self.isReused) = (allowed, passed, isReused)
        }
    }

    static let reuses: [Reuse] = [
        Reuse(0, .zero, false), Reuse(.nan, .zero, false), Reuse(-5, .zero, false), Reuse(-.infinity, .zero, false),
        Reuse(10, .seconds(9), true), Reuse(10, .seconds(11), false), Reuse(0.5, .milliseconds(400), true),
        Reuse(0.5, .milliseconds(600), false), Reuse(300, .seconds(299), true), Reuse(300, .seconds(301), false),
        Reuse(301, .seconds(301), false), Reuse(1e300, .seconds(299), true), Reuse(1e300, .seconds(301), false),
        Reuse(.infinity, .seconds(299), true), Reuse(.infinity, .seconds(301), false),
    ]

    @Test(arguments: reuses) func anUnlockByBiometryCountsForAsLongAsTheContextSays(_ row: Reuse) async {
        let device = SimulatedDevice()
        await device.run {
            device.lock()
            #expect(device.unlock(finger: "right index"))
            device.advance(by: row.passed)
            let context = LAContext()
            context.touchIDAuthenticationAllowableReuseDuration = row.allowed
            device.user = .absent
            #expect(await context.outcome() == (row.isReused ? 0 : -2), "\(device)")
        }
    }

    static let reuse: [Fact] = [
        Fact("an unlock by passcode does not count", on: { SimulatedDevice() }) { device in
            device.lock()
            device.unlock(passcode: "1234")
            let context = LAContext()
            context.touchIDAuthenticationAllowableReuseDuration = 300
            #expect(await context.outcome() == 0)
            #expect(device.factors == [.biometry])
        },
        Fact("what was proved in an app does not count", on: { SimulatedDevice() }) { device in
            #expect(await LAContext().outcome() == 0)
            let context = LAContext()
            context.touchIDAuthenticationAllowableReuseDuration = 300
            #expect(await context.outcome() == 0)
            #expect(device.factors == [.biometry, .biometry])
        },
        Fact("a finger on an unlocked device does not count", on: { SimulatedDevice() }) { device in
            device.unlock(finger: "right index")
            let context = LAContext()
            context.touchIDAuthenticationAllowableReuseDuration = 300
            #expect(await context.outcome() == 0)
            #expect(device.factors == [.biometry])
        },
        Fact("it can be set after the context was used", on: { SimulatedDevice() }) { device in
            device.lock()
            device.unlock(finger: "right index")
            let context = LAContext()
            #expect(context.preflight() == 0)
            context.touchIDAuthenticationAllowableReuseDuration = 300
            #expect(await context.outcome() == 0)
            #expect(device.prompts.isEmpty)
        },
        Fact("it counts for Face ID and policy 2", on: { .iPhoneWithFaceID() }) { device in
            device.lock()
            device.unlock(face: "face")
            let context = LAContext()
            context.touchIDAuthenticationAllowableReuseDuration = 300
            #expect(await context.outcome(.deviceOwnerAuthentication) == 0)
            #expect(device.prompts.isEmpty)
        },
    ]

    static let states: [Fact] = [
        Fact("equal states mean the same enrollment", on: { SimulatedDevice() }) { _ in
            let (first, second) = (LAContext(), LAContext())
            #expect(first.preflight() == 0 && second.preflight() == 0)
            #expect(first.evaluatedPolicyDomainState == second.evaluatedPolicyDomainState)
            #expect(first.evaluatedPolicyDomainState == first.domainState.biometry.stateHash)
        },
        Fact("an evaluation fills it too", on: { SimulatedDevice() }) { _ in
            let context = LAContext()
            #expect(await context.outcome() == 0)
            #expect(context.evaluatedPolicyDomainState == context.domainState.biometry.stateHash)
        },
        Fact("it changes with every finger, and no state comes back", on: { SimulatedDevice() }) { device in
            var states: Set<Data> = []
            for _ in 1...3 {
                for change in [{ _ = device.enroll("left thumb") }, { _ = device.remove("left thumb") }] {
                    let context = LAContext()
                    #expect(context.preflight() == 0)
                    states.insert(try #require(context.evaluatedPolicyDomainState))
                    change()
                }
            }
            #expect(states.count == 6)
        },
        Fact("it lasts through locks, restarts and a new passcode", on: { SimulatedDevice() }) { device in
            let before = try #require(LAContext().domainState.biometry.stateHash)
            device.lock()
            device.reboot()
            device.unlock(passcode: "1234")
            device.setPasscode("another")
            #expect(LAContext().domainState.biometry.stateHash == before)
        },
        Fact("it differs between devices") {
            let hashes = (1...5).map { _ in SimulatedDevice().run { LAContext().domainState.stateHash } }
            #expect(Set(hashes).count == 5 && !hashes.contains(nil))
        },
        Fact("what a context has seen stays until it looks again", on: { SimulatedDevice() }) { device in
            let context = LAContext()
            #expect(context.preflight() == 0)
            let before = context.evaluatedPolicyDomainState
            device.enroll("left thumb")
            #expect(context.evaluatedPolicyDomainState == before)
            #expect(context.preflight() == 0)
            #expect(context.evaluatedPolicyDomainState != before)
        },
        Fact(
            "domainState needs no evaluation, and is nil where nobody is enrolled",
            on: { SimulatedDevice(enrolled: []) }
        ) { device in
            let state = LAContext().domainState
            #expect(
                state.biometry.stateHash == nil && state.stateHash == nil && state.biometry.biometryType == .touchID)
            device.enroll("left thumb")
            #expect(LAContext().domainState.biometry.stateHash != nil)
        },
        Fact("domainState is nil without biometry", on: { SimulatedDevice(biometry: .none) }) { _ in
            let state = LAContext().domainState.biometry
            #expect(state.biometryType == .none && state.stateHash == nil)
        },
        Fact("domainState knows of a companion", on: { SimulatedDevice() }) { device in
            #expect(LAContext().domainState.companion.availableCompanionTypes.isEmpty)
            #expect(LAContext().domainState.companion.stateHash == nil)
            device.companion = .away
            let state = LAContext().domainState.companion
            #expect(state.availableCompanionTypes == .watch && state.stateHash != nil)
            #expect(state.stateHash(for: .watch) == state.stateHash && state.stateHash(for: .mac) == nil)
        },
        Fact("the combined hash changes with the companion, and that of biometry does not", on: { SimulatedDevice() }) {
            device in
            let before = LAContext().domainState
            device.companion = .ready
            let after = LAContext().domainState
            #expect(before.stateHash != after.stateHash && before.biometry.stateHash == after.biometry.stateHash)
            device.companion = .away
            #expect(LAContext().domainState.stateHash == after.stateHash)
        },
    ]

    @Test(arguments: words) func theWordsAreTheApps(_ fact: Fact) async throws { try await fact.check() }
    @Test(arguments: interaction) func nobodyIsAskedWhereThatIsNotAllowed(_ fact: Fact) async throws {
        try await fact.check()
    }
    @Test(arguments: reuse) func onlyAnUnlockByBiometryCounts(_ fact: Fact) async throws { try await fact.check() }
    @Test(arguments: states) func aStateTellsOfTheEnrollment(_ fact: Fact) async throws { try await fact.check() }
}
