import Foundation
import LatchkeyCryptoKit
import LatchkeyTesting
import LocalAuthentication
import Security
import Testing

@Suite struct ForgetfulSuite {
    let device = SimulatedDevice()

    @Test func forgets() {
        let status = KeychainCalls.store()
        #expect(status == errSecSuccess)  // After the call, so that optimized code keeps this function on the stack.
    }

    @Test func forgetsInATask() async { await Task { _ = KeychainCalls.store() }.value }

    @Test func forgetsInADetachedTask() async { await KeychainCalls.storeInADetachedTask() }

    @Test func forgetsAnEvaluation() async {
        _ = try? await LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "a test")
    }

    @Test func forgetsADomainState() { _ = LAContext().domainState }

    @Test func forgetsARight() async { try? await LARight().checkCanAuthorize() }

    @Test func forgetsAnEnclaveKey() throws { _ = try SecureEnclave.P256.Signing.PrivateKey() }

    @Test func makesAnAccessControl() {
        #expect(SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .biometryAny, nil) != nil)
        #expect(SecCopyErrorMessageString(errSecSuccess, nil) != nil)
    }

    @Test func setsTheDefault() async {
        SimulatedDevice.processDefault = device
        KeychainCalls.store()
        await KeychainCalls.storeInADetachedTask()
        KeychainCalls.storeOnAThread()
        #expect(device.world.items.count == 3)
    }

    /// The test and the whole run end while the call is recorded.
    @Test func leavesATaskBehind() async {
        Task { KeychainCalls.store() }
        while !"\(device)".contains("none was chosen: 1") { await Task.yield() }
    }

    /// To look up the stacks of all calls would take minutes.
    @Test func forgetsOften() { for _ in 0..<60 { KeychainCalls.store() } }

    /// A thread outlives the run that started it.
    @Test func leavesAThreadBehind() {
        let (go, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        device.run {
            Thread.detachNewThread {
                go.wait()
                KeychainCalls.store()
                done.signal()
            }
        }
        go.signal()
        done.wait()
    }
}

@Suite struct DevicelessSuite {
    @Test func showsItsBundle() { print("The bundle is \(Bundle.main.bundleIdentifier ?? "unknown").") }

    @Test func storesWithoutADevice() { KeychainCalls.store() }

    @Test func storesBeforeThereIsADevice() {
        KeychainCalls.store()
        _ = SimulatedDevice()
    }
}

@Suite(.device) struct DeviceSuite {
    @Test func asksItsDevice() throws {
        let device = try #require(SimulatedDevice.current)
        KeychainCalls.store()
        #expect(device.world.items.count == 1 && device.enrolled == ["face"])
    }

    @Test(.device(reach: .process)) func asksItElsewhere() async throws {
        let device = try #require(SimulatedDevice.current)
        await KeychainCalls.storeInADetachedTask()
        #expect(device.world.items.count == 1)
    }
}

/// Two tests that run at the same time: the device of one reaches the whole process, and the other has none.
@Suite struct SharedSuite {
    /// The steps of the two tests, in order.
    private static let steps = AsyncStream<Void>.makeStream()
    private static let isDone = AsyncStream<Void>.makeStream()

    @Test(.device(reach: .process)) func reachesTheProcess() async {
        Self.steps.continuation.finish()
        for await _ in Self.isDone.stream {}
        await KeychainCalls.storeInADetachedTask()
        #expect(SimulatedDevice.current?.world.items.count == 2)
    }

    @Test func forgetsBesideTheOther() async {
        for await _ in Self.steps.stream {}
        KeychainCalls.store()
        Self.isDone.continuation.finish()
    }
}
