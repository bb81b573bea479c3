#if !hasFeature(Embedded)
    public import DeviceModel

    // Runs the same searches with several tasks at a time. Embedded Swift has no tasks, so only this file needs them.

    extension Prover {
        /// Returns the verdict on `claim`, searching with ``tasks`` tasks at a time.
        ///
        /// The verdict is the same with any number of tasks.
        public func prove(_ claim: Claim) async -> Verdict {
            var inquiry = inquiry(into: claim)
            await inquiry.search.run(tasks: tasks)
            return inquiry.verdict
        }
    }

    extension Search {
        /// Runs the search to its end, splitting a level among several tasks if it is long enough.
        mutating func run(tasks: Int) async {
            while end == nil {
                let parts = parts(at: tasks)
                if parts.count == 1 {
                    merge([expanded(parts[0])])
                    continue
                }
                let snapshot = self
                let expansions = await withTaskGroup(of: (Int, Expansion).self) { group in
                    for (index, part) in parts.enumerated() {
                        group.addTask { (index, snapshot.expanded(part)) }
                    }
                    var all: [Expansion?] = Array(repeating: nil, count: parts.count)
                    for await (index, expansion) in group { all[index] = expansion }
                    return all.compactMap { $0 }
                }
                merge(expansions)
            }
        }
    }

    extension Suggestion {
        /// Searches every policy for data, or for a private key, with `tasks` tasks at a time.
        ///
        /// `progress` receives the number of policies that are done, each time that a batch ends.
        public init(
            for claims: [Claim.Statement], isKey: Bool, on settings: DeviceSettings = DeviceSettings(),
            isSetUp: Bool = true, assuming stated: Assumptions.Stated = .init(), tasks: Int = 1,
            limits: SearchLimits = SearchLimits(), progress: @Sendable (Int) -> Void = { _ in }
        ) async {
            let survey = Self.survey(for: claims, isKey: isKey, on: settings, isSetUp: isSetUp)
            let batches = await withTaskGroup(of: (Int, Batch).self) { group in
                let scenes = survey.scenes
                var all = Array(repeating: Batch(), count: scenes.count)
                var next = 0
                func begin() {
                    guard next < scenes.count else { return }
                    let (place, scene) = (next, scenes[next])
                    next += 1
                    group.addTask { (place, Batch(scene, claims, stated, limits)) }
                }
                for _ in 0..<max(1, tasks) { begin() }
                var done = 0
                for await (place, batch) in group {
                    all[place] = batch
                    done += scenes[place].items.count
                    progress(done)
                    begin()
                }
                return all
            }
            self.init(claims, settings, stated, survey, batches)
        }
    }
#endif
