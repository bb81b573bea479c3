import Foundation
import LatchkeyTesting
import Security
import Synchronization
import Testing

/// Shared web credentials, as an app without associated domains gets them (semantics 2.14).
@Suite struct SharedWebCredentialTests {
    /// Returns the code of the error of an add.
    private func add(_ site: String, _ account: String, _ password: String?) async -> Int? {
        await withCheckedContinuation { continuation in
            SecAddSharedWebCredential(site as CFString, account as CFString, password as CFString?) { error in
                continuation.resume(returning: error?.code)
            }
        }
    }

    @Test func sharingTakesAnEntitlement() async {
        #expect(await add("example.com", "ann", "s3cret") == Int(errSecMissingEntitlement))
        #expect(await add("example.com", "ann", nil) == Int(errSecMissingEntitlement))
        #expect(await add("", "ann", "s3cret") == Int(errSecParam))
        #expect(await add("example.com", "", nil) == Int(errSecParam))
        let error: (any Error)? = await withCheckedContinuation { continuation in
            shareLogin("ann", "s3cret") { continuation.resume(returning: $0) }
        }
        #expect((error as NSError?)?.domain == NSOSStatusErrorDomain)
    }

    @Test(
        arguments: [
            (nil, nil, errSecParam, false), ("", nil, errSecParam, false), ("example.com", "", errSecParam, false),
            ("example.com", nil, errSecItemNotFound, true), ("example.com", "ann", errSecItemNotFound, true),
        ] as [(String?, String?, OSStatus, Bool)])
    func nothingIsShared(_ site: String?, _ account: String?, _ status: OSStatus, _ isAnswered: Bool) async {
        let (count, code): (Int?, Int?) = await withCheckedContinuation { continuation in
            SecRequestSharedWebCredential(site as CFString?, account as CFString?) { credentials, error in
                continuation.resume(returning: (credentials.map(CFArrayGetCount), error?.code))
            }
        }
        #expect(count == (isAnswered ? 0 : nil) && code == Int(status))
    }

    @Test func anAppThatAsksGetsNone() async {
        let (logins, code): ([[String: String]]?, Int?) = await withCheckedContinuation { continuation in
            sharedLogins(of: "example.com") { continuation.resume(returning: ($0, $1)) }
        }
        #expect(logins == [] && code == Int(errSecItemNotFound))
    }

    @Test func theReplyComesOnTheDeviceOfTheCaller() async {
        let device = SimulatedDevice()
        let isSame = await device.run {
            await withCheckedContinuation { continuation in
                SecAddSharedWebCredential("example.com", "ann", nil) { _ in
                    continuation.resume(returning: SimulatedDevice.current === device)
                }
            }
        }
        #expect(isSame)
    }

    @Test func aPasswordHasApplesForm() {
        var seen: Set<String> = []
        var characters: Set<Character> = []
        for _ in 0..<2000 {
            let password = newPassword()
            #expect(password.wholeMatch(of: /[a-zA-Z2-9]{3}(-[a-zA-Z2-9]{3}){3}/) != nil, "\(password)")
            #expect(password.contains(/[a-z]/) && password.contains(/[A-Z]/) && password.contains(/[3-9]/))
            seen.insert(password)
            characters.formUnion(password)
        }
        #expect(seen.count == 2000)
        // 55 characters and the separator: those that look like another one are left out.
        #expect(characters.count == 56 && characters.isDisjoint(with: "ijlIO01"))
    }
}
