internal import Glibc
internal import LinuxSystem
package import ScenarioFormat

/// Finds the files that paths mean: files, folders with everything below them, and patterns.
package enum Discovery {
    /// More files than this in one run somebody has pointed at the wrong folder.
    static let limit = 100_000
    private static let endings = [".yaml", ".yml", ".json"]

    /// The paths of all files that `paths` mean, each once, in the order of the paths and by name within.
    package static func files(_ paths: [String]) throws(FileError) -> [String] {
        var files: [String] = []
        var known: Set<String> = []
        for path in paths {
            for found in try expanded(path) where known.insert(found).inserted { files.append(found) }
        }
        return files
    }

    private static func expanded(_ path: String) throws(FileError) -> [String] {
        var status = stat()
        if stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFDIR else { return [path] }
            var found: [String] = []
            try walk(path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path, depth: 0, &found)
            if found.isEmpty {
                throw FileError(path: path, because: "no file in this folder ends in .yaml, .yml or .json")
            }
            return found
        }
        let code = errno
        if path.contains(where: { "*?[".contains($0) }) {
            let found = matches(path)
            var files: [String] = []
            for path in found { files += try expanded(path) }
            if !found.isEmpty { return files }
            throw FileError(path: path, because: "no file is called so")
        }
        throw FileError(path: path, because: SystemError(code).description)
    }

    private static func walk(_ folder: String, depth: Int, _ found: inout [String]) throws(FileError) {
        if depth > 64 { throw FileError(path: folder, because: "folders more than 64 deep") }
        guard let directory = opendir(folder) else {
            throw FileError(path: folder, because: SystemError.last.description)
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
            if found.count > limit { throw FileError(path: folder, because: "more than \(limit) files") }
        }
    }

    private static func matches(_ pattern: String) -> [String] {
        var result = glob_t()
        defer { globfree(&result) }
        guard glob(pattern, 0, nil, &result) == 0 else { return [] }
        return (0..<Int(result.gl_pathc)).compactMap { place in result.gl_pathv[place].map { String(cString: $0) } }
    }
}
