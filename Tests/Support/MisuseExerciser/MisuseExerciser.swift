import Foundation
import LatchkeyTesting
import LocalAuthentication

// A separate process for tests of misuse that ends a program, and of messages on standard error, which it joins with
// standard output: `misuse-exerciser <what>`. It prints "outlived" if it does not end before.
//
// - `reason`, `access-control-reason`, `right-reason` prompt without a reason.
// - `usage` uses Face ID without its usage text.
// - `thrown`, `thrown-nested`, `thrown-two` throw out of one device, out of nested devices, and out of two.
// - `wiping-NUMBER` stores a secret under an application password, both made of the number, and overwrites its own bytes. It
//   prints "holding" before and the status after, and waits for a line after each.

struct Thrown: Error {}

func fail(on device: SimulatedDevice) async throws { try device.run { throw Thrown() } }

/// Prints a line without a buffer, and waits for one.
func tellAndWait(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    _ = readLine()
}

/// Returns 48 bytes that a number makes, in memory that nothing else shares.
func bytes(of number: UInt64) -> UnsafeMutableRawBufferPointer {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 48, alignment: 16)
    var state = number
    for place in bytes.indices {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes[place] = UInt8(truncatingIfNeeded: state >> 56)
    }
    return bytes
}

/// Stores a secret as an app does that overwrites its own bytes afterwards.
func storeAndWipe(_ number: UInt64) {
    let (secret, password) = (bytes(of: number), bytes(of: ~number))
    tellAndWait("holding")
    let status = store(secret, under: password)
    for bytes in [secret, password] { for place in bytes.indices { bytes[place] = 0 } }
    tellAndWait("status \(status)")
}

func store(_ secret: UnsafeMutableRawBufferPointer, under password: UnsafeMutableRawBufferPointer) -> OSStatus {
    guard let secretBase = secret.baseAddress, let passwordBase = password.baseAddress,
        let access = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .applicationPassword, nil)
    else { return errSecParam }
    let context = LAContext()
    defer { context.invalidate() }
    let credential = Data(bytesNoCopy: passwordBase, count: password.count, deallocator: .none)
    guard context.setCredential(credential, type: .applicationPassword) else { return errSecAuthFailed }
    let item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: "token",
        kSecAttrAccessControl as String: access as Any, kSecUseAuthenticationContext as String: context,
        kSecValueData as String: Data(bytesNoCopy: secretBase, count: secret.count, deallocator: .none),
    ]
    return SecItemAdd(item as CFDictionary, nil)
}

@main struct MisuseExerciser {
    static func main() async throws {
        dup2(1, 2)
        let what = CommandLine.arguments.last
        let context = LAContext()
        let device = SimulatedDevice(
            biometry: .faceID, enrolled: ["face"], app: App(declaresFaceIDUsage: what != "usage"))
        try await device.run {
            switch what {
            case "reason":
                _ = try? await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "")
            case "access-control-reason":
                guard
                    let access = SecAccessControlCreateWithFlags(
                        nil, kSecAttrAccessibleWhenUnlocked, .biometryAny, nil)
                else { return }
                _ = try? await context.evaluateAccessControl(access, operation: .useItem, localizedReason: "")
            case "right-reason": try? await LARight().authorize(localizedReason: "")
            case "thrown": try? device.run { throw Thrown() }
            case "thrown-nested":
                try? await device.run { try await device.run { try await fail(on: device) } }
            case "thrown-two": try? SimulatedDevice(enrolled: []).run { try device.run { throw Thrown() } }
            case let what? where what.hasPrefix("wiping-"): storeAndWipe(UInt64(what.dropFirst(7)) ?? 0)
            default:
                _ = try await context.evaluatePolicy(
                    .deviceOwnerAuthenticationWithBiometrics, localizedReason: "to see it go on or end")
            }
        }
        print("outlived")
    }
}
