import Foundation
import LatchkeyFiles
import LatchkeyTesting
import Testing

/// The example of the reference of `ProtectedData`, word for word.
@Suite struct ProtectedDataExamples {
    @Test func aFileOfClassAOpensWithTheNextUnlock() throws {
        let device = SimulatedDevice()
        let url = device.files.appending(path: "journal")
        try ProtectedData.write(Data("Met him.".utf8), to: url, options: .completeFileProtection)
        device.lock()
        device.advance(by: .seconds(11))
        do {
            _ = try ProtectedData.read(contentsOf: url)
        } catch CocoaError.fileReadNoPermission {
            print("The journal opens with the next unlock.")
        }
        #expect(throws: CocoaError.self) { try ProtectedData.read(contentsOf: url) }
        device.unlock(passcode: "1234")
        #expect(try ProtectedData.read(contentsOf: url) == Data("Met him.".utf8))
    }
}
