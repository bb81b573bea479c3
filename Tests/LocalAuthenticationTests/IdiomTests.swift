import Foundation
import LatchkeyTesting
import LocalAuthentication
import Testing

/// The code of apps does what its authors mean.
@Suite struct IdiomTests {
    private func login(on device: SimulatedDevice) async -> Login.Outcome {
        await device.run {
            await withCheckedContinuation { continuation in
                Login.authenticate { continuation.resume(returning: $0) }
            }
        }
    }

    private func device(_ user: Person) -> SimulatedDevice {
        let device = SimulatedDevice()
        device.user = user
        return device
    }

    @Test func aLoginByReplyKnowsItsOutcomes() async {
        #expect(await login(on: SimulatedDevice()) == .success)
        #expect(await login(on: device(.absent)) == .canceled)
        #expect(await login(on: device(Person(passcode: "1234"))) == .fallback)
        #expect(await login(on: device(.stranger)) == .failed("not recognized"))
        #expect(await login(on: SimulatedDevice(enrolled: [])) == .unavailable(.touchID))
    }

    @Test func aLoginThatWaitsKnowsItsOutcomes() async {
        #expect(await SimulatedDevice().run { await Login.authenticate() } == .success)
        #expect(await device(.absent).run { await Login.authenticate() } == .canceled)
        let failed = await SimulatedDevice.simulator().run { await Login.authenticate() }
        #expect(failed == .failed("No device passcode is set."))
    }

    @Test @MainActor func aViewModelUnlocksAndCancels() async {
        let device = SimulatedDevice()
        await device.run {
            let screen = LockScreen()
            screen.unlock()
            for _ in 1...180_000 where !screen.isUnlocked { try? await Task.sleep(for: .milliseconds(1)) }
            #expect(screen.isUnlocked && screen.message == nil)
            let another = LockScreen()
            await another.unlockAndWait()
            #expect(another.isUnlocked)
            let late = LockScreen()
            late.cancel()
            await late.unlockAndWait()
            #expect(!late.isUnlocked && late.message == "The context has been invalidated.")
        }
    }

    @Test @MainActor func aViewModelConfirmsWithTheKeyOfARight() async throws {
        let device = SimulatedDevice()
        try await device.run {
            for _ in 1...2 {
                let payments = Payments()
                try await payments.prepare()
                #expect(try await payments.confirm(Data("5 to Bob".utf8)) && payments.signature != nil)
            }
            #expect(device.prompts.map(\.reason) == ["Confirm the payment", "Confirm the payment"])
        }
    }

