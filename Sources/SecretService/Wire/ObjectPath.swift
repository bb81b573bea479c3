/// The place of an object on the bus.
enum ObjectPath: Hashable, Sendable {
    case service
    /// A path that only leads to others, by its text.
    case node(String)
    case collection(CollectionID)
    /// A collection by its other name.
    case alias(String)
    case item(ShelfItemID)
    /// An item of a collection that is called by its other name.
    case itemOfAlias(String, item: String)
    /// A session of a connection.
    case session(String)
    /// A prompt of a connection.
    case prompt(String)
    case portal

    static let root = "/org/freedesktop/secrets"
    static let collections = root + "/collection"
    static let aliases = root + "/aliases"
    static let sessions = root + "/session"
    static let prompts = root + "/prompt"
    static let portalRoot = "/org/freedesktop/portal/desktop"
    /// The path that stands for no object.
    static let none = "/"

    /// Reads a path. Returns nil if no object can have it.
    init?(_ path: String) {
        guard path.utf8.count <= BusLimits.path else { return nil }
        switch path {
        case Self.root: self = .service
        case Self.portalRoot: self = .portal
        case "/", "/org", "/org/freedesktop", "/org/freedesktop/portal", Self.collections, Self.aliases, Self.sessions,
            Self.prompts:
            self = .node(path)
        default:
            guard path.hasPrefix(Self.root + "/") else { return nil }
            let parts = path.dropFirst(Self.root.count + 1).split(separator: "/", omittingEmptySubsequences: false)
                .map(String.init)
            guard (2...3).contains(parts.count), parts.allSatisfy({ CollectionID($0) != nil }) else { return nil }
            switch (parts[0], parts.count) {
            case ("collection", 2):
                guard let id = CollectionID(parts[1]) else { return nil }
                self = .collection(id)
            case ("collection", 3):
                guard let collection = CollectionID(parts[1]), let id = ShelfItemID(parts[2], in: collection) else {
                    return nil
                }
                self = .item(id)
            case ("aliases", 2): self = .alias(parts[1])
            case ("aliases", 3): self = .itemOfAlias(parts[1], item: parts[2])
            case ("session", 2): self = .session(parts[1])
            case ("prompt", 2): self = .prompt(parts[1])
            default: return nil
            }
        }
    }

    var text: String {
        switch self {
        case .service: Self.root
        case .node(let path): path
        case .collection(let id): "\(Self.collections)/\(id.name)"
        case .alias(let name): "\(Self.aliases)/\(name)"
        case .item(let id): "\(Self.collections)/\(id.collection.name)/\(id.name)"
        case .itemOfAlias(let alias, let item): "\(Self.aliases)/\(alias)/\(item)"
        case .session(let name): "\(Self.sessions)/\(name)"
        case .prompt(let name): "\(Self.prompts)/\(name)"
        case .portal: Self.portalRoot
        }
    }

    /// Returns the last parts of the paths that a node leads to, besides those of single objects.
    static func children(of node: String) -> [String] {
        switch node {
        case "/": ["org"]
        case "/org": ["freedesktop"]
        case "/org/freedesktop": ["secrets", "portal"]
        case "/org/freedesktop/portal": ["desktop"]
        case root: ["aliases", "collection"]
        default: []
        }
    }
}

extension CollectionID {
    var path: String { ObjectPath.collection(self).text }
}

extension ShelfItemID {
    var path: String { ObjectPath.item(self).text }
}
