import LatchkeyTesting
import TestSupport
import Testing

/// A suite whose tests each have a device of their own.
@Suite(.device(.iPhoneWithFaceID())) struct DeviceTraitTests {
    @Test(arguments: 0..<4) func eachTestHasADeviceOfItsOwn(_ number: Int) throws {
        let device = try #require(SimulatedDevice.current)
        #expect(device.enrolled == ["face"] && device.world.items.isEmpty)
        try TokenStore().save("token \(number)", flags: [])
        #expect(try TokenStore().load() == "token \(number)" && device.world.items.count == 1)
    }

    @Test(.device(SimulatedDevice(passcode: nil))) func aTestCanHaveAnother() throws {
        #expect(try #require(SimulatedDevice.current).passcode == nil)
    }

    struct Inner {
        @Test func aSuiteInsideHasTheTraitToo() { #expect(SimulatedDevice.current?.enrolled == ["face"]) }
    }
}

/// A test whose suite has taken a turn does not wait for another.
@Suite(.device(.iPhoneWithFaceID(), reach: .process), .setsTheProcess) struct ReachTests {
    @Test(.device(.mac(), reach: .process)) func aTestCanHaveAnotherThatReachesTheProcess() async throws {
        let device = try #require(SimulatedDevice.current)
        #expect(device.enrolled != ["face"])
        #expect(await Task.detached { SimulatedDevice.current === device }.value)
    }

    /// A device that the test gives to the process by itself is not lost.
    @Test func theFormerDeviceReturns() async throws {
        let device = try #require(SimulatedDevice.current)
        let trait = DeviceTrait.device(.mac(), reach: .process)
        let test = try #require(Test.current)
        try await trait.provideScope(for: test, testCase: nil) { #expect(SimulatedDevice.processDefault !== device) }
        #expect(SimulatedDevice.processDefault === device)
    }
}

/// No other suite sets a default for the process, or allows stray calls, meanwhile.
@Suite(.serialized, .setsTheProcess) struct StrayCallTests {
    @Test func aStrayCallIsAnIssueOfItsTest() {
        _ = SimulatedDevice()
        withKnownIssue {
            _ = TokenStore().status()
        } matching: { issue in
            "\(issue)".contains("SecItemCopyMatching was called without a simulated device")
        }
    }

    @Test func aDeviceThatGotNoCallSaysHowManyWentAstray() {
        let device = SimulatedDevice()
        withKnownIssue { _ = TokenStore().status() }
        #expect("\(device)".contains("no call reached this device; calls that were made where none was chosen: "))
        device.run { _ = TokenStore().status() }
        #expect(!"\(device)".contains("no call reached this device"))
    }
}
