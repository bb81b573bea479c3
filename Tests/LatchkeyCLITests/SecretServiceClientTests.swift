import AgentProtocol
import Foundation
import TestSupport
import Testing
import UserPresence

/// Real programs of a desktop, the real agent, and prompts in real windows.
@Suite(
    .serialized, .waitsInOrder,
    .enabled(
        if: PrivateBus.isPossible && VirtualDisplay.isThere && PinentryFlavor.qt.program != nil
            && FileManager.default.isExecutableFile(atPath: "/usr/bin/secret-tool"),
        "skipped: needs dbus-daemon, secret-tool, pinentry-qt, xvfb and xdotool"))
struct SecretServiceClientTests {
    private let vault: UnlockedVault
    private let display: VirtualDisplay
    private let bus: PrivateBus

    private static let python = "/usr/bin/python3"

    init() throws {
        (vault, display, bus) = (try UnlockedVault(), try VirtualDisplay(), try PrivateBus())
        try FileManager.default.createSymbolicLink(
            atPath: vault.busPath, withDestinationPath: bus.folder.path("bus"))
        try vault.change([.secretService: true, .pinentry: "qt", .defaultPolicy: .policy(.usual)])
        try awaitService()
    }

    private func awaitService() throws {
        let isThere = try TestSupport.Patience.wait(everyMilliseconds: 50) {
            try vault.sh("latchkey secret-service status --json").output.contains("\"state\":\"serving\"")
        }
        let status = try vault.sh("latchkey secret-service status")
        try #require(isThere, "\(status)")
    }

    private func tool(_ arguments: [String], input: String = "") throws -> PrivateBus.Run {
        try bus.run("/usr/bin/secret-tool", arguments, input: input, environment: ["DISPLAY": display.name])
    }

    /// Runs a program of the desktop, and answers its first window.
    private func prompted(
        _ arguments: [String], of program: String = "/usr/bin/secret-tool", in environment: [String: String] = [:],
        typing text: String = UnlockedVault.passcode, _ key: String = "Return"
    ) throws -> PrivateBus.Run {
        let client = try bus.begin(
            program, arguments, environment: environment.merging(["DISPLAY": display.name]) { $1 })
        let running = Background { Result { try client.end() } }
        if let window = try display.window(unless: { running.isOver }) {
            #expect(try display.type(text, key, into: window))
        } else {
            Issue.record("no window for \(arguments)")
        }
        let run = try running.value.get()
        #expect(try display.isEmptyInTime())
        return run
    }

    private func store() throws {
        let stored = try tool(["store", "--label=Sample", "service", "mail"], input: "s3cret")
        #expect(stored.status == 0, "\(stored)")
        #expect(try display.windows.isEmpty, "storing asks for nothing")
    }

