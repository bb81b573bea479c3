import AccessPolicy
import DeviceModel
import Foundation
import Latchkey
import SecretVault
import SodiumKit
import UserPresence

// A separate process for the tests of the keychain: `keychain-exerciser <what> <folder> <passcode>`.
//
// - `enrol` enrolls a finger and removes it again until it is killed, and prints the present set after each change.
// - `attempt` types the passcode on the vault itself, while another authenticator never returns.
// - `unlock` waits for a line, and prints the result of typing the passcode.

/// Writes a line without a buffer, so that a kill cannot lose it.
func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(1, bytes, bytes.count)
}

/// An authenticator that never answers.
struct Endless: PasscodeAuthenticator {
    func authenticate(_ passcode: borrowing SecureBytes) -> PasscodeResult {
        say("asked")
        while true { sleep(1000) }
    }
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 3 else { exit(64) }
let (path, passcode) = (arguments[1], arguments[2])
do {
    switch arguments[0] {
    case "enrol":
        let keychain = try Keychain.openSimulated(at: path)
        guard try keychain.unlock(passcode: SecureBytes(passcode)).authenticated(.passcode) else { exit(2) }
        say("ready")
        var number = 0
        while true {
            number += 1
            say("enrolling \(number)")
            guard try keychain.enroll("left thumb").refusal == nil else { exit(3) }
            say("enrolled \(try keychain.device.domainState.epoch)")
            guard try keychain.removeEnrolled("left thumb").refusal == nil else { exit(4) }
            say("removed \(try keychain.device.domainState.epoch)")
        }
    case "attempt":
        let keychain = try Keychain.open(at: path, authenticator: Endless())
        _ = try keychain.unlock(passcode: SecureBytes(passcode))
    case "unlock":
        let keychain = try Keychain.open(at: path)
        say("ready")
        _ = readLine()
        do throws(KeychainError) {
            say(try keychain.unlock(passcode: try bytes(passcode)).authenticated(.passcode) ? "right" : "wrong")
        } catch {
            if case .vault(.attemptUnderWay) = error { say("busy") } else { say("\(error)") }
        }
    default: exit(64)
    }
} catch {
    FileHandle.standardError.write(Data("keychain-exerciser: \(error)\n".utf8))
    exit(1)
}

func bytes(_ text: String) throws(KeychainError) -> SecureBytes {
    do { return try SecureBytes(text) } catch { throw .vault(.memory(error)) }
}
