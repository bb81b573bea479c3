import Foundation

/// The Python that has the packages of vendors' clients: the program that `LATCHKEY_PYTHON` names, such as that of a virtual environment,
/// and otherwise the one of the system.
///
///     python3 -m venv .build/clients && .build/clients/bin/pip install openai anthropic boto3 requests
///     LATCHKEY_PYTHON=$PWD/.build/clients/bin/python make test FILTER=VendorClientTests
struct PythonClients {
    static let program = ProcessInfo.processInfo.environment["LATCHKEY_PYTHON"] ?? "/usr/bin/python3"

    /// Returns true if this Python has a package.
    static func has(_ package: String) -> Bool { output("import \(package)") != nil }

    /// The folders beside those of the system that a sandbox needs for it.
    static let folders: [String] = {
        let lines = output("import sys; print(sys.prefix); print(sys.base_prefix)") ?? ""
        let folders = Set(lines.split(separator: "\n").map(String.init))
        return folders.filter { !$0.hasPrefix("/usr") }.sorted()
    }()

    private static func output(_ script: String) -> String? {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: program)
        process.arguments = ["-B", "-c", script]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        let data = (try? output.fileHandleForReading.readToEnd()) ?? Data()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? String(decoding: data, as: UTF8.self) : nil
    }
}
