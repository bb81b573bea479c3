import Foundation
import LatchkeyTesting
import Security
import Testing

/// Keys that are stored as bytes.
@Suite struct KeysTests {
    /// Semantics 4.2: an item without an access control allows everything, so the bytes of a private key can be read.
    @Test func thePrivateKeyThatIsStoredAsBytesComesBack() {
        let device = SimulatedDevice()
        let play = Play(device: device)
        device.run {
            for name in [kSecAttrKeyClassPrivate as Any, 1, "1"] {
                let query: [CFString: Any] = [
                    kSecClass: kSecClassKey, kSecAttrKeyClass: name, kSecAttrApplicationTag: "t",
                ]
                #expect(play.add(query.holding("bytes")) == "0")
                #expect(play.copy(query.data) == "0 bytes" && play.delete(query) == "0")
                #expect(play.add(query.holding("bytes").guarded(by: .biometryAny)) == "0")
                #expect(play.copy(query.data.failing) == "-25308" && play.copy(query.data) == "0 bytes")
                #expect(play.delete(query) == "0")
            }
        }
    }

}
