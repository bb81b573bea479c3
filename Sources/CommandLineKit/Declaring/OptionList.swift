/// The options of a command, each a stored property. The help tells them in the order of the properties.
///
/// Every stored property is declared, and a command reads its options through their properties alone. So an option that is read
/// but not declared does not compile. A property can also be an array of options, or another list: one with a heading is a group
/// of its own, and one without belongs to the group in which it stands.
package protocol OptionList: OptionPart {
    /// The heading of the group in the help; empty for the usual options.
    var heading: String { get }
}

/// A property of an ``OptionList``: an option, several, or another list.
package protocol OptionPart: Sendable {
    /// Adds itself to the last group if that has this heading, or else begins one.
    func add(to table: inout OptionTable, under heading: String)
}

/// Options that belong together.
package struct OptionGroup: Sendable {
    /// The heading; empty for the usual options.
    package var heading = ""
    /// The options, in the order in which the help tells them.
    package var options: [OptionFacts]
}

/// No options but `--help`.
package struct NoOptions: OptionList {
    package init() {}
}

/// Every option of a list, in groups, and the code that understands each.
package struct OptionTable: Sendable {
    package private(set) var groups: [OptionGroup] = []
    private var readers: [(name: String, read: @Sendable ([RawText]?) throws(UsageError) -> any Sendable)] = []

    init(_ list: some OptionList) { list.add(to: &self, under: list.heading) }

    fileprivate mutating func add<Value>(_ option: Option<Value>, under heading: String) {
        if groups.last?.heading != heading { groups.append(OptionGroup(heading: heading, options: [])) }
        groups[groups.count - 1].options.append(option.facts)
        readers.append((option.facts.name, option.understandErased))
    }

    /// Understands the value of every option.
    func understand(_ typed: TypedWords) throws(UsageError) -> UnderstoodValues {
        var values: UnderstoodValues = [:]
        for (name, read) in readers { values[name] = try read(typed.options[name]) }
        return values
    }
}

extension Option: OptionPart {
    package func add(to table: inout OptionTable, under heading: String) { table.add(self, under: heading) }
}

extension Array: OptionPart where Element: OptionPart {
    package func add(to table: inout OptionTable, under heading: String) {
        for part in self { part.add(to: &table, under: heading) }
    }
}

extension OptionList {
    package var heading: String { "" }

    package func add(to table: inout OptionTable, under heading: String) {
        let heading = self.heading.isEmpty ? heading : self.heading
        for property in Mirror(reflecting: self).children {
            if let part = property.value as? any OptionPart { part.add(to: &table, under: heading) }
        }
    }
}
