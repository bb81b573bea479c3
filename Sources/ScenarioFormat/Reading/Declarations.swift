internal import PlainText

/// The entries of a document together with the declarations that it includes: each name once, in the order of reading.
struct Declarations {
    /// The named declarations under one key.
    private struct Named {
        let place: Int
        var own: [Node.Entry]
        var positions: [String: Position]
    }

    private var all: [Node.Entry] = []
    private var places: [String: Int] = [:]
    private var named: [String: Named] = [:]

    /// Creates the entries of the document itself.
    init(_ entries: [Node.Entry]) {
        for entry in entries where entry.key != "include" {
            places[entry.key] = all.count
            all.append(entry)
        }
    }

    /// Adds an entry of an included file. Named declarations are joined. The document's own device and fidelity take precedence.
    mutating func add(_ entry: Node.Entry, _ mistakes: inout ScenarioErrors) {
        guard let place = places[entry.key] else {
            places[entry.key] = all.count
            all.append(entry)
            return
        }
        if entry.key == "device" || entry.key == "fidelity" { return }
        guard case .mapping(let others) = entry.value.content, case .mapping(let own) = all[place].value.content
        else { return }
        if named[entry.key] == nil {
            let positions = Dictionary(own.map { ($0.key, $0.position) }) { first, _ in first }
            named[entry.key] = Named(place: place, own: own, positions: positions)
        }
        for other in others {
            if let known = named[entry.key]?.positions[other.key] {
                mistakes.add(known, "\"\(Terminal.word(other.key))\" is also declared at \(other.position)")
            } else {
                named[entry.key]?.own.append(other)
                named[entry.key]?.positions[other.key] = other.position
            }
        }
    }

    /// All entries, one for each key.
    var entries: [Node.Entry] {
        var entries = all
        for named in named.values { entries[named.place].value.content = .mapping(named.own) }
        return entries
    }
}
