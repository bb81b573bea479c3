internal import AccessPolicy
internal import PlainText

extension ScenarioReader {
    mutating func readFiles() {
        for entry in document["files"]?.entries ?? [] {
            let node = entry.value
            let word = node.text ?? node["protection"]?.text
            let protection = Vocabulary.value(of: word, in: Vocabulary.protections) ?? .usual
            filePlaces[entry.key] = files.count
            files.append(
                FileSetup(
                    name: entry.key, position: entry.position, protection: protection,
                    isExcludedFromBackup: node["excludedFromBackup"]?.text == "true",
                    isStored: node["stored"]?.text != "false", isOpen: node["open"]?.text == "true"))
            if let open = node["open"], open.text == "true", node["stored"]?.text == "false" {
                mistakes.add(open.position, "a file that does not exist at the beginning cannot be open then")
            }
        }
    }

    /// Returns the index of the file that `node` names. Reports a mistake if there is none.
    mutating func file(_ node: Node) -> Int {
        // The check of the shape has reported a list or a mapping.
        guard let name = node.text else { return 0 }
        if let place = filePlaces[name] { return place }
        if !mistakes.isFull {
            let message =
                items.contains { $0.name == name }
                ? "\"\(Terminal.word(name))\" is an item: this needs a file, declared under \"files\""
                : Shape.unknown("file", name, among: files.prefix(Shape.mostHints).map(\.name))
            mistakes.add(node.position, message)
        }
        return 0
    }

    /// Returns the call on a file under this key; nil if the key means something else.
    mutating func fileRequest(_ key: String, _ value: Node, _ node: Node) -> FileRequest? {
        func protection(_ key: String) -> FileProtection? {
            Vocabulary.value(of: node[key]?.text, in: Vocabulary.protections)
        }
        let action: FileRequest.Action
        switch key {
        case "write": action = .write(protection("protection"))
        case "begin": action = .begin(protection("protection"))
        case "open": action = .open
        case "append": action = .append
        case "close": action = .close
        case "rename": action = .rename(to: node["to"].map { file($0) } ?? 0)
        case "protect": action = .protect(as: protection("as") ?? .usual)
        case "exclude": action = .exclude
        case "unlink": action = .unlink
        default: return nil
        }
        return FileRequest(file: file(value), action: action)
    }

    /// Reads the states of files that an expectation names.
    mutating func fileStates(_ node: Node?) -> [(file: Int, state: FileState)] {
        (node?.entries ?? []).compactMap { entry in
            let name = Node(content: .text(entry.key, isPlain: true), position: entry.position)
            return entry.value.text.flatMap { FileState(rawValue: $0) }.map { (file(name), $0) }
        }
    }
}
