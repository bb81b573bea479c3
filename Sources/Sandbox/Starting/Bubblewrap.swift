internal import Glibc
internal import LinuxSystem
internal import PlainText

/// The command bwrap, which makes sandboxes.
enum Bubblewrap: Sendable {
    /// Variables of the owner, such as those of the loader, are not for bwrap.
    static let environment = ["PATH=/usr/bin:/bin"]

    /// Returns the path of the command.
    static func path() throws(SandboxError) -> String {
        let folders =
            ["/usr/bin", "/bin", "/usr/local/bin"]
            + (SystemPath.variable("PATH") ?? "").split(separator: ":")
            .filter { $0.utf8.first == UInt8(ascii: "/") }.map(String.init)
        guard let folder = folders.first(where: { access("\($0)/bwrap", X_OK) == 0 }) else { throw .notInstalled }
        return "\(folder)/bwrap"
    }

    /// Makes a sandbox and ends it. Throws with what bwrap says if that fails.
    static func probe() throws(SandboxError) {
        let path = try path()
        let words = [
            "--unshare-user", "--unshare-all", "--disable-userns", "--die-with-parent", "--cap-drop", "ALL",
            "--ro-bind", "/", "/",
            "--proc", "/proc", "--dev", "/dev", "/bin/true",
        ]
        let pipe: Pipe
        let process: Int32
        do {
            pipe = try Pipe()
            defer { close(pipe.writing) }
            var child = Child()
            child.input = .nothing
            child.output = .nothing
            child.errors = .descriptor(pipe.writing)
            child.closesOthers = true
            process = try child.start(path, ["bwrap"] + words, environment: environment)
        } catch {
            throw .system("start \(path)", error)
        }
        defer { close(pipe.reading) }
        let said = Self.text(from: pipe.reading)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        if status != 0 { throw .unusable(said) }
    }

    /// Returns the first line that comes out of a pipe until its end.
    private static func text(from pipe: Int32) -> String {
        let line = everything(from: pipe, atMost: 4096).prefix { $0 != UInt8(ascii: "\n") }
        let text = String(decoding: line, as: UTF8.self).unicodeScalars.filter(\.isPrintable)
        return text.isEmpty ? "nothing" : String(String.UnicodeScalarView(text))
    }

    /// Returns what comes out of a pipe until its end.
    static func everything(from pipe: Int32, atMost limit: Int) -> [UInt8] {
        var all: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while all.count < limit {
            let count = read(pipe, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { break }
            all += chunk[..<count]
        }
        return all
    }
}
