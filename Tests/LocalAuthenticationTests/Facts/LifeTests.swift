import Foundation
import LatchkeyTesting
import LocalAuthentication
import Testing

/// Semantics 6.6: the life of an authenticated context.
@Suite struct LifeTests {
    static let keychain: [Fact] = [
        Fact("an authenticated context reads without a sheet", on: { SimulatedDevice() }) { device in
            add("token", .biometryAny)
            let context = LAContext()
            #expect(await context.outcome() == 0)
            #expect(read("token", in: context) == errSecSuccess && device.factors == [.biometry])
        },
        Fact("a read asks on the context, and later ones with it are silent", on: { SimulatedDevice() }) { device in
            add("one", .biometryAny)
            add("two", .userPresence)
            let context = LAContext()
            #expect(read("one", in: context) == errSecSuccess && read("two", in: context) == errSecSuccess)
            #expect(await context.outcome() == 0)
            #expect(device.factors == [.biometry])
        },
        Fact("without a context every read asks", on: { SimulatedDevice() }) { device in
            add("token", .biometryAny)
            #expect(read("token") == errSecSuccess && read("token") == errSecSuccess)
            #expect(device.factors == [.biometry, .biometry])
        },
        Fact("each context asks for itself", on: { SimulatedDevice() }) { device in
            add("token", .biometryAny)
            #expect(read("token", in: LAContext()) == errSecSuccess && read("token", in: LAContext()) == errSecSuccess)
            #expect(device.factors == [.biometry, .biometry])
        },
        Fact("policy 2 by passcode opens what wants presence or the passcode", on: { SimulatedDevice() }) { device in
            add("presence", .userPresence)
            add("passcode", .devicePasscode)
            device.user = Person(passcode: "1234")
            let context = LAContext()
            #expect(await context.outcome(.deviceOwnerAuthentication) == 0)
            device.clearRecords()
            #expect(read("presence", in: context) == errSecSuccess && read("passcode", in: context) == errSecSuccess)
            #expect(device.prompts.isEmpty)
        },
        Fact("policy 2 by passcode does not open what wants biometry", on: { SimulatedDevice() }) { device in
            add("token", .biometryAny)
            device.user = Person(passcode: "1234")
            let context = LAContext()
            #expect(await context.outcome(.deviceOwnerAuthentication) == 0)
            device.clearRecords()
            #expect(read("token", in: context) == errSecUserCanceled && device.factors == [.biometry])
        },
        Fact("biometry does not open what wants the passcode", on: { SimulatedDevice() }) { device in
            add("token", .devicePasscode)
            let context = LAContext()
            #expect(await context.outcome() == 0)
            #expect(read("token", in: context) == errSecSuccess && device.factors == [.biometry, .passcode])
        },
        Fact("biometry of before a new finger does not open the former set", on: { SimulatedDevice() }) { device in
            add("token", .biometryCurrentSet)
            let context = LAContext()
            #expect(await context.outcome() == 0)
            device.enroll("left thumb")
            #expect(read("token", in: context) == errSecItemNotFound)
        },
        Fact("an invalidated context is -25293 to the keychain", on: { SimulatedDevice() }) { device in
            add("token", .biometryAny)
            let context = LAContext()
            #expect(await context.outcome() == 0)
            context.invalidate()
            #expect(read("token", in: context) == errSecAuthFailed && device.prompts.count == 1)
        },
        Fact("the passcode that opens a right password needs both", on: { SimulatedDevice() }) { device in
            add("token", [.biometryAny, .and, .devicePasscode])
            let context = LAContext()
            #expect(await context.outcome() == 0)
            #expect(read("token", in: context) == errSecSuccess && device.factors == [.biometry, .passcode])
        },
    ]