    @Test func secretToolStoresInSilenceAndReadsAfterAPrompt() throws {
        try store()
        #expect(try vault.names() == ["login/Sample"])
        let found = try prompted(["lookup", "service", "mail"])
        #expect(found.status == 0 && found.output == "s3cret", "\(found)")
        // Another process is another connection.
        let again = try prompted(["lookup", "service", "mail"])
        #expect(again.output == "s3cret", "\(again)")
        let explained = try vault.sh("latchkey secret-service explain secret-tool").output
        #expect(
            explained.contains("login/Sample") && explained.contains("you were asked, and authenticated"),
            "\(explained)")
        #expect(try vault.sh("latchkey log --last 5").output.contains("/usr/bin/secret-tool"))
    }

    @Test func secretToolDeletesWhatAsksForNothing() throws {
        try store()
        // libsecret deletes only what is unlocked for its connection, and leaves the rest.
        #expect(try tool(["clear", "service", "mail"]).status == 1)
        #expect(try vault.names() == ["login/Sample"])
        try vault.change([.secretRules: "service=plain -> require=nothing", .history: 86_400])
        #expect(try tool(["store", "--label=Plain", "service", "plain"], input: "p").status == 0)
        #expect(try tool(["lookup", "service", "plain"]).output == "p")
        #expect(try tool(["clear", "service", "plain"]).status == 0)
        #expect(try vault.names() == ["login/Sample"])
        #expect(try vault.sh("latchkey undo login/Plain").status == 0)
        #expect(try tool(["lookup", "service", "plain"]).output == "p")
    }

    @Test func aDismissalGivesNothingAndLeavesTheItem() throws {
        try store()
        let dismissed = try prompted(["lookup", "service", "mail"], typing: "half", "Escape")
        #expect(dismissed.status == 1 && dismissed.output.isEmpty, "\(dismissed)")
        #expect(try vault.names() == ["login/Sample"])
        #expect(try vault.sh("latchkey secret-service explain").output.contains("the program got nothing"))
    }

    @Test func aProgramWithoutAPlaceForItsPromptIsApprovedInAnotherTerminal() throws {
        try store()
        try vault.change([.pinentry: "none"])
        let client = try CommandAtTerminal(
            ["lookup", "service", "mail"], program: "/usr/bin/secret-tool",
            environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address, "DISPLAY": "", "WAYLAND_DISPLAY": ""])
        try client.wait(for: "latchkey: secret-tool waits 2 minutes for your approval")
        let approving = try CommandAtTerminal(["approve"], environment: vault.environment)
        try approving.answer([("Program: /usr/bin/secret-tool", ""), ("Passcode: ", UnlockedVault.passcode + "\n")])
        #expect(approving.end() == 0, "\(approving.shown)")
        try client.wait(for: "s3cret")
        #expect(client.end() == 0, "\(client.shown)")
    }

    /// Seventy connections of one program open one window, and once the user has dismissed it, none for a minute.
    @Test func aProgramThatFloodsShowsOneWindow() throws {
        try store()
        let lookup = ["lookup", "service", "mail"]
        let clients = try (0..<10).map { _ in
            try bus.begin("/usr/bin/secret-tool", lookup, environment: ["DISPLAY": display.name])
        }
        let running = clients.map { client in Background { Result { try client.end() } } }
        let window = try #require(try display.window(unless: { running.allSatisfy { $0.isOver } }))
        // All but one have their answer while the window is open.
        #expect(TestSupport.Patience.wait { running.count { $0.isOver } == 9 })
        #expect(try display.windows.count == 1)
        #expect(try display.type("", "Escape", into: window))
        for run in try running.map({ try $0.value.get() }) { #expect(run.status == 1 && run.output.isEmpty, "\(run)") }
        for _ in 0..<3 { #expect(try tool(lookup).status == 1) }
        #expect(try display.windows.isEmpty)
        let status = try vault.sh("latchkey secret-service status").output
        #expect(status.contains("silent      /usr/bin/secret-tool, until 2"), "\(status)")
        #expect(status.contains("run `latchkey unlock`"), "\(status)")
        #expect(try vault.sh("latchkey secret-service explain").output.contains("gets no prompt now"))
        try vault.unlock()
        #expect(try !vault.sh("latchkey secret-service status").output.contains("silent"))
        #expect(try prompted(lookup).output == "s3cret")
    }

    @Test func aLockedVaultOpensWithOnePrompt() throws {
        try store()
        try vault.lock()
        let found = try prompted(["lookup", "service", "mail"])
        #expect(found.status == 0 && found.output == "s3cret", "\(found)")
        // Storing into a locked vault unlocks it too.
        try vault.lock()
        let client = try bus.begin(
            "/usr/bin/secret-tool", ["store", "--label=Other", "service", "other"], input: "o",
            environment: ["DISPLAY": display.name])
        let running = Background { Result { try client.end() } }
        let window = try #require(try display.window(unless: { running.isOver }))
        #expect(try display.type(UnlockedVault.passcode, "Return", into: window))
        #expect(try running.value.get().status == 0)
        #expect(try vault.names().sorted() == ["login/Other", "login/Sample"])
    }

    @Test func aLockClosesTheWindow() throws {
        try store()
        let client = try bus.begin(
            "/usr/bin/secret-tool", ["lookup", "service", "mail"], environment: ["DISPLAY": display.name])
        let running = Background { Result { try client.end() } }
        _ = try #require(try display.window(unless: { running.isOver }))
        try vault.lock()
        let run = try running.value.get()
        #expect(run.status == 1 && run.output.isEmpty, "\(run)")
        #expect(try display.isEmptyInTime())
    }

    @Test func anAgentThatWasKilledCostsOneFailedCall() throws {
        try store()
        #expect(kill(try vault.agentProcess(), SIGKILL) == 0)
        let run = try tool(["lookup", "service", "mail"])
        #expect(run.status != 0 && run.output.isEmpty, "\(run)")
        // The next command starts another one, which serves at once.
        try awaitService()
        let found = try prompted(["lookup", "service", "mail"])
        #expect(found.status == 0 && found.output == "s3cret", "\(found)")
    }

    @Test func aRuleAsksOncePerSession() throws {
        try vault.change([.secretRules: "service=mail -> once-per-session"])
        try store()
        #expect(try prompted(["lookup", "service", "mail"]).output == "s3cret")
        #expect(try tool(["lookup", "service", "mail"]).output == "s3cret")
        #expect(try vault.sh("latchkey secret-service explain").output.contains("once per session for every program"))
        try vault.lock()
        #expect(try prompted(["lookup", "service", "mail"]).output == "s3cret")
        #expect(try tool(["lookup", "service", "mail"]).output == "s3cret")
    }

    @Test(
        .enabled(
            if: FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/secretstorage"),
            "skipped: needs python3-secretstorage"))
    func secretStorageReadsAfterAPrompt() throws {
        try store()
        let script = """
            import secretstorage
            bus = secretstorage.dbus_init()
            collection = secretstorage.get_default_collection(bus)
            item = next(collection.search_items({"service": "mail"}))
            print(item.get_label(), item.get_attributes()["service"], item.is_locked())
            item.unlock()
            print(item.get_secret().decode())
            """
        let run = try prompted(["-c", script], of: Self.python)
        #expect(run.status == 0 && run.output == "Sample mail True\ns3cret\n", "\(run)")
        let refused = try prompted(["-c", script], of: Self.python, typing: "", "Escape")
        #expect(
            try vault.sh("latchkey secret-service status --json").output.contains(
                "\"silent\":[{\"program\":\"/usr/bin/python3"))
        #expect(refused.status == 1 && refused.errors.contains("LockedException"), "\(refused)")
    }

    /// What the user gave for a command serves no program on the bus, and the other way round, also in one session.
    @Test func anAuthenticationDoesNotCrossBetweenCommandsAndTheService() throws {
        try vault.change([.reuse: 300])
        try store()
        let environment = vault.environment.merging(["DISPLAY": display.name]) { $1 }
        let lookup = "secret-tool lookup service mail; echo \" LOOKUP $?\""
        func start(_ script: String) throws -> CommandAtTerminal {
            try CommandAtTerminal(["-c", script], program: "/bin/sh", environment: environment)
        }
        func answerWindow() throws {
            let window = try #require(try display.window(unless: { false }))
            #expect(try display.type(UnlockedVault.passcode, "Return", into: window))
        }
        let get = "DISPLAY= latchkey get login/Sample | cat; echo"
        let first = try start("\(get); \(lookup)")
        try first.answer([("Passcode: ", UnlockedVault.passcode + "\n")])
        try answerWindow()
        try first.wait(for: " LOOKUP 0")
        #expect(first.end() == 0)
        let second = try start("\(lookup); latchkey get --no-prompt login/Sample; echo GET $?")
        try answerWindow()
        try second.wait(for: " LOOKUP 0")
        try second.wait(for: "GET 8")
        #expect(second.end() == 0)
    }

    @Test func aSecondVaultWaitsForTheName() throws {
        let other = try UnlockedVault()
        try FileManager.default.createSymbolicLink(atPath: other.busPath, withDestinationPath: bus.folder.path("bus"))
        try other.change([.secretService: true])
        let waits = try TestSupport.Patience.wait(everyMilliseconds: 50) {
            try other.sh("latchkey secret-service status --json").output.contains("\"state\":\"waiting\"")
        }
        #expect(waits)
        let status = try other.sh("latchkey secret-service status").output
        let owner = try vault.agentProcess()
        #expect(
            status.contains("has the name") && status.contains("(process \(owner))"), "\(status)")
        #expect(try other.sh("latchkey doctor").output.contains("has the name"))
        try vault.change([.secretService: false])
        let serves = try TestSupport.Patience.wait(everyMilliseconds: 50) {
            try other.sh("latchkey secret-service status --json").output.contains("\"state\":\"serving\"")
        }
        #expect(serves)
    }

    /// The last decision about a read or a use: the verdict and the rules.
    private func lastDecision() throws -> String {
        let lines = try vault.sh("latchkey log --json").output.split(separator: "\n")
        let last = try #require(lines.last { $0.contains("\"readData\"") || $0.contains("\"sign\"") })
        let (verdict, rules) = (
            last.firstMatch(of: /"verdict":"[a-z]*"/)?.0, last.firstMatch(of: /"rules":\[[^\]]*\]/)?.0
        )
        return String(try #require(verdict) + " " + #require(rules))
    }

    /// A command, a program on the bus and an SSH client ask for what has one policy. Each gets one prompt, with one answer the same
    /// decision, and the same record.
    @Test func everyDoorAsksAlikeAndLeavesTheSameRecord() throws {
        try store()
        let made = try vault.sh(
            "latchkey ssh add mine --generate ed25519 && latchkey ssh public mine >~/mine.pub && echo text >~/text && "
                + "latchkey ssh-agent --shell sh")
        let socket = try #require(made.output.firstMatch(of: /SSH_AUTH_SOCK=([^;]+); export/)?.1, "\(made)")
        let home = try #require(vault.environment["HOME"])
        let doors: [(program: String, arguments: [String], environment: [String: String])] = [
            (Command.binary.path, ["get", "login/Sample"], vault.environment),
            ("/usr/bin/secret-tool", ["lookup", "service", "mail"], [:]),
            (
                "/usr/bin/ssh-keygen", ["-Y", "sign", "-f", home + "/mine.pub", "-n", "file", home + "/text"],
                ["SSH_AUTH_SOCK": String(socket)]
            ),
        ]
        for (isLocked, answer, isGranted) in [
            (false, (UnlockedVault.passcode, "Return"), true), (true, (UnlockedVault.passcode, "Return"), true),
            (false, ("half", "Escape"), false),
        ] {
            var decisions: [String] = []
            for door in doors {
                if isLocked { try vault.lock() }
                let run = try prompted(
                    door.arguments, of: door.program, in: door.environment, typing: answer.0, answer.1)
                #expect((run.status == 0) == isGranted, "\(door.program): \(run)")
                decisions.append(try lastDecision())
            }
            #expect(Set(decisions).count == 1 && decisions[0].contains("granted") == isGranted, "\(decisions)")
        }
    }
}
