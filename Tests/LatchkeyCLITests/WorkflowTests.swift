import Foundation
import TestSupport
import Testing

/// The files for contributors and for GitHub. Nothing here can run a workflow; these tests parse them, and run the action's step in a
/// shell.
@Suite(.waitsForProcesses) struct WorkflowTests {
    private static let python = "import yaml,json,sys; print(json.dumps(yaml.load(open(sys.argv[1]), yaml.BaseLoader)))"

    private struct Workflow: Decodable {
        struct Job: Decodable {
            let container: String
            let steps: [Step]
        }
        let on: AnyEvents
        let jobs: [String: Job]
    }

    /// A mapping of events, or a list of them.
    private struct AnyEvents: Decodable {
        init(from decoder: any Decoder) throws {}
    }

    private struct Step: Decodable {
        let uses: String?
        let run: String?
        let with: [String: String]?
        let shell: String?
        let env: [String: String]?
    }

    private struct Action: Decodable {
        struct Input: Decodable {
            let description: String
            let `default`: String
        }
        struct Runs: Decodable {
            let using: String
            let steps: [Step]
        }
        let inputs: [String: Input]
        let runs: Runs
    }

    private func parsed<Value: Decodable>(_ path: String) throws -> Value {
        let file = Repository.root.appending(path: path).path
        let run = try Command.run(["-c", Self.python, file], program: URL(filePath: "/usr/bin/python3"))
        try #require(run.status == 0, "\(run.errors)")
        return try JSONDecoder().decode(Value.self, from: Data(run.output.utf8))
    }

    @Test func theWorkflowRunsTheCheckOfACleanCheckout() throws {
        let workflow: Workflow = try parsed(".github/workflows/check.yml")
        let job = try #require(workflow.jobs["check"])
        #expect(job.container.hasPrefix("swift:") && job.container.hasSuffix("-bookworm"))
        #expect(job.steps.compactMap(\.run).last == ".ci/run")
        #expect(FileManager.default.isExecutableFile(atPath: Repository.root.appending(path: ".ci/run").path))
    }

    @Test func theExampleGivesTheActionInputsThatItHas() throws {
        let action: Action = try parsed("action.yml")
        let example: Workflow = try parsed("Examples/policies.yml")
        let step = try #require(example.jobs["test"]?.steps.last)
        #expect(step.uses == "OWNER/latchkey@COMMIT")
        #expect(Set(try #require(step.with).keys).isSubset(of: action.inputs.keys))
        #expect(action.runs.using == "composite" && action.runs.steps.allSatisfy { $0.shell == "bash" })
        #expect(action.runs.steps.first?.run == #"make -C "$GITHUB_ACTION_PATH" build"#)
        #expect(action.inputs.values.allSatisfy { !$0.description.isEmpty })
    }

    /// A recipe of CONTRIBUTING.md that names a file which has moved leads nowhere.
    @Test func theGuideForContributorsNamesFilesThatThereAre() throws {
        let page = try String(contentsOf: Repository.root.appending(path: "CONTRIBUTING.md"), encoding: .utf8)
        let paths = page.matches(of: /`([A-Za-z.][A-Za-z0-9.+_-]*\/[A-Za-z0-9.+_\/-]+)`/).map { String($0.1) }
        #expect(paths.count >= 20)
        for path in paths where !path.hasPrefix(".build/") {
            #expect(FileManager.default.fileExists(atPath: Repository.root.appending(path: path).path), "\(path)")
        }
        #expect(page.split(separator: "\n", omittingEmptySubsequences: false).count <= 150)
    }

    /// A promise that names the test which holds it names one that there is.
    @Test func thePagesNameTestsThatThereAre() throws {
        let tests = Repository.root.appending(path: "Tests")
        let files = try #require(FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil))
        var (suites, functions): (Set<Substring>, Set<Substring>) = ([], [])
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            suites.formUnion(text.matches(of: /(?:struct|enum|class) (\w+Tests)\b/).map { $0.1 })
            functions.formUnion(text.matches(of: /func (\w+)\(/).map { $0.1 })
        }
        for (page, least) in [("docs/threat-model.md", 25), ("docs/proving.md", 0), ("docs/figures.md", 0)] {
            let text = try String(contentsOf: Repository.root.appending(path: page), encoding: .utf8)
            let names = text.matches(of: /`([A-Z]\w*Tests)(?:\.(\w+))?`/)
            #expect(names.count >= least, "\(page)")
            for name in names {
                #expect(suites.contains(name.1), "\(page): \(name.0)")
                if let function = name.2 { #expect(functions.contains(function), "\(page): \(name.0)") }
            }
        }
    }

    /// The last step of the action, on the scenarios of this project and on one that fails.
    @Test func theActionMarksTheLineThatFails() throws {
        let action: Action = try parsed("action.yml")
        let step = try #require(action.runs.steps.last)
        #expect(step.env == ["FILES": "${{ inputs.files }}", "OPTIONS": "${{ inputs.options }}"])
        let folder = try TemporaryFolder()
        let built = folder.path(".build/debug")
        try FileManager.default.createDirectory(atPath: built, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: "\(built)/latchkey", withDestinationPath: Command.binary.path)
        let file = folder.path("stranger.yaml")
        try """
        name: a stranger reads
        items: { token: { require: userPresence } }
        steps:
          - { read: token, by: stranger, expect: granted }
        """.write(toFile: file, atomically: true, encoding: .utf8)
        func act(on files: String) throws -> Command.Run {
            try Command.run(
                ["-c", step.run ?? ""],
                environment: ["GITHUB_ACTION_PATH": folder.path(""), "FILES": files, "OPTIONS": "--fail-fast"],
                program: URL(filePath: "/bin/bash"))
        }
        let passed = try act(on: Repository.root.appending(path: "Fixtures/scenarios/flags").path)
        #expect(passed.status == 0, "\(passed.errors)")
        let failed = try act(on: file)
        #expect(failed.status == 1 && failed.output.contains("::error file=\(file),line=4"), "\(failed.output)")
    }
}
