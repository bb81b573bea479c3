import AccessPolicy
import DeviceModel
import Foundation
import Latchkey
import SealedFiles
import SecretVault
import SodiumKit
import UserPresence

// A separate process for the tests of the keychain: `keychain-exerciser <what> <folder> <passcode>`.
//
// - `enrol` enrolls a finger and removes it again until it is killed, and prints the present set after each change.
// - `attempt` types the passcode on the vault itself, while another authenticator never returns.
// - `stream` writes a file of as many MiB as the passcode says, reads it back, and prints its peak memory before and after, in KiB.
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
    case "stream":
        let keychain = try Keychain.simulated()
        let folder = try ProtectedFolder(keychain, at: path)
        let file = try folder.create(path + "/large", .complete)
        let count = Int(passcode) ?? 0
        let pattern = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        // The number is in each piece of the file many times, so that no piece can be in the place of another.
        func part(_ number: Int) -> [UInt8] {
            var part = pattern
            for place in stride(from: 0, to: part.count, by: 4096) {
                part[place] = UInt8(truncatingIfNeeded: number)
                part[place + 1] = UInt8(truncatingIfNeeded: number >> 8)
            }
            return part
        }
        for number in 0..<min(count, 4) { try file.append(part(number)) }
        let before = peak()
        for number in min(count, 4)..<count { try file.append(part(number)) }
        for number in 0..<count {
            guard try file.read(1 << 20, at: number << 20) == part(number) else { exit(5) }
        }
        guard try file.size == count << 20 else { exit(6) }
        say("\(before) \(peak())")
    default: exit(64)
    }
} catch {
    FileHandle.standardError.write(Data("keychain-exerciser: \(error)\n".utf8))
    exit(1)
}

/// The most memory that this process has used, in KiB.
func peak() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
}

func bytes(_ text: String) throws(KeychainError) -> SecureBytes {
    do { return try SecureBytes(text) } catch { throw .vault(.memory(error)) }
}
