import PolicyScenarios
import Testing

/// What `items` says of how things stand is said of the item itself, whatever it is called by then.
@Suite struct ItemStateTests {
    @Test(arguments: [
        "{ update: token, set: { account: another }, expect: { granted, items: { token: present } } }",
        "{ update: token, set: { account: another }, expect: { granted, items: { token: absent } } }",
        "{ add: spare, app: second, expect: { granted, items: { spare: present } } }",
        "{ add: spare, app: second, expect: { granted, items: { spare: absent } } }",
    ])
    func anItemIsItself(_ step: String) throws {
        let text = """
            name: it is itself
            apps: { first: , second: }
            items: { token: , spare: { stored: false } }
            steps: [ \(step) ]
            """
        let file = ScenarioFile(bytes: Array(text.utf8), of: "i.yaml")
        #expect(file.mistakes.map(\.description) == [])
        #expect(try #require(file.scenarios.first).run().passed == step.contains("present"))
    }
}
