internal import AgentProtocol
internal import CommandLineKit
internal import Glibc
internal import PlainText
internal import SecretTools
internal import SodiumKit

/// `latchkey docker-credential`
enum DockerCredentialCommand {
    /// The messages that docker recognizes by their exact words.
    private enum Words {
        static let notFound = "credentials not found in native keychain"
        static let noServer = "no credentials server URL"
        static let noUser = "no credentials username"
    }

    private static let operations = ["get", "store", "erase", "list", "version"]

    static let declaration = Declaration(
        name: "docker-credential", summary: "serve docker as credential helper",
        text: """
            Serves docker, podman and other container tools with registry passwords, by their JSON protocol. docker calls it as
            docker-credential-latchkey, a link to latchkey (docs/helpers.md). Passwords are saved as docker/SERVER/USERNAME.

            A new password replaces the one for its server and keeps its access policy, without a prompt. As docker expects,
            errors go to standard output, with exit status 1.
            """,
        operands: [
            Operand(name: "OPERATION", says: "\(operations.joined(separator: ", "))", values: .words(operations))
        ],
        options: StoringOptions(),
        examples: [
            ("echo https://index.docker.io/v1/ | docker-credential-latchkey get", "looks up a password as docker does")
        ],
        group: "helpers", run: run)

    @Sendable private static func run(_ given: Given<StoringOptions>) throws -> String {
        do { return try perform(given) } catch {
            let fault = error as? AgentError
            let words = fault.map { "\($0.inCommandWords())" } ?? "\(error)"
            Output.write(fault?.kind == .notFound ? "\(Words.notFound)\n" : "\(Terminal.line(words))\n")
            exit(1)
        }
    }

    private static func perform(_ given: Given<StoringOptions>) throws -> String {
        let operation = given.words[0]
        switch operation {
        case "version": return "docker-credential-latchkey (latchkey) v\(given.program.version)\n"
        case "list": return try list(try VaultAccess(given[\.vault]))
        case "get": try get(try server(), try VaultAccess(given[\.vault]))
        case "erase":
            let server = try server()
            try erase(server, try VaultAccess(given[\.vault]))
        case "store": try store(given)
        default: throw UsageError(unknown: "operation", operation, among: operations)
        }
        return ""
    }

    /// Reads the server from standard input. Throws if there is none.
    private static func server() throws -> String {
        let text = try SecretInput.read(STDIN_FILENO, called: "standard input").string() ?? ""
        var server = text[...]
        while server.first?.isWhitespace == true { server.removeFirst() }
        while server.last?.isWhitespace == true { server.removeLast() }
        if server.isEmpty { throw AgentError(.request, Words.noServer) }
        return String(server)
    }

    private static func folder(_ server: String) throws(AgentError) -> SecretName {
        try CredentialName.joined(["docker", server])
    }

    private static func get(_ server: String, _ access: VaultAccess) throws {
        let reason = "log docker in to \(Terminal.name(server, also: ":/", longest: 60))"
        guard let (name, username) = try access.secrets(in: folder(server), because: reason).first else {
            throw AgentError(.notFound, Words.notFound)
        }
        var reply = try access.ask(ReadCall(name.text), because: reason)
        guard let secret = reply.secret.take() else { throw AgentError(.notFound, Words.notFound) }
        var answer = try SecureBuffer(capacity: 2 * secret.count + 1024)
        try answer.append(text: "{\"ServerURL\":")
        try answer.append(json: server)
        try answer.append(text: ",\"Username\":")
        try answer.append(json: username)
        try answer.append(text: ",\"Secret\":")
        guard try secret.withBytes({ try answer.append(json: $0) }) else {
            throw AgentError(
                .request,
                "\(name) is not text, and docker accepts nothing else: change it with `latchkey edit \(Shell.word(name.text))`"
            )
        }
        try answer.append(text: "}\n")
        try SecretOutput.put(try answer.bytes())
    }

    private static func store(_ given: Given<StoringOptions>) throws {
        var policy = try ItemPolicyWords.policy(given[\.policy])
        let access = try VaultAccess(given[\.vault])
        let object = try CredentialFields.read(try SecretInput.read(STDIN_FILENO, called: "standard input"))
        let (server, username) = (object.text("ServerURL"), object.text("Username"))
        if server.isEmpty { throw AgentError(.request, Words.noServer) }
        if username.isEmpty { throw AgentError(.request, Words.noUser) }
        guard let secret = try object.secret("Secret") else {
            throw AgentError(.request, "docker sent no Secret to save")
        }
        let name = try CredentialName.joined(["docker", server, username])
        // docker knows one user for each server.
        let former = try access.secrets(in: folder(server), because: "save \(name)").map(\.name)
        var comment: String?
        if former.contains(name) {
            let item = try access.entry(of: name.text).item
            (policy, comment) = (item.policy, item.comment.isEmpty ? nil : item.comment)
        }
        // Deleting and adding need no authentication, but a change would. The agent does both in one step, so that a password
        // exists at every moment.
        let request = ExchangeCall(former.map(\.text), for: name.text, policy, comment: comment)
        _ = try access.ask(request, because: "save \(name)", sending: secret)
    }

    private static func erase(_ server: String, _ access: VaultAccess) throws {
        for (name, _) in try access.secrets(in: folder(server), because: "delete docker's login to \(server)") {
            _ = try access.ask(RemoveCall(name.text, isFinal: true), because: "delete \(name)")
        }
    }

    private static func list(_ access: VaultAccess) throws -> String {
        let (entries, locked, _) = try access.entries(because: "list docker's logins")
        if locked > 0 && entries.isEmpty {
            throw AgentError(.locked, "the vault is locked: run `latchkey unlock` in a terminal")
        }
        var users: [String: String] = [:]
        for name in entries.compactMap({ try? SecretName($0.name) }).sorted() {
            let parts = name.parts
            guard parts.count == 3, parts[0] == "docker", let server = CredentialName.unescaped(parts[1]),
                let username = CredentialName.unescaped(parts[2]), users[server] == nil
            else { continue }
            users[server] = username
        }
        var text = try SecureBuffer()
        for (server, username) in users.sorted(by: { $0.key < $1.key }) {
            try text.append(text: text.count == 0 ? "{" : ",")
            try text.append(json: server)
            try text.append(text: ":")
            try text.append(json: username)
        }
        return (users.isEmpty ? "{" : try text.bytes().string() ?? "{") + "}\n"
    }
}
