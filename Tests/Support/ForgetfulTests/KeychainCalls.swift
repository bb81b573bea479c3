import Dispatch
import Foundation
import LocalAuthentication
import Security

/// The code under test, which uses the keychain from here and elsewhere.
enum KeychainCalls {
    // Inlined into a loop, it has no line of its own in the stack.
    @inline(never) @discardableResult
    static func store() -> OSStatus {
        SecItemAdd([kSecClass: kSecClassGenericPassword, kSecAttrAccount: UUID().uuidString] as CFDictionary, nil)
    }

    static func storeOnAThread() {
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            store()
            done.signal()
        }
        done.wait()
    }

    static func storeInADetachedTask() async { await Task.detached { _ = store() }.value }
}
