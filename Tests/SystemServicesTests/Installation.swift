import Foundation
import TestSupport
import Testing

/// A folder that `make` installs into. It is deleted with the test.
struct Installation {
    let folder: TemporaryFolder
    /// The path of the installed command: a script that plays the command.
    let command: String

    static let make = "/usr/bin/make"
    static let isPossible = FileManager.default.isExecutableFile(atPath: make)

    init() throws {
        folder = try TemporaryFolder()
        command = folder.path("command")
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: false)
        try play(pages: ["latchkey.1", "latchkey-agent.1"])
    }

    /// The folder that stands for the root of the file system.
    var root: String { folder.path("root") }

    /// Returns the path of the built program of this name.
    static func built(_ name: String) -> String {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().appending(path: name).path
    }

    /// Makes the command have these manual pages, and exit with `status` when it is asked for completions.
    func play(pages: [String], status: Int = 0) throws {
        let script = """
            #!/bin/sh
            case $1 in
            man) for page in \(pages.joined(separator: " ")); do echo "page $page" > "$3/$page"; done ;;
            completion) echo "words for $2"; exit \(status) ;;
            esac

            """
        try TestProgram.write(script, to: command)
        for program in ["latchkey-tools", "latchkey-agent"] {
            try TestProgram.write("#!/bin/sh\n", to: folder.path(program))
        }
    }

    /// Runs make with these variables. Throws its output if it fails.
    @discardableResult
    func make(_ goal: String, _ variables: String...) throws -> String {
        let said = try Self.run(
            "/bin/sh",
            ["-c", "umask 077; exec \"$@\"", "sh", Self.make, "--no-print-directory", "-C", Repository.root.path, goal]
                + ["BINARY=\(command)"] + variables)
        guard said.status == 0 else { throw Complaint(text: said.text) }
        return said.text
    }

    struct Complaint: Error {
        let text: String
    }

    static func run(
        _ program: String, _ arguments: [String], _ environment: [String: String] = [:]
    ) throws -> (status: Int32, text: String) {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.environment = ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LANG": "C.UTF-8"].merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: said, as: UTF8.self))
    }

    /// Returns every file and link, with its mode in octal or its target.
    func files() throws -> [String: String] {
        var files: [String: String] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: root) {
            let attributes = try FileManager.default.attributesOfItem(atPath: root + "/" + path)
            switch attributes[.type] as? FileAttributeType {
            case .typeDirectory: continue
            case .typeSymbolicLink:
                files["/" + path] = try "-> " + FileManager.default.destinationOfSymbolicLink(atPath: root + "/" + path)
            default:
                files["/" + path] = (attributes[.posixPermissions] as? Int).map { String($0, radix: 8) } ?? "?"
            }
        }
        return files
    }

    /// Returns every folder.
    func folders() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: root).filter {
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: root + "/" + $0, isDirectory: &isFolder) && isFolder.boolValue
        }.map { "/" + $0 }
    }

    func text(_ path: String) throws -> String { try String(contentsOfFile: root + path, encoding: .utf8) }

    func write(_ text: String, _ path: String) throws {
        let url = URL(filePath: root + path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }
}
