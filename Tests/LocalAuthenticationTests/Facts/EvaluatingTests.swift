import Foundation
import LatchkeyTesting
import LocalAuthentication
import TestSupport
import Testing

/// Semantics 6.4: evaluating a policy.
@Suite struct EvaluatingTests {
    static let facts: [Fact] = [
        Fact("policy 1 asks for biometry", on: { SimulatedDevice() }) { device in
            #expect(await LAContext().outcome() == 0)
            #expect(device.factors == [.biometry])
        },
        Fact("policy 1 never accepts the passcode", on: { SimulatedDevice() }) { device in
            device.user = Person(fingers: ["another finger"], passcode: "1234")
            #expect(await LAContext().outcome() == -1)
            #expect(device.factors == [.biometry])
        },
        Fact("policy 1 offers a fallback that ends it", on: { SimulatedDevice() }) { device in
            device.user = Person(passcode: "1234")
            #expect(await LAContext().outcome() == -3)
            #expect(device.prompts.map(\.ending) == [.fallback] && device.prompts[0].offersFallback)
            #expect(device.prompts.map(\.attempts) == [2], "the button appears after the first miss")
        },
        Fact("Touch ID fails after three tries", on: { SimulatedDevice() }) { device in
            device.user = Person(fingers: ["another finger"])
            #expect(await LAContext().outcome() == -1)
            #expect(device.prompts.map(\.attempts) == [3])
        },
        Fact("Face ID stops after two tries, and offers the fallback alone", on: { .iPhoneWithFaceID() }) { device in
            device.user = Person(fingers: ["another face"])
            #expect(await LAContext().outcome() == -1)
            #expect(device.prompts.map(\.attempts) == [3] && device.prompts[0].offersFallback)
            device.user = Person(fingers: ["another face"], prefersFallback: true)
            #expect(await LAContext().outcome() == -3)
            #expect(!device.world.isLockedOut, "two misses each: what is shown after them does not count")
        },
        Fact("Face ID without a fallback fails after two tries", on: { .iPhoneWithFaceID() }) { device in
            device.user = Person(fingers: ["another face"], prefersFallback: true)
            let context = LAContext()
            context.localizedFallbackTitle = ""
            #expect(await context.outcome() == -1)
            #expect(device.prompts.map(\.attempts) == [2] && !device.prompts[0].offersFallback)
        },
        Fact("the right face counts for nothing once Face ID has stopped", on: { .iPhoneWithFaceID() }) { device in
            let owner = Person.owner(of: device)
            device.user = Person(fingers: ["another face"])
            device.whenAsked = { device, prompt in if prompt.attempts == 3 { device.user = owner } }
            #expect(await LAContext().outcome() == -1)
        },
        Fact("five misses across evaluations are a lockout", on: { SimulatedDevice() }) { device in
            device.user = Person(fingers: ["another finger"])
            #expect(await LAContext().outcome() == -1)
            #expect(!device.world.isLockedOut)
            #expect(await LAContext().outcome() == -1)
            #expect(device.world.isLockedOut && device.prompts.map(\.attempts) == [3, 2])
            #expect(await LAContext().outcome() == -8)
            #expect(device.prompts.count == 2)
        },
        Fact("a match in between begins the count anew", on: { SimulatedDevice() }) { device in
            for _ in 1...3 {
                device.user = Person(fingers: ["another finger"])
                #expect(await LAContext().outcome() == -1)
                device.user = .owner(of: device)
                #expect(await LAContext().outcome() == 0)
            }
            #expect(!device.world.isLockedOut)
        },
        Fact(
            "the evaluation that hits the limit may end with -8",
            on: {
                var fidelity = Fidelity()
                fidelity.lockoutHit = .biometryLockout
                return SimulatedDevice(fidelity: fidelity)
            }
        ) { device in
            device.user = Person(fingers: ["another finger"])
            #expect(await LAContext().outcome() == -1)
            #expect(await LAContext().outcome() == -8)
        },
        Fact("a lockout is every app's", on: { SimulatedDevice() }) { device in
            for _ in 1...5 { device.unlock(finger: "another finger") }
            device.app = App(identifier: "com.example.other")
            #expect(await LAContext().outcome() == -8)
        },
        Fact("policy 2 asks for biometry first", on: { SimulatedDevice() }) { device in
            #expect(await LAContext().outcome(.deviceOwnerAuthentication) == 0)
            #expect(device.factors == [.biometry])
        },
        Fact("policy 2 goes on to the passcode by the fallback", on: { SimulatedDevice() }) { device in
            device.user = Person(passcode: "1234")
            #expect(await LAContext().outcome(.deviceOwnerAuthentication) == 0)
            #expect(
                device.factors == [.biometry, .passcode] && device.prompts.map(\.ending) == [.fallback, .answered])
        },
        Fact("policy 2 goes on to the passcode after repeated failure", on: { SimulatedDevice() }) { device in
            device.user = Person(fingers: ["another finger"], passcode: "1234")
            #expect(await LAContext().outcome(.deviceOwnerAuthentication) == 0)
            #expect(device.factors == [.biometry, .passcode] && device.prompts.map(\.attempts) == [3, 1])
        },
        Fact("policy 2 goes on to the passcode when it hits the lockout", on: { SimulatedDevice() }) { device in
            for _ in 1...4 { device.unlock(finger: "another finger") }
            device.user = Person(fingers: ["another finger"], passcode: "1234")
            #expect(await LAContext().outcome(.deviceOwnerAuthentication) == 0)
            #expect(device.factors == [.biometry, .passcode] && !device.world.isLockedOut)
        },
        Fact("policy 2 asks for the passcode at once during a lockout, which ends it", on: { SimulatedDevice() }) {
            device in
            for _ in 1...5 { device.unlock(finger: "another finger") }
            #expect(await LAContext().outcome(.deviceOwnerAuthentication) == 0)
            #expect(device.factors == [.passcode] && !device.world.isLockedOut)
            #expect(await LAContext().outcome() == 0)
        },
        Fact("policy 2 asks for the passcode at once where nobody is enrolled", on: { SimulatedDevice(enrolled: []) }) {
            device in
            #expect(await LAContext().outcome(.deviceOwnerAuthentication) == 0)
            #expect(device.factors == [.passcode])
        },
        Fact("policy 2 ends after three wrong passcodes", on: { SimulatedDevice(enrolled: []) }) { device in
            device.user = .stranger
            #expect(await LAContext().outcome(.deviceOwnerAuthentication) == -1)
            #expect(device.prompts.map(\.attempts) == [3])
        },
        Fact("policy 3 asks for the companion", on: { SimulatedDevice() }) { device in
            device.companion = .ready
            #expect(await LAContext().outcome(.deviceOwnerAuthenticationWithCompanion) == 0)
            #expect(device.factors == [.companion])
        },
        Fact("policy 4 asks for biometry, and then the companion", on: { SimulatedDevice() }) { device in
            device.companion = .ready
            #expect(await LAContext().outcome(.deviceOwnerAuthenticationWithBiometricsOrCompanion) == 0)
            device.user = Person(wearsCompanion: true)
            #expect(await LAContext().outcome(.deviceOwnerAuthenticationWithBiometricsOrCompanion) == 0)
            #expect(device.factors == [.biometry, .biometry, .companion])
        },
        Fact(
            "the first use of Face ID asks for permission, once",
            on: { .iPhoneWithFaceID(app: App(faceIDPermission: .notAsked)) }
        ) { device in
            #expect(await LAContext().outcome() == 0)
            #expect(await LAContext().outcome() == 0)
            #expect(device.permissionAlerts == 1 && device.app.faceIDPermission == .given)
        },
        Fact("refusing it is -6 for policy 1", on: { .iPhoneWithFaceID(app: App(faceIDPermission: .notAsked)) }) {
            device in
            device.user = Person(fingers: ["face"], passcode: "1234", permitsBiometry: false)
            #expect(await LAContext().outcome() == -6)
            #expect(await LAContext().outcome() == -6)
            #expect(device.permissionAlerts == 1 && device.app.faceIDPermission == .denied && device.prompts.isEmpty)
        },
        Fact(
            "refusing it leaves the passcode for policy 2",
            on: { .iPhoneWithFaceID(app: App(faceIDPermission: .notAsked)) }
        ) { device in
            device.user = Person(fingers: ["face"], passcode: "1234", permitsBiometry: false)
            #expect(await LAContext().outcome(.deviceOwnerAuthentication) == 0)
            #expect(device.permissionAlerts == 1 && device.factors == [.passcode])
        },
        Fact("Touch ID asks for no permission", on: { SimulatedDevice(app: App(faceIDPermission: .notAsked)) }) {
            device in
            #expect(await LAContext().outcome() == 0)
            #expect(device.permissionAlerts == 0)
        },
        Fact("the reason is shown, and who asks", on: { SimulatedDevice() }) { device in
            let isMet = try await LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "to pay")
            #expect(isMet)
            #expect(device.prompts.map(\.reason) == ["to pay"] && device.prompts.map(\.app) == ["com.example.app"])
        },
        Fact("an empty reason is an error where the test wants one", on: { SimulatedDevice() }) { device in
            device.misuse = .isAnError
            let error = await #expect(throws: (any Error).self) {
                try await LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "")
            }
            let known = try #require(error.map { $0 as NSError })
            #expect(known.domain == NSOSStatusErrorDomain && known.code == -50)
            #expect(
                device.prompts.isEmpty
                    && device.calls.last?.explanation.contains("the reason must not be empty") == true)
        },
        Fact(
            "Face ID without its text is -6 where the test wants an error",
            on: { .iPhoneWithFaceID(app: App(declaresFaceIDUsage: false)) }
        ) { device in
            device.misuse = .isAnError
            #expect(await LAContext().outcome() == -6)
            #expect(await LAContext().outcome(.deviceOwnerAuthentication) == -6)
            #expect(await LAContext().outcome(of: .biometryAny) == -6)
            #expect(device.calls.last?.explanation.contains("NSFaceIDUsageDescription") == true)
        },
        Fact("Touch ID needs no text", on: { SimulatedDevice(app: App(declaresFaceIDUsage: false)) }) { _ in
            #expect(await LAContext().outcome() == 0)
        },
        Fact("a context that is authenticated answers without a sheet", on: { SimulatedDevice() }) { device in
            let context = LAContext()
            #expect(await context.outcome() == 0)
            #expect(await context.outcome() == 0)
            #expect(await context.outcome(.deviceOwnerAuthentication) == 0)
            #expect(device.factors == [.biometry])
        },
        Fact("a new context asks again", on: { SimulatedDevice() }) { device in
            #expect(await LAContext().outcome() == 0)
            #expect(await LAContext().outcome() == 0)
            #expect(device.factors == [.biometry, .biometry])
        },
        Fact("the passcode proves no biometry", on: { SimulatedDevice() }) { device in
            let context = LAContext()
            device.user = Person(passcode: "1234")
            #expect(await context.outcome(.deviceOwnerAuthentication) == 0)
            #expect(await context.outcome() == -3)
        },
        Fact("a failed evaluation proves nothing, and the context can be used again", on: { SimulatedDevice() }) {
            device in
            let context = LAContext()
            device.user = .absent
            #expect(await context.outcome() == -2)
            device.user = .owner(of: device)
            #expect(await context.outcome() == 0)
            #expect(device.factors == [.biometry, .biometry])
        },
        Fact("the context is kept until the reply, whoever lets go of it", on: { SimulatedDevice() }) { device in
            let isMet = await withCheckedContinuation { continuation in
                LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "a test") { isMet, _ in
                    continuation.resume(returning: isMet)
                }
            }
            #expect(isMet)
        },
        Fact("a locked device shows nothing", on: { SimulatedDevice() }) { device in
            device.lock()
            #expect(await LAContext().outcome() == -1004)
            #expect(device.prompts.isEmpty)
        },
        Fact("a lock ends what was proved", on: { SimulatedDevice() }) { device in
            let context = LAContext()
            #expect(await context.outcome() == 0)
            device.lock()
            device.unlock(finger: "right index")
            #expect(await context.outcome() == 0)
            #expect(device.factors == [.biometry, .biometry])
        },
    ]

    @Test(arguments: facts) func evaluatePolicyIsAsApplesIs(_ fact: Fact) async throws { try await fact.check() }

    /// The program prints why it ends, and what a test can do about it.
    @Test(arguments: [
        ("reason", "LAContext.evaluatePolicy: the reason must not be empty"),
        ("access-control-reason", "LAContext.evaluateAccessControl: the reason must not be empty"),
        ("right-reason", "LARight.authorize: the reason must not be empty"),
        ("usage", "LAContext.evaluatePolicy: the app has no NSFaceIDUsageDescription"),
    ]) func misuseEndsTheProgramAndSaysWhy(_ what: String, _ message: String) throws {
        var program = try SpawnedProgram("misuse-exerciser", [what])
        let lines = program.lines()
        let end = program.end()
        #expect(end < 0, "it was ended by a signal, not \(end)")
        #expect(lines.contains { $0.contains(message) && $0.contains("device.misuse = .isAnError") }, "\(lines)")
        #expect(!lines.contains("outlived"))
    }

    @Test func properUseDoesNotEndTheProgram() throws {
        var program = try SpawnedProgram("misuse-exerciser", ["nothing"])
        let lines = program.lines()
        #expect(program.end() == 0 && lines == ["outlived"])
    }
}
