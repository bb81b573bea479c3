import AccessPolicy
import DeviceModel
import Foundation
import KeyKit
import SecretVault
import SodiumKit
import TestSupport

/// Runs one of several processes on a vault: `share <role> <folder> <passcode> …`.
///
/// - `write <number> <milliseconds>` stores and changes items of its own, and prints the acknowledged changes.
/// - `read <number> <milliseconds>` reads the items of all processes, and prints each wrong value.
/// - `sign <sealed key> …` signs with each key in an authenticated context, prints the outcomes in one line, and does it
///   again for each line that it gets, twice.
/// - `attempt` enters a passcode that is never judged.
/// - `enroll <finger>`, `change <next passcode>` and `enter` do one thing and end.
func share(_ arguments: [String]) throws {
    guard arguments.count >= 3 else { exit(64) }
    let vault = try Vault.open(at: arguments[1])
    let passcode = arguments[2]
    switch (arguments[0], arguments.count) {
    case ("write", 5):
        try vault.enter(passcode: SecureBytes(passcode))
        try write(vault, Int(arguments[3]) ?? 0, until: end(after: arguments[4]))
    case ("read", 5):
        try vault.enter(passcode: SecureBytes(passcode))
        try read(vault, Int(arguments[3]) ?? 0, until: end(after: arguments[4]))
    case ("enrol", 4):
        guard let finger = Finger(rawValue: UInt8(arguments[3]) ?? 0) else { exit(64) }
        guard try vault.apply(.enrolled(finger)).refusal == nil else { exit(2) }
    case ("change", 4):
        guard
            try vault.changePasscode(from: SecureBytes(passcode), to: SecureBytes(arguments[3])).refusal == nil
        else { exit(2) }
    case ("sign", 4...): try sign(vault, passcode, arguments[3...].map { try SealedKey(bytes(hex: $0)) })
    case ("enter", 3):
        say("ready")
        _ = readLine()
        say(try vault.enter(passcode: SecureBytes(passcode)).authenticated(.passcode) ? "right" : "wrong")
    case ("attempt", 3):
        _ = try vault.enter(passcode: SecureBytes(passcode), in: nil, at: nil) { _ in
            say("asked")
            while true { sleep(1000) }
        }
    default: exit(64)
    }
    vault.close()
}

private func sign(_ vault: Vault, _ passcode: String, _ keys: [SealedKey]) throws {
    let context = try vault.makeContext()
    try vault.enter(passcode: SecureBytes(passcode), in: context)
    try vault.record(.presented(Finger.numbered(0)), in: context)
    for round in 0..<3 {
        if round > 0 { _ = readLine() }
        let outcomes = keys.map { key in
            do throws(VaultError) {
                let operation = KeyOperation.sign([1], .ecdsa(.x962, .sha256, .message))
                switch try vault.use(.sealed(key), operation, for: sharer, in: context) {
                case .granted(.done): return "signed"
                case .granted(.failed(let error)): return "\(error)"
                case .challenge: return "challenged"
                case .denied(let denial): return denial.rule.identifier
                }
            } catch {
                return error == .key(.malformed(.sealedKey)) ? "refused" : "\(error)"
            }
        }
        say(outcomes.joined(separator: " "))
    }
}

private func bytes(hex: String) -> [UInt8] {
    let digits = hex.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

private let sharer = Caller("share", groups: ["com.example.app"], interaction: .fail, date: 700_000_000)

private func end(after milliseconds: String) -> DispatchTime { .now() + .milliseconds(Int(milliseconds) ?? 0) }

private func item(_ account: String) -> ItemDescription {
    ItemDescription(
        .genericPassword, ["acct": .string(account), "svce": .string("service")], AccessControl(.whenUnlocked),
        group: "com.example.app")
}

/// Returns the value of the counter `account` at `number`. A mixture of two values can be recognized. Some values are
/// too long for the row.
private func value(_ account: String, _ number: Int) -> String {
    String(repeating: "\(account)=\(number);", count: number % 7 == 3 ? 900 : 1 + number % 5)
}

private func write(_ vault: Vault, _ writer: Int, until end: DispatchTime) throws {
    var random = SeededGenerator(seed: UInt64(writer))
    var counters: [String: Int] = [:]
    let own = (0..<3).map { "c\(writer)-\($0)" }
    var added = 0
    while DispatchTime.now() < end {
        let isDone: Bool
        let account: String
        let number: Int
        if random.once(in: 4) {
            account = "d\(writer)-\(added)"
            added += 1
            number = 1
            isDone = try vault.add(item(account), secret: SecureBytes(value(account, 1)), for: sharer).isGranted
        } else {
            account = random.pick(own)
            number = (counters[account] ?? 0) + 1
            if number == 1 {
                isDone = try vault.add(
                    item(account), secret: SecureBytes(value(account, number)), for: sharer
                ).isGranted
            } else {
                // No other process writes this item, so it has the value that was acknowledged last.
                if try held(vault, account) != value(account, number - 1) { say("wrong \(account) before \(number)") }
                isDone = try vault.update(
                    .key(item(account).primaryKey), secret: .replace(SecureBytes(value(account, number))),
                    for: sharer
                ).isGranted
            }
            counters[account] = number
        }
        say("\(isDone ? "done" : "wrong") \(account) \(number)")
    }
}

private func held(_ vault: Vault, _ account: String) throws -> String? {
    switch try vault.read(.key(item(account).primaryKey), for: sharer) {
    case .granted(let secret): text(secret)
    default: nil
    }
}

private func text(_ secret: consuming SecureBytes?) -> String? {
    switch consume secret {
    case .some(let bytes): bytes.withBytes { $0.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
    case .none: nil
    }
}

private func read(_ vault: Vault, _ reader: Int, until end: DispatchTime) throws {
    var random = SeededGenerator(seed: 1000 + UInt64(reader))
    var last: [String: Int] = [:]
    var reads = 0
    var wrong = 0
    while DispatchTime.now() < end && wrong < 10 {
        let account = "c\(Int.random(in: 0..<4, using: &random))-\(Int.random(in: 0..<3, using: &random))"
        switch try vault.read(.key(item(account).primaryKey), for: sharer) {
        case .granted(let secret):
            reads += 1
            let found = text(secret) ?? ""
            let number = Int(found.prefix { $0 != ";" }.dropFirst(account.count + 1)) ?? -1
            if found != value(account, number) || number < last[account] ?? 0 {
                wrong += 1
                say("wrong \(account) \(number) of \(last[account] ?? 0)")
            }
            last[account] = number
        case .challenge(let challenge):
            wrong += 1
            say("wrong \(account) asks for \(challenge.ways)")
        case .denied(let denial):
            if denial.rule == .itemNotFound && last[account] == nil { continue }
            wrong += 1
            say("wrong \(account) \(denial.rule.identifier)")
        }
    }
    say("reads \(reads)")
}
