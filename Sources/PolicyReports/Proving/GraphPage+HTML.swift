internal import PlainText
internal import PolicyProver

extension GraphPage {
    /// As one page that needs nothing else: no file beside it, no network.
    package var html: String {
        """
        \(HTMLPage.beginning(title: heading, style: Self.style))<header>
        <h1>\(Quoting.xml(heading))</h1>
        <p>\(Quoting.xml("\(graph.profile.name): \(graph.profile.summary)")).</p>
        <p><strong>\(Quoting.xml(answer))</strong> \(Quoting.xml(extent))</p>
        \(story)<p><label>Search <input id="search" type="search" placeholder="unlocked, enrolled, lost"/></label>
        <span id="found" role="status"></span></p>
        <p class="key"><span class="chip opens">\(Quoting.xml(graph.aim.rawValue)) is granted</span>
        <span class="chip gone">the item is lost</span> <span class="chip story">in the story</span></p>
        </header>
        <main>
        <div id="columns" role="group" aria-label="Situations, by the number of steps to them">
        \(columns)</div>
        <aside id="panel" aria-live="polite"><p>Choose a situation to see what holds there, and its moves.</p></aside>
        </main>
        <script>
        const situations = \(situations);
        const moves = \(moves);
        \(Self.script)
        </script>
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
            "<details open=\"\"><summary>The shortest story</summary>\n<p>\(Quoting.xml(story.beginning))</p>\n<ol>\n"
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

    // A text of JSON inside of a script must not end it.
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

    private static let script = """
        const chips = [...document.querySelectorAll('#columns button')];
        const at = new Map(chips.map(chip => [Number(chip.dataset.place), chip]));
        const panel = document.getElementById('panel');
        function make(kind, text, parent) {
          const made = document.createElement(kind);
          made.textContent = text;
          parent.append(made);
          return made;
        }
        function list(title, some, end) {
          if (some.length === 0) return;
          make('h3', title, panel);
          const all = make('ul', '', panel);
          for (const move of some) {
            const line = make('li', '', all);
            const link = make('button', move[2] + (end === 1 ? '' : ' (from: ' + situations[move[0]].labels.join(', ') + ')'), line);
            link.type = 'button';
            if (move[3]) link.className = 'story';
            link.addEventListener('click', () => choose(move[end], true));
          }
        }
        function choose(place, focus) {
          for (const chip of chips) { chip.classList.remove('chosen', 'next'); chip.removeAttribute('aria-current'); }
          const chip = at.get(place);
          chip.classList.add('chosen');
          chip.setAttribute('aria-current', 'true');
          const situation = situations[place];
          const away = moves.filter(move => move[0] === place);
          for (const move of away) at.get(move[1]).classList.add('next');
          panel.replaceChildren();
          make('h2', 'After ' + situation.depth + (situation.depth === 1 ? ' step' : ' steps'), panel);
          const facts = make('ul', '', panel);
          for (const label of situation.labels) make('li', label, facts);
          make('p', situation.opens ? 'What they are after is granted here.' : situation.gone
            ? 'The item is lost.' : 'What they are after is not granted here.', panel);
          list('Moves from here', away, 1);
          if (situation.more) make('p', situation.more + ' more lead to situations that are left out.', panel);
          list('Moves to here', moves.filter(move => move[1] === place), 0);
          if (focus) { chip.focus(); chip.scrollIntoView({ block: 'nearest', inline: 'nearest' }); }
        }
        for (const chip of chips) chip.addEventListener('click', () => choose(Number(chip.dataset.place), false));
        document.getElementById('columns').addEventListener('keydown', event => {
          const section = event.target.closest('section');
          if (!section) return;
          let to = null;
          if (event.key === 'ArrowDown') to = event.target.nextElementSibling;
          if (event.key === 'ArrowUp') to = event.target.previousElementSibling;
          if (event.key === 'ArrowRight') to = section.nextElementSibling?.querySelector('button:not([hidden])');
          if (event.key === 'ArrowLeft') to = section.previousElementSibling?.querySelector('button:not([hidden])');
          if (to?.matches('button')) { to.focus(); event.preventDefault(); }
        });
        document.getElementById('search').addEventListener('input', event => {
          const words = event.target.value.toLowerCase().split(/[ ,]+/).filter(word => word);
          let count = 0;
          for (const chip of chips) {
            const text = chip.textContent.toLowerCase();
            chip.hidden = !words.every(word => text.includes(word));
            if (!chip.hidden) count += 1;
          }
          document.getElementById('found').textContent = words.length ? count + ' found' : '';
        });
        """

    private static let style = """
        :root { color-scheme: light dark; --ink: #1b1b1f; --page: #ffffff; --line: #c9c9d1; --soft: #f1f1f5;
          --open: #fbe0de; --open-ink: #7a1512; --story: #1f4fbf; --next: #e6edff; }
        @media (prefers-color-scheme: dark) {
          :root { --ink: #ececf1; --page: #16161a; --line: #45454f; --soft: #222229;
            --open: #431a18; --open-ink: #ffb9b3; --story: #8fb0ff; --next: #1d2a4d; }
        }
        body { color: var(--ink); background: var(--page); font: 1rem/1.5 system-ui, sans-serif; margin: 0 auto;
          padding: 1.5rem; }
        header p, details { max-width: 50rem; }
        main { display: grid; grid-template-columns: minmax(0, 1fr) 22rem; gap: 1rem; }
        #columns { display: flex; gap: 1rem; overflow: auto; max-height: 80vh; }
        #columns section { flex: 0 0 14rem; display: flex; flex-direction: column; gap: 0.4rem; }
        #columns h2 { font-size: 1rem; margin: 0; position: sticky; top: 0; background: var(--page); }
        #panel { border: 1px solid var(--line); padding: 0 1rem 1rem; overflow: auto; max-height: 80vh; }
        #panel button { font: inherit; color: inherit; background: none; border: 0; padding: 0; text-align: left;
          text-decoration: underline; cursor: pointer; }
        .chip { font: inherit; font-size: 0.8rem; line-height: 1.3; color: inherit; background: var(--soft);
          border: 1px solid var(--line); border-radius: 0.4rem; padding: 0.3rem 0.5rem; text-align: left; }
        button.chip { cursor: pointer; }
        .chip[hidden] { display: none; }
        .opens { background: var(--open); color: var(--open-ink); font-weight: 600; }
        .gone { border-style: dashed; opacity: 0.8; }
        .story { border: 2px solid var(--story); }
        #panel .story { border: 0; color: var(--story); font-weight: 600; }
        .next { background: var(--next); }
        .chosen { outline: 3px solid currentColor; }
        @media (max-width: 60rem) { main { grid-template-columns: 1fr; } }
        """
}