    @Test func aMockIsWhatAnAppSees() async throws {
        let mock = ContextMock()
        let context: LAContext = mock
        var error: NSError?
        #expect(context.canEvaluatePolicy(.deviceOwnerAuthentication, error: &error) && error == nil)
        #expect(sensorName(context) == "Face ID" && context.evaluatedPolicyDomainState == Data([1, 2, 3]))
        mock.error = LAError(.userFallback)
        #expect(!context.canEvaluatePolicy(.deviceOwnerAuthentication, error: &error) && error?.code == -3)
        let reply: (any Error)? = await withCheckedContinuation { continuation in
            context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "a test") { _, error in
                continuation.resume(returning: error)
            }
        }
        #expect((reply as? LAError)?.code == .userFallback)
        // The asynchronous form calls the form with a reply, so a mock of one is a mock of both.
        #expect(await context.outcome(.deviceOwnerAuthentication) == -3)
        context.invalidate()
        #expect(mock.isInvalidated && context.setCredential(nil, type: .smartCardPIN))
        #expect(await (AsyncContextMock() as LAContext).outcome() == -8)
    }

    @Test func aMockWorksAsTheContextOfACall() {
        let device = SimulatedDevice()
        device.run {
            add("secret", .biometryAny)
            #expect(readSecret(in: ContextMock()) == (errSecSuccess, Data("s3cret".utf8)))
            #expect(device.prompts.map(\.reason) == ["Read your secret"])
        }
    }

    // MARK: - Errors

    /// Every number with a name, and some without.
    private static let codes: [LAError.Code] = [-15, -77, -1004, 0, 1, .min, .max].map(code) + (-14...(-1)).map(code)

    private static func code(_ number: Int) -> LAError.Code {
        guard let code = LAError.Code(rawValue: number) else { preconditionFailure("Apple's enumeration is open") }
        return code
    }

    @Test(arguments: codes) func anErrorCrossesInterfacesAndComesBack(_ code: LAError.Code) throws {
        let error = LAError(code, userInfo: ["key": "value"])
        let anyError: any Error = error
        let crossed = anyError as NSError
        #expect(crossed.domain == LAErrorDomain && crossed.code == code.rawValue)
        #expect(crossed.userInfo["key"] as? String == "value" && error.userInfo["key"] as? String == "value")
        #expect(anyError._code == code.rawValue && anyError._domain == LAErrorDomain)
        let back = try #require((crossed as any Error) as? LAError)
        #expect(back == error && back.code == code && back.errorCode == code.rawValue)
        #expect(back.hashValue == error.hashValue && Set([back, error]).count == 1)
        #expect(LAError(_nsError: crossed) == error && (error as NSError).isEqual(crossed))
        #expect((error as any CustomNSError).errorUserInfo["key"] as? String == "value")
        #expect(Login.number(of: error) == code.rawValue)
        do {
            throw crossed as any Error
        } catch let error as LAError {
            #expect(error.code == code)
        } catch {
            Issue.record("it is no LAError any more")
        }
        #expect(throws: LAError.self) { throw crossed }
    }

    @Test func anErrorOfAnotherDomainIsNoLAError() {
        let error: any Error = NSError(domain: NSOSStatusErrorDomain, code: -2)
        #expect(error as? LAError == nil && Login.number(of: error) == nil)
    }

    /// Apple's enumeration is open: a number without a name is an `LAError` too, and matches no `case`.
    @Test func anErrorWithAnUnknownNumberIsCaughtAndSwitchedOver() throws {
        let error = LAError(_nsError: NSError(domain: LAErrorDomain, code: -9999))
        #expect(error.code.rawValue == -9999 && error.errorCode == -9999 && error.localizedDescription != "")
        do {
            throw NSError(domain: LAErrorDomain, code: -9999)
        } catch LAError.userCancel, LAError.biometryLockout {
            Issue.record("it is none of these")
        } catch let error as LAError {
            switch error.code {
            case .authenticationFailed, .userCancel, .userFallback, .systemCancel, .passcodeNotSet,
                .biometryNotAvailable,
                .biometryNotEnrolled, .biometryLockout, .appCancel, .invalidContext, .companionNotAvailable,
                .biometryNotPaired, .biometryDisconnected, .invalidDimensions, .notInteractive:
                Issue.record("it is none of these")
            @unknown default: #expect(error.code.rawValue == -9999)
            }
        }
    }

    @Test func differentErrorsDiffer() {
        #expect(LAError(.userCancel) != LAError(.systemCancel))
        #expect(LAError(.userCancel) != LAError(.userCancel, userInfo: ["key": "value"]))
        #expect(LAError(.userCancel) == LAError(.userCancel))
        #expect(LAError(.userCancel).hashValue == LAError(.userCancel).hashValue)
        #expect(Set([LAError(.userCancel), LAError(.userCancel)]).count == 1)
        #expect(Set(Self.codes.map { LAError($0) }).count == Self.codes.count)
    }

    @Test func whatADeviceSaysIsInWords() async throws {
        let device = SimulatedDevice(enrolled: [])
        let error = await device.run {
            await #expect(throws: LAError.self) {
                try await LAContext().evaluatePolicy(
                    .deviceOwnerAuthenticationWithBiometrics, localizedReason: "a test")
            }
        }
        let known = try #require(error)
        #expect(known.localizedDescription == "No finger or face is enrolled.")
        #expect(known.userInfo[NSDebugDescriptionErrorKey] is String)
        #expect(!LAError(.userCancel).localizedDescription.isEmpty)
    }

    /// Compiles the code of apps as another package would, with warnings as errors.
    @Test(arguments: ["5", "6"]) func appsCompile(_ version: String) throws {
        let tests = URL(filePath: #filePath).deletingLastPathComponent()
        let said = try diagnostics(
            of: [
                tests.appending(path: "AppCode/Idioms.swift"),
                tests.appending(path: "../SecurityTests/Idioms/AppCode.swift"),
                tests.appending(path: "../../Fixtures/apps/LocalAuthenticationIdioms.swift"),
            ], "-swift-version", version, "-warnings-as-errors")
        #expect(said == [])
    }

    /// A protocol whose reply may not cross threads is refused for `LAContext` exactly as for a class that is imported
    /// from Objective-C, as Apple's is: with a warning in Swift 5, and with an error in Swift 6.
    @Test(arguments: ["5", "6"]) func aReplyThatMayNotCrossThreadsIsRefusedAsApplesIs(_ version: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "latchkey-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func file(_ name: String, _ text: String) throws -> URL {
            let file = folder.appending(path: name)
            try Data(text.utf8).write(to: file)
            return file
        }
        func conformance(_ policy: String, _ reason: String) -> String {
            """
            protocol Authenticating {
                func evaluatePolicy(
                    _ policy: \(policy), localizedReason: \(reason), reply: @escaping (Bool, (any Error)?) -> Void)
            }
            extension LAContext: Authenticating {}
            """
        }
        let header = try file(
            "LAContext.h",
            """
            __attribute__((objc_root_class)) @interface LAContext
            - (void)evaluatePolicy:(long)policy localizedReason:(long)localizedReason
                reply:(void (^ _Nonnull)(_Bool, void *_Nullable))reply;
            @end
            """)
        let imported = try file(
            "Imported.swift",
            conformance("Int", "Int").replacing("(any Error)?", with: "UnsafeMutableRawPointer?"))
        let ours = try file(
            "Ours.swift", "import LocalAuthentication\n" + conformance("LAPolicy", "String"))
        let expected = try diagnostics(
            of: [imported], "-swift-version", version, "-import-objc-header", header.path,
            "-Xfrontend", "-enable-objc-interop", "-Xfrontend", "-disable-objc-attr-requires-foundation-module",
            "-module-cache-path", folder.path)
        #expect(expected.count == 1 && expected.allSatisfy { $0.contains("sendability of function types") })
        #expect(try diagnostics(of: [ours], "-swift-version", version) == expected)
    }

    /// Compiles these files as another package would, and returns the warnings and errors, without their places.
    private func diagnostics(of files: [URL], _ options: String...) throws -> [String] {
        let modules = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "Modules")
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources")
        // Every module of C that an imported module may need.
        let headers = try FileManager.default.contentsOfDirectory(at: sources, includingPropertiesForKeys: nil)
            .filter { $0.lastPathComponent.hasPrefix("C") }.flatMap { [$0, $0.appending(path: "include")] }
            .filter { FileManager.default.fileExists(atPath: $0.appending(path: "module.modulemap").path) }
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments =
            ["swiftc", "-typecheck", "-diagnostic-style", "llvm", "-I", modules.path] + options
            + headers.flatMap { ["-I", $0.path] } + files.map(\.path)
        let output = Pipe()
        compiler.standardError = output
        try compiler.run()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        compiler.waitUntilExit()
        let found = said.split(separator: "\n").compactMap { line in
            line.firstMatch(of: /(warning|error): .*/).map { String($0.0) }
        }
        return compiler.terminationStatus == 0 || !found.isEmpty ? found : [said]
    }
}
