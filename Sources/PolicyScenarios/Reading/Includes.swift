/// Brings in what a document includes: declarations of files in the folder of the file that is run, or below it.
struct Includes {
    /// More files than this nothing needs.
    static let limit = 100

    /// What may be declared in a file that is included.
    static let declarations = ["device", "fidelity", "apps", "people", "policies", "items"]

    private let folder: String
    private var open: [String]
    /// The files that were brought in.
    private(set) var brought: Set<String> = []

    /// For the document of the file at `path`.
    init(of path: String) {
        folder = SourceFile.resolved(SourceFile.folder(of: path)) ?? SourceFile.folder(of: path)
        open = [SourceFile.resolved(path) ?? path]
    }

    /// The entries of `node`, with those of what it includes.
    mutating func entries(of node: Node, in path: String, _ mistakes: inout Mistakes) -> [Node.Entry] {
        var entries = node.entries.filter { $0.key != "include" }
        guard let include = node["include"] else { return entries }
        for element in include.elements {
            guard let name = element.text else {
                mistakes.add(element.position, "the path of a file belongs here")
                continue
            }
            for entry in declared(in: name, at: element.position, from: path, &mistakes) {
                Self.add(entry, to: &entries, &mistakes)
            }
        }
        return entries
    }

    private mutating func declared(
        in name: String, at position: Position, from path: String, _ mistakes: inout Mistakes
    ) -> [Node.Entry] {
        let place = SourceFile.folder(of: path)
        let target = place == "." ? name : "\(place)/\(name)"
        if name.hasPrefix("/") || name.utf8.contains(0) {
            mistakes.add(position, "what is included is named from this file's folder on, not from the root")
            return []
        }
        // Also where there is none yet: whoever waits for a change waits for it.
        brought.insert(target)
        guard let real = SourceFile.resolved(target) else {
            mistakes.add(position, "there is no file \(printable(target))")
            return []
        }
        guard real.hasPrefix(folder == "/" ? "/" : folder + "/") else {
            mistakes.add(position, "\(printable(name)) is outside of the folder of the file that is run: move it there")
            return []
        }
        if open.contains(real) {
            mistakes.add(position, "\(printable(name)) includes itself, by way of this")
            return []
        }
        if brought.count > Self.limit {
            mistakes.add(position, "more than \(Self.limit) files are included")
            return []
        }
        let bytes: [UInt8]
        do throws(FileTrouble) { bytes = try SourceFile.bytes(target) } catch {
            mistakes.add(position, error.description)
            return []
        }
        open.append(real)
        defer { open.removeLast() }
        var entries: [Node.Entry] = []
        for document in DocumentReader.documents(in: bytes, of: target, &mistakes) {
            for entry in self.entries(of: document, in: target, &mistakes) {
                if Self.declarations.contains(entry.key) {
                    Self.add(entry, to: &entries, &mistakes)
                } else {
                    mistakes.add(
                        entry.position,
                        "a file that is included declares only \(Self.declarations.joined(separator: ", "))")
                }
            }
        }
        return entries
    }

    /// What is declared by name goes together; a device and a fidelity of one's own come first.
    private static func add(_ entry: Node.Entry, to entries: inout [Node.Entry], _ mistakes: inout Mistakes) {
        guard let place = entries.firstIndex(where: { $0.key == entry.key }) else {
            entries.append(entry)
            return
        }
        if entry.key == "device" || entry.key == "fidelity" { return }
        guard case .mapping(let others) = entry.value.content, case .mapping(var own) = entries[place].value.content
        else { return }
        for other in others {
            if let known = own.first(where: { $0.key == other.key }) {
                mistakes.add(
                    known.position, "\"\(shown(other.key))\" is declared already, at \(other.position)")
            } else {
                own.append(other)
            }
        }
        entries[place].value.content = .mapping(own)
    }
}
