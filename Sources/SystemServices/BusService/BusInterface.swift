/// An interface of the objects that a program has on a bus.
package struct BusInterface: Sendable {
    /// A value of a call or of a signal.
    package struct Argument: Sendable {
        package let name: String
        /// The type, as D-Bus writes it.
        package let type: String
    }

    /// A method or a signal.
    package struct Member: Sendable {
        package let name: String
        /// The values that a call or a signal has.
        package let input: [Argument]
        /// The values that the reply has.
        package let output: [Argument]

        /// Creates a method, or a signal if it has no output. Each argument is a name and a type.
        package init(
            _ name: String, _ input: KeyValuePairs<String, String> = [:], to output: KeyValuePairs<String, String> = [:]
        ) {
            self.name = name
            self.input = input.map { Argument(name: $0.key, type: $0.value) }
            self.output = output.map { Argument(name: $0.key, type: $0.value) }
        }

        /// The types of the values of a call, as D-Bus writes them.
        package var signature: String { input.map { $0.type }.joined() }
    }

    package struct Property: Sendable {
        package let name: String
        /// The type, as D-Bus writes it.
        package let type: String
        /// True if callers may set it.
        package let isWritable: Bool

        package init(_ name: String, _ type: String, isWritable: Bool = false) {
            self.name = name
            self.type = type
            self.isWritable = isWritable
        }
    }

    package let name: String
    package let methods: [Member]
    package let signals: [Member]
    package let properties: [Property]

    package init(_ name: String, methods: [Member], signals: [Member] = [], properties: [Property] = []) {
        self.name = name
        self.methods = methods
        self.signals = signals
        self.properties = properties
    }

    /// Returns the method of this name; nil if there is none.
    package func method(_ name: String) -> Member? { methods.first { $0.name == name } }

    /// The interface that reads and sets properties.
    package static let properties = BusInterface(
        "org.freedesktop.DBus.Properties",
        methods: [
            Member("Get", ["interface": "s", "property": "s"], to: ["value": "v"]),
            Member("GetAll", ["interface": "s"], to: ["properties": "a{sv}"]),
            Member("Set", ["interface": "s", "property": "s", "value": "v"]),
        ],
        signals: [
            Member("PropertiesChanged", ["interface": "s", "changed": "a{sv}", "invalidated": "as"])
        ])

    /// The interface that describes an object.
    package static let introspectable = BusInterface(
        "org.freedesktop.DBus.Introspectable", methods: [Member("Introspect", to: ["description": "s"])])

    /// Returns the description of an object in XML. `children` are the last parts of the paths below it.
    package static func describe(_ interfaces: [BusInterface], children: [String]) -> String {
        let root = """
            <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
            "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
            <node>

            """
        return root + interfaces.map { $0.described }.joined() + children.map { " <node name=\"\($0)\"/>\n" }.joined()
            + "</node>\n"
    }

    private var described: String {
        func arguments(_ list: [Argument], _ direction: String) -> String {
            list.map { "   <arg name=\"\($0.name)\" type=\"\($0.type)\"\(direction)/>\n" }.joined()
        }
        var text = " <interface name=\"\(name)\">\n"
        for method in methods {
            text += "  <method name=\"\(method.name)\">\n" + arguments(method.input, " direction=\"in\"")
            text += arguments(method.output, " direction=\"out\"") + "  </method>\n"
        }
        for signal in signals {
            text += "  <signal name=\"\(signal.name)\">\n" + arguments(signal.input, "") + "  </signal>\n"
        }
        for property in properties {
            let access = property.isWritable ? "readwrite" : "read"
            text += "  <property name=\"\(property.name)\" type=\"\(property.type)\" access=\"\(access)\"/>\n"
        }
        return text + " </interface>\n"
    }
}
