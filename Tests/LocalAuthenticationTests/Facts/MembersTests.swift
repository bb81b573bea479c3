import Foundation
import LatchkeyTesting
import LocalAuthentication
import Testing

/// Semantics 6.1: the members of `LAContext`, and their values at first.
@Suite struct MembersTests {
    static let facts: [Fact] = [
        Fact("canEvaluatePolicy fills the error where it says no", on: { .simulator() }) { _ in
            var error: NSError?
            #expect(!LAContext().canEvaluatePolicy(.deviceOwnerAuthentication, error: &error))
            #expect(error?.domain == LAErrorDomain && error?.code == LAError.passcodeNotSet.rawValue)
        },
        Fact("canEvaluatePolicy takes no error where nobody wants one", on: { .simulator() }) { _ in
            #expect(!LAContext().canEvaluatePolicy(.deviceOwnerAuthentication, error: nil))
        },
        Fact("evaluatePolicy replies", on: { SimulatedDevice() }) { _ in
            let reply: (Bool, (any Error)?) = await withCheckedContinuation { continuation in
                LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "a test") { isMet, error in
                    continuation.resume(returning: (isMet, error))
                }
            }
            #expect(reply.0 && reply.1 == nil)
        },
        Fact("evaluatePolicy replies false and an LAError", on: { .simulator() }) { _ in
            let reply: (Bool, (any Error)?) = await withCheckedContinuation { continuation in
                LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "a test") { isMet, error in
                    continuation.resume(returning: (isMet, error))
                }
            }
            #expect(!reply.0 && (reply.1 as? LAError)?.code == .passcodeNotSet)
        },
        Fact("evaluatePolicy is also for whoever can wait", on: { SimulatedDevice() }) { _ in
            let isMet = try await LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "a test")
            #expect(isMet)
        },
        Fact("evaluatePolicy throws for whoever can wait", on: { .simulator() }) { _ in
            await #expect(throws: LAError.self) {
                try await LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "a test")
            }
        },
        Fact("evaluateAccessControl replies", on: { SimulatedDevice() }) { _ in
            let access = try #require(
                SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .biometryAny, nil))
            let isMet = await withCheckedContinuation { continuation in
                LAContext().evaluateAccessControl(access, operation: .useItem, localizedReason: "a test") { isMet, _ in
                    continuation.resume(returning: isMet)
                }
            }
            #expect(isMet)
        },
        Fact("evaluateAccessControl is also for whoever can wait", on: { SimulatedDevice() }) { _ in
            #expect(await LAContext().outcome(of: .biometryAny) == 0)
        },
        Fact("invalidate ends a context", on: { SimulatedDevice() }) { _ in
            let context = LAContext()
            context.invalidate()
            #expect(await context.outcome() == LAError.invalidContext.rawValue)
        },
        Fact("setCredential takes a password of the application") {
            #expect(LAContext().setCredential(Data("password".utf8), type: .applicationPassword))
        },
        Fact("isCredentialSet is false at first") {
            #expect(!LAContext().isCredentialSet(.applicationPassword) && !LAContext().isCredentialSet(.smartCardPIN))
        },
        Fact("isCredentialSet is true for what was set") {
            let context = LAContext()
            context.setCredential(Data("password".utf8), type: .applicationPassword)
            #expect(context.isCredentialSet(.applicationPassword))
        },
        Fact("localizedFallbackTitle is nil at first, and kept") {
            let context = LAContext()
            #expect(context.localizedFallbackTitle == nil)
            context.localizedFallbackTitle = "Use the code"
            #expect(context.localizedFallbackTitle == "Use the code")
        },
        Fact("localizedCancelTitle is nil at first, and kept") {
            let context = LAContext()
            #expect(context.localizedCancelTitle == nil)
            context.localizedCancelTitle = "Not now"
            #expect(context.localizedCancelTitle == "Not now")
        },
        Fact("localizedReason is empty at first, and kept") {
            let context = LAContext()
            #expect(context.localizedReason.isEmpty)
            context.localizedReason = "to read the token"
            #expect(context.localizedReason == "to read the token")
        },
        Fact("interactionNotAllowed is false at first, and kept") {
            let context = LAContext()
            #expect(!context.interactionNotAllowed)
            context.interactionNotAllowed = true
            #expect(context.interactionNotAllowed)
        },
        Fact("touchIDAuthenticationAllowableReuseDuration is zero at first, and kept") {
            let context = LAContext()
            #expect(context.touchIDAuthenticationAllowableReuseDuration == 0)
            context.touchIDAuthenticationAllowableReuseDuration = 10
            #expect(context.touchIDAuthenticationAllowableReuseDuration == 10)
        },
        Fact("LATouchIDAuthenticationMaximumAllowableReuseDuration is five minutes") {
            #expect(LATouchIDAuthenticationMaximumAllowableReuseDuration == 300)
        },
        Fact("biometryType is none at first") { #expect(LAContext().biometryType == .none) },
        Fact("evaluatedPolicyDomainState is nil at first") { #expect(LAContext().evaluatedPolicyDomainState == nil) },
        Fact("domainState is there at once", on: { SimulatedDevice() }) { _ in
            #expect(LAContext().domainState.biometry.biometryType == .touchID)
        },
        Fact("maxBiometryFailures is nil at first, and has no effect", on: { SimulatedDevice() }) { device in
            let context = LAContext()
            #expect(context.maxBiometryFailures == nil)
            context.maxBiometryFailures = 1
            device.user = Person(fingers: ["another finger"])
            #expect(await context.outcome() == LAError.authenticationFailed.rawValue)
            #expect(device.prompts.map(\.attempts) == [3])
        },
    ]

    @Test(arguments: facts) func aMemberIsAsApplesIs(_ fact: Fact) async throws { try await fact.check() }
}
