import Foundation
import Latchkey
import LocalAuthentication
import Security
import SodiumKit
import Synchronization
import TestSupport
import Testing

/// Tests of application passwords on a vault that keeps secrets, where stretching one takes half a second.
@Suite struct PasswordTests {
    private let folder: TemporaryFolder
    private let keychain: Keychain

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
        keychain = try Keychain.create(at: folder.path("vault"), passcode: SecureBytes("1234")).keychain
    }

    private final class Outcome: Sendable {
        private let value = Mutex(false)
        var isSet: Bool {
            get { value.withLock { $0 } }
            set { value.withLock { $0 = newValue } }
        }
    }

    /// Sets a password on a thread of its own, and repeats `body` meanwhile. Returns whether the password was set, and
    /// how often `body` ran.
    private func setPassword(of context: LAContext, meanwhile body: () -> Void) -> (isSet: Bool, times: Int) {
        let outcome = Outcome()
        let isOver = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            outcome.isSet = GuessCost.genuine {
                context.setCredential(Data("a password".utf8), type: .applicationPassword)
            }
            isOver.signal()
        }
        var times = 0
        while isOver.wait(timeout: .now() + .milliseconds(5)) == .timedOut {
            body()
            times += 1
        }
        return (outcome.isSet, times)
    }

    private func item(_ more: [CFString: Any]) -> CFDictionary {
        [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "me"].merging(more) { $1 } as CFDictionary
    }

    @Test func nobodyWaitsWhileItIsStretched() {
        let context = LAContext()
        keychain.asCurrent { #expect(SecItemCopyMatching(item([kSecUseAuthenticationContext: context]), nil) != 0) }
        let (isSet, times) = setPassword(of: context) { context.localizedReason += "!" }
        #expect(isSet && context.isCredentialSet(.applicationPassword))
        // A call that waited for it would run once or twice.
        #expect(times > 3)
        context.invalidate()
        #expect(!context.isCredentialSet(.applicationPassword))
        keychain.close()
    }

    @Test func whatEndsMeanwhileHasNoPassword() {
        let context = LAContext()
        keychain.asCurrent { #expect(SecItemCopyMatching(item([kSecUseAuthenticationContext: context]), nil) != 0) }
        let (isSet, times) = setPassword(of: context) { context.invalidate() }
        #expect(times > 0 && !isSet && !context.isCredentialSet(.applicationPassword))
        #expect(!context.setCredential(Data("another".utf8), type: .applicationPassword))
        keychain.close()
    }

    @Test func itOpensWhatItWasStoredWith() {
        keychain.asCurrent {
            let access = SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .applicationPassword, nil)
            let context = LAContext()
            context.setCredential(Data("a password".utf8), type: .applicationPassword)
            let added = SecItemAdd(
                item([
                    kSecAttrAccessControl: access as Any, kSecValueData: Data("s3cret".utf8),
                    kSecUseAuthenticationContext: context,
                ]), nil)
            #expect(added == errSecSuccess)
            // One context gets its password before its first use on the keychain, the other afterwards.
            for isLate in [false, true] {
                let other = LAContext()
                if isLate { SecItemCopyMatching(item([kSecAttrServer: 1, kSecUseAuthenticationContext: other]), nil) }
                other.setCredential(Data("a password".utf8), type: .applicationPassword)
                var found: CFTypeRef?
                let status = SecItemCopyMatching(
                    item([kSecReturnData: true, kSecUseAuthenticationContext: other]), &found)
                #expect(status == errSecSuccess && found as? Data == Data("s3cret".utf8))
            }
            #expect(SecItemCopyMatching(item([kSecReturnData: true]), nil) == errSecUserCanceled)
        }
        keychain.close()
    }
}
