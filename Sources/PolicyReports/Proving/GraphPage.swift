internal import PlainText
package import PolicyProver
internal import PolicyScenarios

/// A graph of situations, ready to draw.
package struct GraphPage: Sendable {
    let graph: Graph
    let heading: String

    package init(_ graph: Graph, heading: String) {
        self.graph = graph
        self.heading = heading
    }

    /// The size of the graph, and how much of it is shown.
    var extent: String {
        var text = "\(counted(graph.extent.situations, "situation")), at most \(graph.extent.depth) steps deep"
        if !graph.isComplete { text += ", and more beyond the limit of the search" }
        text +=
            graph.leftOut > 0
            ? "; the nearest \(graph.nodes.count) are shown, and \(graph.leftOut) are left out." : "; all are shown."
        return text
            + " Assumed: \(Assumed(graph.assumptions, on: MatrixDevice(graph.settings)).fields(for: graph.profile.holds).inWords)."
    }

    /// The answer of the search, in a sentence.
    var answer: String {
        let name = graph.profile.name
        guard let story = graph.story else {
            return graph.isComplete
                ? "\(name) can never \(graph.aim.rawValue)." : "Undecided: the search reached its limit."
        }
        return "\(name) can \(graph.aim.rawValue) in \(counted(story.steps.count, "step"))."
    }

    // MARK: - Graphviz

    /// The graph for Graphviz: situations that open have a double box, lost ones are dashed, and the shortest path is bold.
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
