internal import PlainText

/// Reads the files that documents include. They have to be in the folder of the file that is run, or below it.
struct Includes {
    /// The most files that a document may include.
    static let limit = 100

    /// The keys that an included file may have.
    static let declarations = ["device", "fidelity", "apps", "people", "policies", "items", "files", "attackers"]

    private let path: String
    private let folder: String
    private var open: [String]
    /// The documents of the files that were read, by their real paths. All documents of a file share them.
    private var read: [String: [Node]] = [:]
    private var bytes = 0
    /// The real paths that this document includes so far. Two files may include the same third.
    private var brought: Set<String> = []
    /// The paths of all included files, as they are named.
    private(set) var files: Set<String> = []

    /// Creates a reader for what the file at `path` includes.
    init(of path: String) {
        self.path = path
        folder = SourceFile.resolved(SourceFile.folder(of: path)) ?? SourceFile.folder(of: path)
        open = [SourceFile.resolved(path) ?? path]
    }

    /// Returns the entries of a document, with those of the files that it includes.
    mutating func entries(of node: Node, _ budget: inout Budget, _ mistakes: inout ScenarioErrors) -> [Node.Entry] {
        guard let include = node["include"] else { return node.entries }
        brought = []
        var declarations = Declarations(node.entries)
        bringIn(include, from: path, into: &declarations, &budget, &mistakes)
        return declarations.entries
    }

    private mutating func bringIn(
        _ include: Node, from path: String, into declarations: inout Declarations, _ budget: inout Budget,
        _ mistakes: inout ScenarioErrors
    ) {
        for element in include.elements {
            guard let name = element.text else {
                mistakes.add(element.position, "expected the path of a file")
                continue
            }
            let place = SourceFile.folder(of: path)
            let target = place == "." ? name : "\(place)/\(name)"
            guard let real = allowed(name, target, at: element.position, &mistakes) else { continue }
            if !brought.insert(real).inserted { continue }
            if brought.count > Self.limit {
                mistakes.add(element.position, "more than \(Self.limit) files are included")
                return
            }
            open.append(real)
            defer { open.removeLast() }
            for document in documents(of: target, real, at: element.position, &mistakes) {
                if !budget.spend(document.weight) {
                    mistakes.add(
                        element.position,
                        "with this file, the included files hold too many values or too much text: split the file that is run"
                    )
                    return
                }
                for entry in document.entries where entry.key != "include" {
                    if Self.declarations.contains(entry.key) {
                        declarations.add(entry, &mistakes)
                    } else {
                        mistakes.add(
                            entry.position,
                            "an included file can declare only \(enumerated(Self.declarations, "and"))")
                    }
                }
                guard let include = document["include"] else { continue }
                bringIn(include, from: target, into: &declarations, &budget, &mistakes)
            }
        }
    }

    /// Returns the real path of the file called `name`; nil if it may not be included.
    private mutating func allowed(
        _ name: String, _ target: String, at position: Position, _ mistakes: inout ScenarioErrors
    ) -> String? {
        if name.hasPrefix("/") || name.utf8.contains(0) {
            mistakes.add(position, "this path is absolute: write it relative to the folder of this file")
            return nil
        }
        // Remember a missing file too, so that --watch notices when it appears.
        files.insert(target)
        guard let real = SourceFile.resolved(target) else {
            mistakes.add(position, "no such file: \(shownPath(target))")
            return nil
        }
        guard real.hasPrefix(folder == "/" ? "/" : folder + "/") else {
            mistakes.add(position, "\(shownPath(name)) is outside the folder of the file that is run: move it there")
            return nil
        }
        if open.contains(real) {
            mistakes.add(position, "\(shownPath(name)) includes itself through this line")
            return nil
        }
        return real
    }

    private func shownPath(_ path: String) -> String {
        path.utf8.count > 4096 ? Terminal.word(path) : Terminal.line(path)
    }

    private mutating func documents(
        of target: String, _ real: String, at position: Position, _ mistakes: inout ScenarioErrors
    ) -> [Node] {
        if let known = read[real] { return known }
        let bytes: [UInt8]
        do throws(ScenarioFileError) { bytes = try SourceFile.bytes(target) } catch {
            mistakes.add(position, error.description)
            return []
        }
        self.bytes += bytes.count
        if self.bytes > DocumentLimits.bytes {
            mistakes.add(
                position, "with this file, the included files are larger than \(DocumentLimits.bytes >> 20) MiB")
            return []
        }
        let documents = DocumentReader.documents(in: bytes, of: target, &mistakes)
        read[real] = documents
        return documents
    }
}
