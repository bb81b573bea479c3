import Foundation
import LatchkeyTesting
import LocalAuthentication
import Testing

/// Semantics 6.2: the enumerations, with Apple's numbers.
@Suite struct NumbersTests {
    struct Number: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let present: Int
        let apples: Int

        init(_ name: String, _ present: Int, _ apples: Int) {
            (testDescription, self.present, self.apples) = (name, present, apples)
        }
    }

    static let numbers: [Number] = [
        Number(
            "LAPolicy.deviceOwnerAuthenticationWithBiometrics", Policy.deviceOwnerAuthenticationWithBiometrics.rawValue,
            1),
        Number("LAPolicy.deviceOwnerAuthentication", Policy.deviceOwnerAuthentication.rawValue, 2),
        Number("LAPolicy.deviceOwnerAuthenticationWithWatch", Policy.deviceOwnerAuthenticationWithWatch.rawValue, 3),
        Number(
            "LAPolicy.deviceOwnerAuthenticationWithCompanion", Policy.deviceOwnerAuthenticationWithCompanion.rawValue, 3
        ),
        Number(
            "LAPolicy.deviceOwnerAuthenticationWithBiometricsOrWatch",
            Policy.deviceOwnerAuthenticationWithBiometricsOrWatch.rawValue, 4),
        Number(
            "LAPolicy.deviceOwnerAuthenticationWithBiometricsOrCompanion",
            Policy.deviceOwnerAuthenticationWithBiometricsOrCompanion.rawValue, 4),
        Number("LABiometryType.none", LABiometryType.none.rawValue, 0),
        Number("LABiometryType.LABiometryNone", LABiometryType.LABiometryNone.rawValue, 0),
        Number("LABiometryType.touchID", LABiometryType.touchID.rawValue, 1),
        Number("LABiometryType.faceID", LABiometryType.faceID.rawValue, 2),
        Number("LABiometryType.opticID", LABiometryType.opticID.rawValue, 4),
        Number("LACompanionType.watch", Int(LACompanionType.watch.rawValue), 1),
        Number("LACompanionType.mac", Int(LACompanionType.mac.rawValue), 2),
        Number("LACredentialType.applicationPassword", LACredentialType.applicationPassword.rawValue, 0),
        Number("LACredentialType.smartCardPIN", LACredentialType.smartCardPIN.rawValue, -3),
        Number("LAAccessControlOperation.createItem", LAAccessControlOperation.createItem.rawValue, 0),
        Number("LAAccessControlOperation.useItem", LAAccessControlOperation.useItem.rawValue, 1),
        Number("LAAccessControlOperation.createKey", LAAccessControlOperation.createKey.rawValue, 2),
        Number("LAAccessControlOperation.useKeySign", LAAccessControlOperation.useKeySign.rawValue, 3),
        Number("LAAccessControlOperation.useKeyDecrypt", LAAccessControlOperation.useKeyDecrypt.rawValue, 4),
        Number("LAAccessControlOperation.useKeyKeyExchange", LAAccessControlOperation.useKeyKeyExchange.rawValue, 5),
        Number("LARight.State.unknown", LARight.State.unknown.rawValue, 0),
        Number("LARight.State.authorizing", LARight.State.authorizing.rawValue, 1),
        Number("LARight.State.authorized", LARight.State.authorized.rawValue, 2),
        Number("LARight.State.notAuthorized", LARight.State.notAuthorized.rawValue, 3),
    ]

    @Test(arguments: numbers) func aNumberIsApples(_ number: Number) { #expect(number.present == number.apples) }

    static let errors: [(name: String, code: LAError.Code, raw: Int)] = [
        ("authenticationFailed", LAError.authenticationFailed, -1), ("userCancel", LAError.userCancel, -2),
        ("userFallback", LAError.userFallback, -3), ("systemCancel", LAError.systemCancel, -4),
        ("passcodeNotSet", LAError.passcodeNotSet, -5), ("biometryNotAvailable", LAError.biometryNotAvailable, -6),
        ("biometryNotEnrolled", LAError.biometryNotEnrolled, -7), ("biometryLockout", LAError.biometryLockout, -8),
        ("appCancel", LAError.appCancel, -9), ("invalidContext", LAError.invalidContext, -10),
        ("companionNotAvailable", LAError.companionNotAvailable, -11),
        ("biometryNotPaired", LAError.biometryNotPaired, -12),
        ("biometryDisconnected", LAError.biometryDisconnected, -13),
        ("invalidDimensions", LAError.invalidDimensions, -14), ("notInteractive", LAError.notInteractive, -1004),
        ("touchIDNotAvailable", LAError.touchIDNotAvailable, -6),
        ("touchIDNotEnrolled", LAError.touchIDNotEnrolled, -7), ("touchIDLockout", LAError.touchIDLockout, -8),
        ("watchNotAvailable", LAError.watchNotAvailable, -11),
    ]

    @Test(arguments: errors) func anErrorHasApplesNumber(_ name: String, _ code: LAError.Code, _ raw: Int) {
        #expect(code.rawValue == raw && LAError.Code(rawValue: raw) == code)
        let error = LAError(code)
        #expect((error as NSError).code == raw && (error as NSError).domain == "com.apple.LocalAuthentication")
        #expect(LAErrorDomain == LAError.errorDomain)
    }

    @Test func aNumberThatHasNoNameIsACodeOfItsOwn() {
        let named = Set(Self.errors.map(\.code))
        for raw in [-1003, -15, 0, 1] {
            let code = LAError.Code(rawValue: raw)
            #expect(code?.rawValue == raw && code.map(named.contains) == false)
        }
    }

    /// A way to cause each error of semantics 6.2 that a device can have.
    static let causes: [Fact] = [
        Fact("-1: bad matches without a lockout", on: { SimulatedDevice() }) { device in
            device.user = .stranger
            #expect(await LAContext().outcome() == -1)
        },
        Fact("-1: a wrong passcode", on: { SimulatedDevice() }) { device in
            device.user = Person(passcode: "wrong")
            #expect(await LAContext().outcome(.deviceOwnerAuthentication) == -1)
        },
        Fact("-2: the holder dismisses the sheet", on: { SimulatedDevice() }) { device in
            device.user = .absent
            #expect(await LAContext().outcome() == -2)
        },
        Fact("-3: the holder takes the fallback under a policy of biometry only", on: { SimulatedDevice() }) { device in
            device.user = Person(passcode: "1234")
            #expect(await LAContext().outcome() == -3)
        },
        Fact("-4: the device is locked under the sheet", on: { SimulatedDevice() }) { device in
            let shown = device.holdStill()
            async let outcome = LAContext().outcome()
            await shown.next()
            device.lock()
            #expect(await outcome == -4)
        },
        Fact("-5: no passcode", on: { .simulator() }) { _ in
            #expect(await LAContext().outcome(.deviceOwnerAuthentication) == -5)
        },
        Fact("-6: no sensor", on: { SimulatedDevice(biometry: .none) }) { _ in
            #expect(await LAContext().outcome() == -6)
        },
        Fact("-6: Face ID was refused to the app", on: { .iPhoneWithFaceID(app: App(faceIDPermission: .denied)) }) {
            _ in
            #expect(await LAContext().outcome() == -6)
        },
        Fact("-7: nobody is enrolled", on: { SimulatedDevice(enrolled: []) }) { _ in
            #expect(await LAContext().outcome() == -7)
        },
        Fact("-8: biometry is locked out", on: { SimulatedDevice() }) { device in
            for _ in 1...5 { device.unlock(finger: "a stranger's") }
            #expect(await LAContext().outcome() == -8)
        },
        Fact("-9: the app invalidates the context under the sheet", on: { SimulatedDevice() }) { device in
            let shown = device.holdStill()
            let context = LAContext()
            async let outcome = context.outcome()
            await shown.next()
            context.invalidate()
            #expect(await outcome == -9)
        },
        Fact("-10: the context was invalidated before", on: { SimulatedDevice() }) { _ in
            let context = LAContext()
            context.invalidate()
            #expect(await context.outcome() == -10)
        },
        Fact("-11: no companion", on: { SimulatedDevice() }) { _ in
            #expect(await LAContext().outcome(.deviceOwnerAuthenticationWithCompanion) == -11)
        },
        Fact("-1004: somebody would have to be asked, which is not allowed", on: { SimulatedDevice() }) { device in
            let context = LAContext()
            context.interactionNotAllowed = true
            #expect(await context.outcome() == -1004)
            #expect(device.prompts.isEmpty)
        },
    ]

    @Test(arguments: causes) func anErrorHasItsCause(_ fact: Fact) async throws { try await fact.check() }

    @Test func aNumberWithoutANameIsNoneOfThem() {
        let error: any Error = NSError(domain: LAErrorDomain, code: 9999)
        #expect((error as? LAError)?.errorCode == 9999)
        do {
            throw error
        } catch LAError.userCancel {
            Issue.record("9999 is not -2")
        } catch {
            #expect((error as NSError).code == 9999)
        }
    }
}
