/// How much there is in a part of a document, what aliases stand for counted each time.
struct Weight {
    var nodes = 0
    var text = 0
    /// How many lists and mappings stand inside each other there.
    var depth = 0

    mutating func add(_ part: Weight) {
        nodes += part.nodes
        text += part.text
        depth = max(depth, part.depth)
    }
}

/// What a file may still hold: what it says itself, what it includes, and what its tables repeat.
struct Budget {
    private var nodes = DocumentLimits.nodes
    private var text = DocumentLimits.text

    /// Takes what weighs so much, so often; false, and nothing is taken, where that is more than there is.
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
    /// How much there is in it.
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
