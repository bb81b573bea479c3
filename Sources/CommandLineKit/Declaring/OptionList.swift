/// The options of a command, one per stored property. The help lists them in the order of the properties.
///
/// A command reads its options only through these properties, so an option that is read but not declared does not compile. A
/// property can also be another list, or an array of options or lists. A list with a heading forms a group of its own, which it shares
/// with neighbors of the same heading; one without joins the group around it.
package protocol OptionList: OptionPart {
    /// The heading of the group in the help; empty for the usual options.
    var heading: String { get }
}

/// A property of an ``OptionList``: an option, another list, or an array of either.
package protocol OptionPart: Sendable {
    /// Adds the part to the last group of the table if that has this heading, and to a new group otherwise.
    func add(to table: inout OptionTable, under heading: String)
}

/// Options under one heading.
package struct OptionGroup: Sendable {
    /// The heading; empty for the usual options.
    package var heading = ""
    /// The options, in the order of the help.
    package var options: [OptionFacts]
}

/// An empty list, for commands whose only option is `--help`.
package struct NoOptions: OptionList {
    package init() {}
}

/// Every option of a list, in groups, with the code that parses each.
package struct OptionTable: Sendable {
    /// The groups, in the order of the help.
    package private(set) var groups: [OptionGroup] = []
    private var readers: [(name: String, read: @Sendable ([RawText]?) throws(UsageError) -> any Sendable)] = []

    init(_ list: some OptionList) { list.add(to: &self, under: list.heading) }

    fileprivate mutating func add<Value>(_ option: Option<Value>, under heading: String) {
        if groups.last?.heading != heading { groups.append(OptionGroup(heading: heading, options: [])) }
        groups[groups.count - 1].options.append(option.facts)
        readers.append((option.facts.name, option.understandErased))
    }

    /// Parses the value of every option. Throws at the first that is wrong.
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
    /// The empty heading, of the usual options.
    package var heading: String { "" }

    /// Adds every stored property, under the list's own heading if it has one.
    package func add(to table: inout OptionTable, under heading: String) {
        let heading = self.heading.isEmpty ? heading : self.heading
        for property in Mirror(reflecting: self).children {
            if let part = property.value as? any OptionPart { part.add(to: &table, under: heading) }
        }
    }
}