    static let invalidating: [Fact] = [
        Fact("invalidate can be called twice", on: { SimulatedDevice() }) { _ in
            let context = LAContext()
            context.invalidate()
            context.invalidate()
            #expect(await context.outcome() == -10)
            #expect(context.preflight() == -10)
        },
        Fact("after an evaluation, everything is -10", on: { SimulatedDevice() }) { _ in
            let context = LAContext()
            #expect(await context.outcome() == 0)
            context.invalidate()
            for policy in LAPolicy.allCases { #expect(await context.outcome(policy) == -10) }
            #expect(await context.outcome(of: .biometryAny) == -10)
        },
        Fact("it stays invalidated on a device that it comes to later") {
            let context = LAContext()
            context.invalidate()
            await SimulatedDevice().run { #expect(await context.outcome() == -10) }
        },
        Fact("during an evaluation, from another thread, it is -9, and -10 from then on", on: { SimulatedDevice() }) {
            device in
            let shown = device.holdStill()
            let context = LAContext()
            async let outcome = context.outcome()
            await shown.next()
            Thread.detachNewThread { context.invalidate() }
            #expect(await outcome == -9)
            #expect(await context.outcome() == -10)
        },
        Fact("during a keychain call it is -25293", on: { SimulatedDevice() }) { device in
            add("token", .biometryAny)
            let shown = device.holdStill()
            let context = LAContext()
            async let status = device.onThread { read("token", in: context) }
            await shown.next()
            context.invalidate()
            #expect(await status == errSecAuthFailed)
        },
        Fact("another context's evaluation goes on", on: { SimulatedDevice() }) { device in
            let shown = device.holdStill()
            let (first, second) = (LAContext(), LAContext())
            async let outcome = first.outcome()
            await shown.next()
            second.invalidate()
            first.invalidate()
            #expect(await outcome == -9)
        },
        Fact("it ends what is under way on every device") {
            let (one, two) = (SimulatedDevice(), SimulatedDevice())
            let (shownOnOne, shownOnTwo) = (one.holdStill(), two.holdStill())
            let context = LAContext()
            async let onOne = one.run { await context.outcome() }
            await shownOnOne.next()
            async let onTwo = two.run { await context.outcome() }
            await shownOnTwo.next()
            context.invalidate()
            #expect(await [onOne, onTwo] == [-9, -9])
        },
        Fact("a lock during a keychain call is -25293", on: { SimulatedDevice() }) { device in
            add("token", .biometryAny)
            let shown = device.holdStill()
            async let status = device.onThread { read("token", in: LAContext()) }
            await shown.next()
            device.lock()
            #expect(await status == errSecAuthFailed)
        },
        Fact("a release ends what was proved", on: { SimulatedDevice() }) { device in
            add("token", .biometryAny)
            weak var released: LAContext?
            do {
                let context = LAContext()
                released = context
                #expect(await context.outcome() == 0)
            }
            for _ in 1...180_000 where released != nil { usleep(1000) }
            #expect(released == nil)
        },
    ]

    static let validity: [Fact] = [
        Fact("it is valid until it is invalidated", on: { SimulatedDevice() }) { device in
            let context = LAContext()
            #expect(await context.outcome() == 0)
            device.advance(by: .seconds(3600))
            #expect(await context.outcome() == 0)
            #expect(device.prompts.count == 1)
        },
        Fact(
            "or for ten minutes",
            on: {
                var fidelity = Fidelity()
                fidelity.contextLifetime = .tenMinutes
                return SimulatedDevice(fidelity: fidelity)
            }
        ) { device in
            let context = LAContext()
            #expect(await context.outcome() == 0)
            device.advance(by: .seconds(599))
            #expect(await context.outcome() == 0)
            #expect(device.prompts.count == 1)
            device.advance(by: .seconds(2))
            #expect(await context.outcome() == 0)
            #expect(device.prompts.count == 2)
        },
        Fact("a lock ends it", on: { SimulatedDevice() }) { device in
            add("token", .biometryAny)
            let context = LAContext()
            #expect(await context.outcome() == 0)
            device.lock()
            device.unlock(passcode: "1234")
            #expect(read("token", in: context) == errSecSuccess && device.prompts.count == 2)
        },
        Fact("it counts on the device where it was proved, and on no other") {
            let (one, two) = (SimulatedDevice(), SimulatedDevice())
            let context = LAContext()
            for device in [one, two, one, two] { await device.run { #expect(await context.outcome() == 0) } }
            #expect(one.factors == [.biometry] && two.factors == [.biometry])
            two.run { add("token", .biometryAny) }
            two.user = .absent
            one.run { #expect(read("token", in: context) == errSecItemNotFound) }
            two.run { #expect(read("token", in: context) == errSecSuccess) }
        },
        Fact("its words and password go along to another device") {
            let (one, two) = (SimulatedDevice(), SimulatedDevice())
            let context = LAContext()
            context.localizedFallbackTitle = "Use the code"
            context.setCredential(Data("password".utf8), type: .applicationPassword)
            for device in [one, two] {
                await device.run {
                    #expect(add("token", .applicationPassword, in: context) == errSecSuccess)
                    #expect(read("token", in: context) == errSecSuccess && device.prompts.isEmpty)
                    #expect(await context.outcome() == 0)
                    #expect(device.prompts.map(\.fallbackTitle) == ["Use the code"])
                }
            }
        },
        Fact("it outlives a device, and its calls fail no worse for it") {
            let context = LAContext()
            for _ in 1...3 {
                await SimulatedDevice().run { #expect(await context.outcome() == 0) }
                #expect(context.setCredential(Data("password".utf8), type: .applicationPassword))
                #expect(context.setCredential(nil, type: .applicationPassword))
            }
            await SimulatedDevice().run { #expect(await context.outcome() == 0) }
        },
    ]

    static let credentials: [Fact] = [
        Fact("nil removes a credential", on: { SimulatedDevice() }) { device in
            let context = LAContext()
            context.setCredential(Data("password".utf8), type: .applicationPassword)
            #expect(add("token", .applicationPassword, in: context) == errSecSuccess)
            #expect(context.setCredential(nil, type: .applicationPassword))
            #expect(!context.isCredentialSet(.applicationPassword))
            #expect(read("token", in: context) == errSecUserCanceled && device.factors == [.applicationPassword])
        },
        Fact("an unsupported kind is not taken") {
            let context = LAContext()
            #expect(!context.setCredential(Data("1234".utf8), type: .smartCardPIN))
            #expect(!context.isCredentialSet(.smartCardPIN))
        },
        Fact("an invalidated context takes none, and has none", on: { SimulatedDevice() }) { _ in
            let context = LAContext()
            context.setCredential(Data("password".utf8), type: .applicationPassword)
            context.invalidate()
            #expect(!context.isCredentialSet(.applicationPassword))
            #expect(!context.setCredential(Data("password".utf8), type: .applicationPassword))
            #expect(!context.setCredential(nil, type: .applicationPassword))
        },
        Fact("a wrong one does not open", on: { SimulatedDevice() }) { device in
            let context = LAContext()
            context.setCredential(Data("password".utf8), type: .applicationPassword)
            #expect(add("token", .applicationPassword, in: context) == errSecSuccess)
            let other = LAContext()
            other.setCredential(Data("another".utf8), type: .applicationPassword)
            other.interactionNotAllowed = true
            #expect(read("token", in: other) == errSecAuthFailed)
            #expect(device.prompts.isEmpty)
        },
        Fact("whoever knows it is asked where none is set", on: { SimulatedDevice() }) { device in
            let context = LAContext()
            context.setCredential(Data("password".utf8), type: .applicationPassword)
            #expect(add("token", .applicationPassword, in: context) == errSecSuccess)
            device.user = Person(applicationPassword: "password")
            #expect(read("token") == errSecSuccess && device.factors == [.applicationPassword])
        },
    ]

    @Test(arguments: keychain) func aContextServesTheKeychain(_ fact: Fact) async throws { try await fact.check() }
    @Test(arguments: invalidating) func anInvalidatedContextIsOver(_ fact: Fact) async throws { try await fact.check() }
    @Test(arguments: validity) func aProofLastsAsLongAsItShould(_ fact: Fact) async throws { try await fact.check() }
    @Test(arguments: credentials) func aCredentialIsTheContexts(_ fact: Fact) async throws { try await fact.check() }
}
