import LatchkeyTesting
import Security
import Testing

@Suite struct AccessControlTests {
    @Test func anAccessControlPrintsAsApplesDoes() throws {
        let access = SecAccessControlCreateWithFlags(
            nil, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, .biometryCurrentSet, nil)
        #expect(
            try #require(access).description
                == "<SecAccessControlRef: akpu;od(cbio(pbioc()pbioh()));odel(true);oe(true)>")
    }
}
