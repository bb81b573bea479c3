/// The size of a part of a document. The target of an alias counts each time.
struct Weight {
    /// The number of texts, keys, lists and mappings.
    var nodes = 0
    /// The bytes of all texts and keys.
    var text = 0
    /// The deepest nesting of lists and mappings.
    var depth = 0

    mutating func add(_ part: Weight) {
        nodes += part.nodes
        text += part.text
        depth = max(depth, part.depth)
    }
}

/// The size that a file has left for its own text, the files that it includes, and the rows of its tables.
struct Budget {
    private var nodes = DocumentLimits.nodes
    private var text = DocumentLimits.text

    /// Takes `weight` out of the budget `times` times. Returns false, and takes nothing, if less than that is left.
    mutating func spend(_ weight: Weight, times: Int = 1) -> Bool {
        let (nodes, tooMany) = weight.nodes.multipliedReportingOverflow(by: times)
        let (text, tooLong) = weight.text.multipliedReportingOverflow(by: times)
        if tooMany || tooLong || nodes > self.nodes || text > self.text { return false }
        self.nodes -= nodes
        self.text -= text
        return true
    }
}

extension Node {
    /// The size of the node with everything inside it.
    var weight: Weight {
        var weight = Weight(nodes: 1)
        switch content {
        case .text(let text, _): weight.text = text.utf8.count
        case .list(let elements):
            for element in elements { weight.add(element.weight) }
            weight.depth += 1
        case .mapping(let entries):
            for entry in entries {
                weight.add(entry.value.weight)
                weight.nodes += 1
                weight.text += entry.key.utf8.count
            }
            weight.depth += 1
        }
        return weight
    }
}
