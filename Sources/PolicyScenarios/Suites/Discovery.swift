internal import Glibc
internal import LinuxSystem
package import ScenarioFormat

/// A finder of the files that paths stand for: files, folders with everything below them, and patterns.
package enum Discovery {
    /// The greatest number of files in one run. More of them mean that the path is the wrong folder.
    static let limit = 100_000
    private static let endings = [".yaml", ".yml", ".json"]

    /// Returns the paths of all files that `paths` stand for, each once, in the order of the paths and by name within a
    /// folder.
    ///
    /// - Throws: `FileError` if a path does not exist, a folder has no scenario file, or a pattern matches nothing.
    package static func files(_ paths: [String]) throws(ScenarioFileError) -> [String] {
        var files: [String] = []
        var known: Set<String> = []
        for path in paths {
            for found in try expanded(path) where known.insert(found).inserted { files.append(found) }
        }
        return files
    }

    private static func expanded(_ path: String) throws(ScenarioFileError) -> [String] {
        var status = stat()
        if stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFDIR else { return [path] }
            var found: [String] = []
            try walk(path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path, depth: 0, &found)
            if found.isEmpty {
                throw ScenarioFileError(path: path, because: "no file in this folder ends in .yaml, .yml or .json")
            }
            return found
        }
        let code = errno
        if path.contains(where: { "*?[".contains($0) }) {
            let found = matches(path)
            var files: [String] = []
            for path in found { files += try expanded(path) }
            if !found.isEmpty { return files }
            throw ScenarioFileError(path: path, because: "no file matches this pattern")
        }
        throw ScenarioFileError(path: path, because: SystemError(code).description)
    }

    private static func walk(_ folder: String, depth: Int, _ found: inout [String]) throws(ScenarioFileError) {
        if depth > 64 { throw ScenarioFileError(path: folder, because: "folders are nested more than 64 deep") }
        guard let directory = opendir(folder) else {
            throw ScenarioFileError(path: folder, because: SystemError.last.description)
        }
        var names: [String] = []
        while let entry = readdir(directory) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        closedir(directory)
        for name in names.sorted() where !name.hasPrefix(".") {
            let path = folder == "." ? name : "\(folder)/\(name)"
            var status = stat()
            guard lstat(path, &status) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFDIR {
                try walk(path, depth: depth + 1, &found)
            } else if endings.contains(where: name.hasSuffix) && !name.hasSuffix(".schema.json") {
                found.append(path)
            }
            if found.count > limit { throw ScenarioFileError(path: folder, because: "more than \(limit) files") }
        }
    }

    private static func matches(_ pattern: String) -> [String] {
        var result = glob_t()
        defer { globfree(&result) }
        guard glob(pattern, 0, nil, &result) == 0 else { return [] }
        return (0..<Int(result.gl_pathc)).compactMap { place in result.gl_pathv[place].map { String(cString: $0) } }
    }
}
