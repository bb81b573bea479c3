internal import PlainText

/// Brings in what documents include: declarations of files in the folder of the file that is run, or below it.
struct Includes {
    /// More files than this nothing needs.
    static let limit = 100

    /// What may be declared in a file that is included.
    static let declarations = ["device", "fidelity", "apps", "people", "policies", "items", "attackers"]

    private let path: String
    private let folder: String
    private var open: [String]
    /// What was read already, by where it really is. All documents of a file have what they include in common.
    private var read: [String: [Node]] = [:]
    private var bytes = 0
    /// What this document has already: two files may include the same third.
    private var brought: Set<String> = []
    /// The files that were brought in, as they were named.
    private(set) var files: Set<String> = []

    /// For the documents of the file at `path`.
    init(of path: String) {
        self.path = path
        folder = SourceFile.resolved(SourceFile.folder(of: path)) ?? SourceFile.folder(of: path)
        open = [SourceFile.resolved(path) ?? path]
    }

    /// The entries of a document, with those of what it includes.
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
                mistakes.add(element.position, "the path of a file belongs here")
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
                    mistakes.add(element.position, "with this, what is included is too much for one file: split it")
                    return
                }
                for entry in document.entries where entry.key != "include" {
                    if Self.declarations.contains(entry.key) {
                        declarations.add(entry, &mistakes)
                    } else {
                        mistakes.add(
                            entry.position,
                            "a file that is included declares only \(Self.declarations.joined(separator: ", "))")
                    }
                }
                guard let include = document["include"] else { continue }
                bringIn(include, from: target, into: &declarations, &budget, &mistakes)
            }
        }
    }

    /// Where the file really is that is called `name`; nil where it may not be brought in.
    private mutating func allowed(
        _ name: String, _ target: String, at position: Position, _ mistakes: inout ScenarioErrors
    ) -> String? {
        if name.hasPrefix("/") || name.utf8.contains(0) {
            mistakes.add(position, "what is included is named from this file's folder on, not from the root")
            return nil
        }
        // Also where there is none yet: whoever waits for a change waits for it.
        files.insert(target)
        guard let real = SourceFile.resolved(target) else {
            mistakes.add(position, "there is no file \(shownPath(target))")
            return nil
        }
        guard real.hasPrefix(folder == "/" ? "/" : folder + "/") else {
            mistakes.add(position, "\(shownPath(name)) is outside of the folder of the file that is run: move it there")
            return nil
        }
        if open.contains(real) {
            mistakes.add(position, "\(shownPath(name)) includes itself, by way of this")
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
        do throws(FileError) { bytes = try SourceFile.bytes(target) } catch {
            mistakes.add(position, error.description)
            return []
        }
        self.bytes += bytes.count
        if self.bytes > DocumentLimits.bytes {
            mistakes.add(
                position, "with this, the files that are included are larger than \(DocumentLimits.bytes >> 20) MiB")
            return []
        }
        let documents = DocumentReader.documents(in: bytes, of: target, &mistakes)
        read[real] = documents
        return documents
    }
}
