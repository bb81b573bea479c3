import CFloor
import Foundation
import Measuring
import SodiumKit
import UserPresence

/// Measures one check of a passcode by PAM, and the same transaction with bare libpam in turn. The service has one
/// module, which reads a file.
func pamTransactions(_ folder: String) throws -> [Figure] {
    let services = folder + "/pam.d"
    let module = folder + "/pam_latchkey_test.so"
    // `Benchmarks/run` builds this module in the package above.
    let built = URL(filePath: #filePath).appending(path: "../../../../.build/release/pam_latchkey_test")
        .standardizedFileURL.path
    try FileManager.default.createDirectory(
        atPath: services, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    try FileManager.default.copyItem(atPath: built, toPath: module)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: module)
    try write("bench:correct horse\n", to: folder + "/passcodes")
    try write(
        ["auth", "account"].map { "\($0) required \(module) [passdb=\(folder)/passcodes]\n" }.joined(),
        to: services + "/bench")
    let authenticator = PAMAuthenticator(service: "bench", folder: services, user: "bench")
    let passcode = try SecureBytes("correct horse")
    var bare: [Double] = []
    var ours: [Double] = []
    for _ in 0..<1_001 {
        bare.append(try nanoseconds { try require(floor_pam("bench", services, "bench", "correct horse") == 0) } / 1e3)
        ours.append(try nanoseconds { try require(authenticator.authenticate(passcode).verdict == .accepted) } / 1e3)
    }
    return [
        Figure(name: "pam.libpam.us", value: median(bare), unit: "µs", runs: bare.count),
        Figure(name: "pam.judge.us", value: median(ours), unit: "µs", runs: ours.count),
        Figure(
            name: "pam.transaction.overhead.us", value: median(zip(ours, bare).map { $0 - $1 }), unit: "µs",
            runs: ours.count),
    ]
}

private func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
}
