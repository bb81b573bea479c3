import Foundation
import TestSupport
import Testing

/// A user whose vault has the login password, and a program that logs in as that user through the module for PAM.
///
/// The program and the module run under the sanitizers for addresses and undefined behavior.
final class LoginStage {
    /// The steps of a login that ran, with the code of each.
    struct Login {
        let steps: [(name: String, code: Int, milliseconds: Double)]
        let errors: String

        subscript(_ name: String) -> Int? { steps.first { $0.name == name }?.code }
    }

    let user: LoginUser
    let folder: TemporaryFolder
    var module: String { folder.path("pam_latchkey.so") }
    private(set) var socket = ""

    /// Creates the user with a vault, whose agent has just started.
    init(password: String) throws {
        user = try LoginUser(password: password)
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("pam.d"), withIntermediateDirectories: false)
        try Self.build(into: folder, program: user.home + "/latchkey-agent")
        try LoginUser.system("chmod 755 '\(folder.path(""))'; chown root '\(user.home)'/latchkey*")
        let made = try user.run("init", "--default-policy", "every-time", asked: [("Passcode: ", password + "\n")])
        try #require(made.status == 0, "\(made)")
        try restartAgent()
        try writeStack()
    }

    /// Builds the module and the program with the sanitizers.
    static func build(into folder: TemporaryFolder, program: String) throws {
        let sanitizers = "-fsanitize=address,undefined -fno-sanitize-recover=all"
        let support = Repository.root.appending(path: "Tests/Support/PAMLogin").path
        let source = Repository.root.appending(path: "Sources/pam_latchkey").path
        try LoginUser.system(
            """
            cd '\(Repository.root.path)'
            Scripts/build-pam-module '\(folder.path("pam_latchkey.so"))' '\(program)' -U_FORTIFY_SOURCE \
                \(sanitizers) -Wl,-z,undefs
            gcc -std=c11 -O1 -g -Wall -Wextra -Werror \(sanitizers) -o '\(folder.path("login"))' '\(support)/login.c' -lpam -Wl,--no-as-needed -lcrypt
            gcc -std=c11 -O1 -g -Wall -Wextra -Werror \(sanitizers) -o '\(folder.path("replies"))' \
                '\(support)/replies.c' '\(source)/reply.c'
            """)
    }

    /// Ends the agent and starts another one, so that the vault was never unlocked.
    func restartAgent() throws {
        _ = try user.run("agent", "stop")
        try #require(try user.run("status").status == 0)
        let published = try String(contentsOfFile: user.home + "/vault/agent.lock", encoding: .utf8)
        socket = String(try #require(published.split(separator: "\n").dropFirst().first))
    }

    /// The number of the agent's process.
    var agent: pid_t {
        get throws {
            let published = try String(contentsOfFile: user.home + "/vault/agent.lock", encoding: .utf8)
            return try #require(pid_t(published.split(separator: "\n")[0]))
        }
    }

    var identifier: uid_t {
        get throws { try #require(getpwnam(user.name)).pointee.pw_uid }
    }

    /// Writes the service "login". Debian's stacks reach the module only after a success.
    func writeStack(
        auth: [String]? = nil, password: [String]? = nil, arguments: String = "", socket: String? = nil
    ) throws {
        let socket = socket ?? self.socket
        let ours = "optional \(module) debug socket=\(socket) \(arguments)"
        let unix = ["[success=1 default=ignore] pam_unix.so", "requisite pam_deny.so", "required pam_permit.so"]
        let lines =
            (auth ?? unix).map { "auth \($0)" } + ["auth \(ours)", "account required pam_permit.so"]
            + ["session required pam_permit.so", "session \(ours)"]
            + (password ?? unix).map { "password \($0)" } + ["password \(ours)"]
        try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: URL(filePath: folder.path("pam.d/login")))
    }

    /// Runs the program with these steps. It types these lines.
    func login(_ steps: String..., typing lines: [String] = []) throws -> Login { try login(steps, typing: lines) }

    /// Runs the program with these steps. It types these lines.
    func login(_ steps: [String], typing lines: [String] = []) throws -> Login {
        let input = folder.path("typed")
        try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: URL(filePath: input))
        let words = steps.map { "'\($0)'" }.joined(separator: " ")
        let run = try Command.run(
            [
                "-c",
                "exec '\(folder.path("login"))' '\(folder.path("pam.d"))' login \(user.name) \(words) < '\(input)'",
            ],
            // The memory of PAM's own modules is not what is tested.
            environment: ["ASAN_OPTIONS": "detect_leaks=0"], program: URL(filePath: "/bin/sh"))
        #expect(run.status == 0 && !run.errors.contains("Sanitizer"), "\(run)")
        let results = run.output.split(separator: "\n").map { $0.split(separator: " ") }
        return Login(
            steps: results.map { (String($0[0]), Int($0[1]) ?? -1, Double($0[2]) ?? 0) }, errors: run.errors)
    }

    /// Returns the report of the agent.
    func status() throws -> String { try user.run("status", "--json").shown }

    func isUnlocked() throws -> Bool { try status().contains(#""state":"unlocked""#) }

    /// Logs in until a condition holds. The module gives up after three seconds, so on a busy machine one login may not
    /// reach the agent. Returns false if the condition does not hold in time.
    func logsIn(
        _ last: String, as identity: String = "env=A=b", typing password: String, until condition: () throws -> Bool
    ) throws -> Bool {
        try Patience.wait(everyMilliseconds: 50) {
            let login = try login(identity, "authenticate", last, typing: [password])
            #expect(login["authenticate"] == 0 && login[last] == 0)
            for _ in 0..<40 {
                if try condition() { return true }
                usleep(50_000)
            }
            return false
        }
    }
}
