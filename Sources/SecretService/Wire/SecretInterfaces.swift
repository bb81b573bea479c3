package import SystemServices

/// The interfaces of the Secret Service, as its specification has them.
package enum SecretInterfaces: Sendable {
    private typealias Member = BusInterface.Member
    private typealias Property = BusInterface.Property

    /// The type of a secret: its session, the parameters of its encryption, the ciphertext and the kind of content.
    static let secret = "(oayays)"

    package static let service = BusInterface(
        "org.freedesktop.Secret.Service",
        methods: [
            Member("OpenSession", ["algorithm": "s", "input": "v"], to: ["output": "v", "result": "o"]),
            Member("CreateCollection", ["properties": "a{sv}", "alias": "s"], to: ["collection": "o", "prompt": "o"]),
            Member("SearchItems", ["attributes": "a{ss}"], to: ["unlocked": "ao", "locked": "ao"]),
            Member("Unlock", ["objects": "ao"], to: ["unlocked": "ao", "prompt": "o"]),
            Member("Lock", ["objects": "ao"], to: ["locked": "ao", "prompt": "o"]),
            Member("GetSecrets", ["items": "ao", "session": "o"], to: ["secrets": "a{o(oayays)}"]),
            Member("ReadAlias", ["name": "s"], to: ["collection": "o"]),
            Member("SetAlias", ["name": "s", "collection": "o"]),
        ],
        signals: [
            Member("CollectionCreated", ["collection": "o"]),
            Member("CollectionDeleted", ["collection": "o"]),
            Member("CollectionChanged", ["collection": "o"]),
        ],
        properties: [Property("Collections", "ao")])

    package static let collection = BusInterface(
        "org.freedesktop.Secret.Collection",
        methods: [
            Member("Delete", to: ["prompt": "o"]),
            Member("SearchItems", ["attributes": "a{ss}"], to: ["results": "ao"]),
            Member(
                "CreateItem", ["properties": "a{sv}", "secret": secret, "replace": "b"],
                to: ["item": "o", "prompt": "o"]),
        ],
        signals: [
            Member("ItemCreated", ["item": "o"]),
            Member("ItemDeleted", ["item": "o"]),
            Member("ItemChanged", ["item": "o"]),
        ],
        properties: [
            Property("Items", "ao"), Property("Label", "s", isWritable: true), Property("Locked", "b"),
            Property("Created", "t"), Property("Modified", "t"),
        ])

    /// The interface of an item. Old clients read the property `Type`.
    package static let item = BusInterface(
        "org.freedesktop.Secret.Item",
        methods: [
            Member("Delete", to: ["prompt": "o"]),
            Member("GetSecret", ["session": "o"], to: ["secret": secret]),
            Member("SetSecret", ["secret": secret]),
        ],
        properties: [
            Property("Locked", "b"), Property("Attributes", "a{ss}", isWritable: true),
            Property("Label", "s", isWritable: true), Property("Type", "s"), Property("Created", "t"),
            Property("Modified", "t"),
        ])

    package static let session = BusInterface("org.freedesktop.Secret.Session", methods: [Member("Close")])

    package static let prompt = BusInterface(
        "org.freedesktop.Secret.Prompt", methods: [Member("Prompt", ["window-id": "s"]), Member("Dismiss")],
        signals: [Member("Completed", ["dismissed": "b", "result": "v"])])

    package static let portal = BusInterface(
        "org.freedesktop.impl.portal.Secret",
        methods: [
            Member(
                "RetrieveSecret", ["handle": "o", "app_id": "s", "fd": "h", "options": "a{sv}"],
                to: ["response": "u", "results": "a{sv}"])
        ],
        properties: [Property("version", "u")])

    package static let portalRequest = BusInterface(
        "org.freedesktop.impl.portal.Request", methods: [Member("Close")])
}

/// The errors that callers get.
enum CallError: Error, Sendable {
    case isLocked
    case noSession
    case noSuchObject
    case noSuchItem(String)
    case invalidArguments(String)
    case notSupported(String)
    case unknown(Unknown)
    case readOnly(String)
    case limit(String)
    case failed(String)

    /// A secret was granted, and cannot be sent.
    static let notEncrypted = CallError.failed("The secret could not be encrypted.")

    /// The kind of thing that there is not.
    enum Unknown: Sendable {
        case object
        case interface(String)
        case method(String)
        case property(String)
    }

    /// The name on the bus, and a text for people.
    var reply: (name: String, words: String) {
        switch self {
        case .isLocked:
            ("org.freedesktop.Secret.Error.IsLocked", "It is locked. Call Unlock, and complete the prompt.")
        case .noSession: ("org.freedesktop.Secret.Error.NoSession", "There is no such session. Call OpenSession.")
        case .noSuchObject: ("org.freedesktop.Secret.Error.NoSuchObject", "There is no such object.")
        case .noSuchItem(let path): ("org.freedesktop.Secret.Error.NoSuchObject", "There is no \(path).")
        case .invalidArguments(let words): ("org.freedesktop.DBus.Error.InvalidArgs", words)
        case .notSupported(let words): ("org.freedesktop.DBus.Error.NotSupported", words)
        case .unknown(.object): ("org.freedesktop.DBus.Error.UnknownObject", "There is no such object.")
        case .unknown(.interface(let name)):
            ("org.freedesktop.DBus.Error.UnknownInterface", "The object has no interface \(name).")
        case .unknown(.method(let name)):
            ("org.freedesktop.DBus.Error.UnknownMethod", "The object has no method \(name).")
        case .unknown(.property(let name)):
            ("org.freedesktop.DBus.Error.UnknownProperty", "The object has no property \(name).")
        case .readOnly(let name): ("org.freedesktop.DBus.Error.PropertyReadOnly", "\(name) cannot be set.")
        case .limit(let words): ("org.freedesktop.DBus.Error.LimitsExceeded", words)
        case .failed(let words): ("org.freedesktop.DBus.Error.Failed", words)
        }
    }

    init(_ fault: SecretFault) {
        switch fault {
        case .locked, .dismissed: self = .isLocked
        case .noSuchObject: self = .noSuchObject
        case .failed(let words): self = .failed(words)
        }
    }
}
