import Foundation
import LatchkeyTesting
import LocalAuthentication
import Testing

/// Semantics 6.2 and 6.6: the prompts of `evaluateAccessControl`, and the calls that count its success.
@Suite struct EvaluatedControlTests {
    /// An access control with the result and the prompts of each operation, for the owner of a device with a companion
    /// near.
    struct Demand: Sendable, CustomTestStringConvertible {
        typealias Answer = (number: Int, factors: [PromptRecord.Factor])
        let testDescription: String
        let flags: SecAccessControlCreateFlags
        /// createItem, useItem, createKey, useKeySign, useKeyDecrypt, useKeyKeyExchange.
        let answers: [Answer]

        init(_ words: String, _ flags: SecAccessControlCreateFlags, _ answers: [Answer]) {
            (testDescription, self.flags, self.answers) = (words, flags, answers)
        }
    }

    private static let silent: Demand.Answer = (0, [])
    private static let denied: Demand.Answer = (-1, [])
    private static func asks(_ factors: PromptRecord.Factor...) -> Demand.Answer { (0, factors) }
    private static func item(_ answer: Demand.Answer) -> [Demand.Answer] {
        // Without privateKeyUsage, there is no entry for signing or key agreement, and no default.
        [silent, answer, silent, denied, answer, denied]
    }
    private static func key(_ answer: Demand.Answer) -> [Demand.Answer] {
        // With it, there is no entry for reading. An item could not be stored, because nothing could ever be written to
        // it.
        [silent, denied, silent, answer, denied, answer]
    }

    static let demands: [Demand] = [
        Demand("nothing", [], [silent, silent, silent, silent, silent, silent]),
        Demand("userPresence", .userPresence, item(asks(.biometry))),
        Demand("biometryAny", .biometryAny, item(asks(.biometry))),
        Demand("biometryCurrentSet", .biometryCurrentSet, item(asks(.biometry))),
        Demand("devicePasscode", .devicePasscode, item(asks(.passcode))),
        Demand("companion", .companion, item(asks(.companion))),
        Demand("biometry and passcode", [.biometryAny, .devicePasscode], item(asks(.biometry, .passcode))),
        Demand("biometry or passcode", [.biometryAny, .or, .devicePasscode], item(asks(.biometry))),
        Demand("a key", .privateKeyUsage, key(silent)),
        Demand("a key, biometryAny", [.privateKeyUsage, .biometryAny], key(asks(.biometry))),
        Demand("a key, devicePasscode", [.privateKeyUsage, .devicePasscode], key(asks(.passcode))),
    ]

    @Test(arguments: demands) func anAccessControlAsksForWhatItsOperationNeeds(_ demand: Demand) async {
        for (operation, answer) in zip(LAAccessControlOperation.allCases, demand.answers) {
            let device = SimulatedDevice()
            device.companion = .ready
            await device.run {
                let number = await LAContext().outcome(of: demand.flags, operation)
                #expect(number == answer.number && device.factors == answer.factors, "\(operation): \(device)")
            }
        }
    }

    static let controls: [Fact] = [
        Fact("success counts for that access control and operation", on: { SimulatedDevice() }) { device in
            add("token", .biometryCurrentSet)
            let context = LAContext()
            #expect(await context.outcome(of: .biometryCurrentSet) == 0)
            #expect(await context.outcome(of: .biometryCurrentSet) == 0)
            #expect(read("token", in: context) == errSecSuccess && device.factors == [.biometry])
        },
        Fact("createItem of biometry where nobody is enrolled is -7", on: { SimulatedDevice(enrolled: []) }) { _ in
            for flags: SecAccessControlCreateFlags in [.biometryAny, .biometryCurrentSet] {
                #expect(await LAContext().outcome(of: flags, .createItem) == -7)
            }
            #expect(await LAContext().outcome(of: .userPresence, .createItem) == 0)
        },
        Fact("createItem without a passcode is -5", on: { .simulator() }) { _ in
            #expect(await LAContext().outcome(of: .userPresence, .createItem) == -5)
            #expect(await LAContext().outcome(of: .devicePasscode, .createItem) == -5)
            #expect(await LAContext().outcome(of: [], .createItem) == 0)
        },
        Fact("createItem of a companion that is not paired is -11", on: { SimulatedDevice() }) { _ in
            #expect(await LAContext().outcome(of: .companion, .createItem) == -11)
        },
        Fact("createItem of a password asks for a new one", on: { SimulatedDevice() }) { device in
            device.user = Person(applicationPassword: "password")
            #expect(await LAContext().outcome(of: .applicationPassword, .createItem) == 0)
            #expect(device.factors == [.applicationPassword])
        },
        Fact("useItem of a password asks for it", on: { SimulatedDevice() }) { device in
            device.user = Person(applicationPassword: "password")
            #expect(await LAContext().outcome(of: .applicationPassword) == 0)
            #expect(device.factors == [.applicationPassword])
        },
        Fact("useItem of a password that was set asks nobody", on: { SimulatedDevice() }) { device in
            let context = LAContext()
            context.setCredential(Data("password".utf8), type: .applicationPassword)
            #expect(await context.outcome(of: .applicationPassword) == 0)
            #expect(device.prompts.isEmpty)
        },
        Fact("biometry of an access control offers no way to the passcode", on: { SimulatedDevice() }) { device in
            device.user = Person(passcode: "1234")
            #expect(await LAContext().outcome(of: .biometryAny) == -2)
            #expect(!device.prompts[0].offersFallback)
        },
        Fact("a lockout is -8 for biometry, and the passcode for presence", on: { SimulatedDevice() }) { device in
            for _ in 1...5 { device.unlock(finger: "another finger") }
            #expect(await LAContext().outcome(of: .biometryAny) == -8)
            #expect(await LAContext().outcome(of: .userPresence) == 0)
            #expect(device.factors == [.passcode])
        },
        Fact("a protection that ends with a restart is met by nothing", on: { SimulatedDevice() }) { device in
            let access = try #require(SecAccessControlCreateWithFlags(nil, "f", .biometryAny, nil))
            await #expect(throws: LAError.self) {
                try await LAContext().evaluateAccessControl(access, operation: .useItem, localizedReason: "a test")
            }
            #expect(device.prompts.isEmpty)
        },
    ]

    @Test(arguments: controls) func anEvaluatedAccessControlIsAsApplesIs(_ fact: Fact) async throws {
        try await fact.check()
    }
}
