internal import PlainText
internal import PolicyProver

extension GraphPage {
    /// The graph as one HTML page, which needs no other file and no network.
    package var html: String {
        """
        \(HTMLPage.beginning(title: heading, style: Self.style))<header>
        <h1>\(Quoting.xml(heading))</h1>
        <p>\(Quoting.xml("\(graph.profile.name): \(graph.profile.summary)")).</p>
        <p><strong>\(Quoting.xml(answer))</strong> \(Quoting.xml(extent))</p>
        \(story)<p><label>Search <input id="search" type="search" placeholder="unlocked, enrolled, lost"/></label>
        <span id="found" role="status"></span></p>
        <p class="key"><span class="chip opens">\(Quoting.xml(graph.aim.rawValue)) is granted</span>
        <span class="chip gone">the item is lost</span> <span class="chip story">on the shortest path</span></p>
        </header>
        <main>
        <div id="columns" role="group" aria-label="Situations by number of steps">
        \(columns)</div>
        <aside id="panel" aria-live="polite"><p>Choose a situation to see its facts and its moves.</p></aside>
        </main>
        <script>
        const situations = \(situations);
        const moves = \(moves);
        \(Self.script)</script>
        </body>
        </html>

        """
    }

    private var story: String {
        guard let story = graph.story else { return "" }
        let lines = story.steps.map { step in
            "<li>\(Quoting.xml("\(story.name(of: step)) \(story.words(of: step)) (\(step.reason.words))"))</li>\n"
        }
        return
            "<details open=\"\"><summary>The shortest path</summary>\n<p>\(Quoting.xml(story.beginning))</p>\n<ol>\n"
            + lines.joined() + "</ol>\n</details>\n"
    }

    private var columns: String {
        var text = ""
        for depth in Set(graph.nodes.map(\.depth)).sorted() {
            text += "<section>\n<h2>\(counted(depth, "step"))</h2>\n"
            for (place, node) in graph.nodes.enumerated() where node.depth == depth {
                var classes = ["chip"]
                if node.opens { classes.append("opens") }
                if node.isGone { classes.append("gone") }
                if node.isInStory { classes.append("story") }
                text += "<button type=\"button\" class=\"\(classes.joined(separator: " "))\" data-place=\"\(place)\">"
                text += "\(Quoting.xml(node.labels.joined(separator: ", ")))</button>\n"
            }
            text += "</section>\n"
        }
        return text
    }

    /// Returns a JSON string that cannot end the script around it.
    private static func inScript(_ text: String) -> String {
        Quoting.json(text).split(separator: "<", omittingEmptySubsequences: false).joined(separator: "\\u003c")
    }

    private var situations: String {
        JSONText.list(
            graph.nodes.map {
                JSONText.object([
                    ("labels", JSONText.list($0.labels.map(Self.inScript))), ("depth", "\($0.depth)"),
                    ("opens", "\($0.opens)"), ("gone", "\($0.isGone)"), ("more", "\($0.movesLeftOut)"),
                ])
            })
    }

    private var moves: String {
        JSONText.list(
            graph.edges.map {
                JSONText.list([
                    "\($0.from)", "\($0.to)", Self.inScript($0.words), "\($0.isInStory ? 1 : 0)",
                ])
            })
    }

    private static var script: String { String(decoding: PackageResources.graph_js, as: UTF8.self) }
    private static var style: String { String(decoding: PackageResources.graph_css, as: UTF8.self) }
}
