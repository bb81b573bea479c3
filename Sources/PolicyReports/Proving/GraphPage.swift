internal import PlainText
package import PolicyProver
internal import PolicyScenarios

/// A graph of situations, ready to be drawn.
package struct GraphPage: Sendable {
    let graph: Graph
    let heading: String

    /// `graph`, which is about this.
    package init(_ graph: Graph, heading: String) {
        self.graph = graph
        self.heading = heading
    }

    /// What is shown, and what is not.
    var extent: String {
        var text = "\(counted(graph.extent.situations, "situation")), \(graph.extent.depth) steps deep at most"
        if !graph.isComplete { text += ", and more than there was room for" }
        text +=
            graph.leftOut > 0
            ? "; the nearest \(graph.nodes.count) are shown, and \(graph.leftOut) are left out." : "; all are shown."
        return text
            + " Assumed: \(Assumed(graph.assumptions, on: graph.settings).fields(for: graph.profile.holds).inWords)."
    }

    /// What came of the search.
    var answer: String {
        let name = graph.profile.name
        guard let story = graph.story else {
            return graph.isComplete
                ? "\(name) never comes to \(graph.aim.rawValue)." : "There was no room to find out more."
        }
        return "\(name) comes to \(graph.aim.rawValue) in \(counted(story.steps.count, "step"))."
    }

    // MARK: - Graphviz

    /// As Graphviz reads it: what opens is boxed twice, what is lost is dashed, and the story is bold.
    package var dot: String {
        var text = "// \(Terminal.line(heading)): \(answer) \(extent)\n"
        text += "digraph situations {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\"];\n"
        for (place, node) in graph.nodes.enumerated() {
            var styles: [String] = []
            if node.isGone { styles.append("dashed") }
            if node.isInStory { styles.append("bold") }
            var fields = ["label=\(Self.quoted(node.labels.joined(separator: "\n")))"]
            if node.opens { fields.append("peripheries=2") }
            if !styles.isEmpty { fields.append("style=\(Self.quoted(styles.joined(separator: ",")))") }
            text += "  n\(place) [\(fields.joined(separator: ", "))];\n"
        }
        for edge in graph.edges {
            let style = edge.isInStory ? ", style=bold" : ""
            text += "  n\(edge.from) -> n\(edge.to) [label=\(Self.quoted(edge.words))\(style)];\n"
        }
        return text + "}\n"
    }

    private static func quoted(_ text: String) -> String { Quoting.quoted(text) { $0 == "\n" ? "\\n" : nil } }
}
