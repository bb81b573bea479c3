internal import AgentProtocol
internal import CommandLineKit
internal import Glibc
internal import PlainText
internal import SecretTools
internal import SodiumKit

/// The environment of a command before the secrets are read: it has their names instead of them.
struct PlannedEnvironment {
    /// The unchanged variables, `NAME=value`, each with a zero byte at the end.
    let kept: [UnsafeMutablePointer<CChar>]
    let assignments: [EnvironmentAssignment]
    /// The references that the user did not type, but that are in files or in the environment.
    let found: [FoundReference]

    /// A reference to a secret in a file or in the environment.
    struct FoundReference: Hashable {
        /// The path of the file; nil for the environment.
        let file: RawText?
        let variable: VariableName
        let name: SecretName
    }

    /// Plans the environment. Arguments of `--env` override files, later files override earlier ones, and files override the
    /// present environment.
    ///
    /// - Throws: `UsageError` or `AgentError` if a file cannot be read, or an assignment is malformed.
    init(files: [RawText], arguments: [String]) throws {
        var assigned: [VariableName: (assignment: EnvironmentAssignment, origin: Origin)] = [:]
        var order: [VariableName] = []
        func assign(_ assignment: EnvironmentAssignment, from origin: Origin) {
            if assigned.updateValue((assignment, origin), forKey: assignment.variable) == nil {
                order.append(assignment.variable)
            }
        }
        for path in files {
            let text = try SecretInput.read(fileAt: path)
            do {
                for assignment in try text.withBytes({ try EnvironmentFile.assignments(in: $0, file: path.text) }) {
                    assign(assignment, from: .file(path))
                }
            } catch { throw AgentError(.request, "\(error)") }
        }
        for argument in arguments {
            do { assign(try EnvironmentAssignment(argument: argument), from: .commandLine) } catch {
                throw UsageError("--env \(Terminal.word(String(argument.prefix { $0 != "=" }))): \(error)")
            }
        }
        var kept: [UnsafeMutablePointer<CChar>] = []
        var next = environ
        while let entry = next.pointee {
            next += 1
            let name = Self.name(of: entry)
            if let name, let variable = try? VariableName(name), assigned[variable] != nil { continue }
            if let name, let assignment = try Self.reference(name, in: entry) {
                assign(assignment, from: .environment)
            } else {
                kept.append(entry)
            }
        }
        self.kept = kept
        assignments = order.compactMap { assigned[$0]?.assignment }
        found = order.compactMap { assigned[$0] }.flatMap { assignment, origin in
            let file: RawText?
            switch origin {
            case .commandLine: return [FoundReference]()
            case .file(let path): file = path
            case .environment: file = nil
            }
            return assignment.value.secrets.map {
                FoundReference(file: file, variable: assignment.variable, name: $0)
            }
        }
    }

    /// The source of an assignment.
    private enum Origin {
        case commandLine
        case file(RawText)
        case environment
    }

    /// Returns the name before the first equals sign; nil if it is not a name that this command can set.
    private static func name(of entry: UnsafeMutablePointer<CChar>) -> String? {
        guard let sign = strchr(entry, Int32(UInt8(ascii: "="))) else { return nil }
        let bytes = UnsafeRawBufferPointer(start: entry, count: sign - entry)
        guard let name = String(validating: bytes, as: UTF8.self), (try? VariableName(name)) != nil else { return nil }
        return name
    }

    private static func reference(
        _ name: String, in entry: UnsafeMutablePointer<CChar>
    ) throws -> EnvironmentAssignment? {
        guard strstr(entry, "latchkey://") != nil else { return nil }
        do throws(EnvironmentError) {
            guard let value = String(validatingCString: entry + name.utf8.count + 1) else { throw .noText }
            return try EnvironmentAssignment(inherited: name, value)
        } catch { throw AgentError(.request, "\(name) in the environment: \(error)") }
    }

    /// The names of all secrets, each once, in the order of the variables.
    var secrets: [SecretName] {
        var seen: Set<SecretName> = []
        return assignments.flatMap(\.value.secrets).filter { seen.insert($0).inserted }
    }

    /// The search path for the command: the one in its own environment, as with `env`.
    var path: RawText? {
        if let set = assignments.first(where: { $0.variable.text == "PATH" }) {
            return RawText(set.value.pieces.map { if case .text(let text) = $0 { text } else { "" } }.joined())
        }
        return getenv("PATH").map { RawText(cString: $0) }
    }
}
