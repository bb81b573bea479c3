import AccessPolicy
import CFloor
import Latchkey
import LatchkeyFiles
import Measuring

/// Measures reading a whole protected file of 1 MiB, beside a plain read, and beside one that opens a box of the same
/// bytes with libsodium.
func protectedFiles(_ folder: String) throws -> [Figure] {
    let count = 1 << 20
    let keychain = try Keychain.simulated(passcode: "1234", enrolled: ["right index"])
    let files = try ProtectedFolder(keychain, at: folder + "/files")
    let (path, plain, sealed) = (files.path + "/ours", folder + "/plain", folder + "/sealed")
    try [UInt8](repeating: 120, count: count).withUnsafeBytes { try files.write($0, to: path, .complete) }
    guard floor_file_write(plain, count, 0) == 0, floor_file_write(sealed, count, 1) == 0 else { throw CannotMeasure() }
    var (ours, floor, bare) = ([Double](), [Double](), [Double]())
    // Alternate, so that all meet the same state of the machine.
    for _ in 0..<401 {
        ours.append(try nanoseconds { keep(try files.read(path).count == count) } / 1e6)
        floor.append(nanoseconds { keep(floor_file_read(sealed, count, 1) == count) } / 1e6)
        bare.append(nanoseconds { keep(floor_file_read(plain, count, 0) == count) } / 1e6)
    }
    return [
        Figure(name: "file.read.ms", value: median(ours), unit: "ms", runs: ours.count),
        Figure(name: "file.read.plain.ms", value: median(bare), unit: "ms", runs: bare.count),
        Figure(
            name: "file.read.vs_floor.ratio", value: median(floor) / median(ours), unit: "of the speed",
            runs: ours.count),
    ]
}
