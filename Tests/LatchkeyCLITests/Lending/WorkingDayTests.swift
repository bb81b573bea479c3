import AgentProtocol
import Foundation
import Sandbox
import TestSupport
import Testing

/// A day of work of a program with an API and a repository: how often its lender is asked.
@Suite(
    .enabled(if: (try? Sandbox.requireBubblewrap()) != nil, "skipped: needs user namespaces and bubblewrap"),
    .enabled(if: LentServer.isThere && LentServer.isGitThere, "skipped: needs git, openssl, python3 and curl"),
    .waitsForProcesses)
struct WorkingDayTests {
    private static let token = "canary-api-5e0c1f7b92"
    private static let password = "canary-git-0a4d8823c6"
    private let vault: UnlockedVault
    private let api: LentServer
    private let git: LentServer

    init() throws {
        vault = try UnlockedVault()
        for folder in ["site", "upstream"] {
            try FileManager.default.createDirectory(
                atPath: vault.path(folder), withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        }
        api = try LentServer()
        git = try LentServer("git-server.py", [vault.path("upstream"), "x-access-token:\(Self.password)"])
        let made = try vault.sh("git init -q --bare -b main '\(vault.path("upstream"))/alice/site.git'")
        try #require(made.status == 0, "\(made.output)")
        let presence = try #require(PolicyPreset.all.first { $0.name == "presence" }).policy
        try vault.set("work/api", Self.token, presence)
        try vault.set("work/git", Self.password, presence)
        try vault.allow("work/api", api.address)
        try vault.allow("work/git", git.address)
        try vault.set("web/shop", "JBSWY3DPEHPK3PXP", presence)
        try vault.allow("web/shop", "codes")
        try vault.change([.reuse: 600])
    }

    /// The day: 40 calls, five logins with a one-time code and 20 pushes, in 20 tasks.
    private static let day = """
        set -e
        export HOME="$PWD" GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.com GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.com
        git clone -q "$1" clone 2>/dev/null && cd clone
        for task in $(seq 20); do
            echo "$task" >task && curl -sf "$API_URL/v1/tasks/$task" >>task
            if [ $((task % 4)) = 0 ]; then curl -sf "$LENT_LOGIN" >>../codes; fi
            git checkout -q -B "agent/task-$task" && git add task && git commit -qm "task $task"
            git push -q origin "agent/task-$task"
            curl -sf -d "done: $task" "$API_URL/v1/messages" >/dev/null
        done
        """

    /// The first profile of `latchkey lend new`, with its repository, as its owner fills it in.
    private func profile() throws -> String {
        FirstProfile.withRepository(try vault.sh("latchkey lend new -").output)
            .replacing("https://api.example.com", with: api.address)
            .replacing("https://github.com/alice/site.git", with: "\(git.address)/alice/site.git")
    }

    /// Counts the prompts of the whole day, from a vault that is locked in the morning.
    ///
    /// Here the day takes a minute, so each lease ends by its uses. In a day of eight hours each would end at the same uses or at its
    /// 240 minutes, whichever comes first, and with uses that are spread evenly that makes no prompt more:
    /// `theFirstProfileAsksFewTimesADay` takes these hours. A vault that locks itself meanwhile (`lock-after`, ten minutes at
    /// first) ends the leases, so a day of so few prompts needs `latchkey config lock-after` of some hours.
    @Test func aDayOfWorkAsksAtMostSixTimes() throws {
        try profile().write(toFile: vault.path("site/site.yaml"), atomically: true, encoding: .utf8)
        // Both servers have the same authority.
        try vault.lock()
        let words =
            ["lend", "--yes", "--quiet", "--ca", api.authorityFile, vault.path("site/site.yaml"), "--", "sh", "-c"]
            + ["(\(Self.day)); echo \"the day ends with status $?\"", "sh", "\(git.address)/alice/site.git"]
        let lending = try CommandAtTerminal(
            words, environment: vault.environment.merging(["LATCHKEY_PROMPT": "approve"]) { $1 })
        var prompts: [String] = []
        while try lending.wait(forAnyOf: ["run `latchkey approve`", "the day ends with status 0"]).hasPrefix("run") {
            let approving = try CommandAtTerminal(["approve"], environment: vault.environment)
            try approving.answer([("Passcode: ", UnlockedVault.passcode + "\n")])
            #expect(approving.end() == 0, "\(approving.shown)")
            prompts.append(approving.shown)
            try #require(prompts.count <= 20, "\(prompts)")
        }
        #expect(lending.end() == 0, "\(lending.shown)")
        print("prompts.per_day_lent: \(prompts.count)")
        #expect(prompts.count <= 6, "\(prompts)")
        // The prompts say what they are for.
        #expect(prompts.first?.contains("wants to unlock the vault") == true, "\(prompts)")
        #expect(prompts.count { $0.contains("Secret: work/api\n") } == 2, "\(prompts)")
        #expect(prompts.count { $0.contains("Secret: work/git\n") } == 2, "\(prompts)")
        #expect(prompts.count { $0.contains("Secret: web/shop\n") } == 1, "\(prompts)")
        for prompt in prompts.dropFirst() { #expect(prompt.contains("20 uses"), "\(prompt)") }
        // All the work was done, with the secrets.
        let calls = api.end()
        #expect(calls.count == 40, "\(calls)")
        let codes = try String(contentsOfFile: vault.path("site/codes"), encoding: .utf8).split(separator: "\n")
        #expect(codes.count == 5 && codes.allSatisfy { $0.count == 6 && $0.allSatisfy(\.isNumber) }, "\(codes)")
        #expect(calls.allSatisfy { $0.hasSuffix(" authorization=Bearer \(Self.token)") }, "\(calls)")
        let refs = try vault.sh("git -C '\(vault.path("upstream/alice/site.git"))' show-ref").output
        #expect(refs.split(separator: "\n").count == 20, "\(refs)")
        #expect(git.end().count { $0 == "POST /alice/site.git/git-receive-pack known" } == 20)
    }
}
