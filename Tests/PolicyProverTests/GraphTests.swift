import AccessPolicy
import DeviceModel
import PolicyProver
import Testing

/// The situations and moves of a search, ready to be drawn.
@Suite struct GraphTests {
    private func scene(_ flags: AccessControlFlags) throws -> Scene {
        try Scene(storing: [Item(try AccessControl(protection: .whenUnlocked, flags: flags))])
    }

    @Test(arguments: [1, 2, 40, 100_000]) func theNearestAreShownAndTheStory(_ most: Int) throws {
        let graph = Graph(try scene(.biometryAny), by: .passcodeThief, to: .read, showing: most)
        #expect(graph.nodes.count + graph.leftOut == graph.extent.situations)
        #expect(graph.nodes.count <= max(most, 1) + 2)
        #expect(graph.edges.allSatisfy { graph.nodes.indices.contains($0.from) && graph.nodes.indices.contains($0.to) })
        let story = try #require(graph.story)
        #expect(story.steps.count == 3)
        // The last step of the story is the request, which leads to no other situation.
        #expect(graph.nodes.filter(\.isInStory).map(\.depth) == [0, 1, 2])
        #expect(graph.nodes.filter(\.isInStory).map(\.opens) == [false, false, true])
        #expect(
            graph.edges.filter(\.isInStory).map(\.words) == ["types the passcode", "enrolls a finger of their own"])
        if graph.leftOut == 0 { #expect(graph.nodes.allSatisfy { $0.movesLeftOut == 0 }) }
    }

    @Test func everySituationButTheFirstIsComeToByAMove() throws {
        let graph = Graph(try scene(.biometryCurrentSet), by: .injuredOwner, to: .read, showing: .max)
        #expect(graph.story == nil && graph.isComplete && graph.leftOut == 0)
        #expect(!graph.nodes.contains { $0.opens || $0.isInStory })
        let reached = Set(graph.edges.map(\.to))
        #expect(graph.nodes.indices.dropFirst().allSatisfy { reached.contains($0) })
        #expect(graph.edges.allSatisfy { graph.nodes[$0.to].depth <= graph.nodes[$0.from].depth + 1 })
        #expect(
            graph.nodes.contains { $0.isGone && $0.labels.contains("item invalidated (biometry.current-set.changed)") })
        #expect(graph.nodes[0].labels == ["locked", "item there"])
    }
}
