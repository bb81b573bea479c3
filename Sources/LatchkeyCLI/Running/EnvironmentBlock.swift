internal import AgentProtocol
internal import Glibc
internal import SecretTools
internal import SodiumKit

/// An environment in the form that the system takes, with its secrets, in wiped memory.
struct EnvironmentBlock: ~Copyable {
    /// The longest variable that Linux accepts, with its name and the zero byte at the end.
    private static let longest = 128 * 1024

    private var text: SecureBuffer
    private var starts: [Int] = []

    private init() throws(SodiumError) { text = try SecureBuffer(capacity: 16 * 1024) }

    /// Returns the planned environment with these secrets. Throws if one of them does not fit into a variable.
    static func made(of plan: PlannedEnvironment, _ secrets: [SecretName: HeldSecret]) throws -> EnvironmentBlock {
        var block = try EnvironmentBlock()
        for entry in plan.kept {
            block.starts.append(block.text.count)
            try block.text.append(UnsafeRawBufferPointer(start: entry, count: strlen(entry) + 1).bytes)
        }
        for assignment in plan.assignments { try block.append(assignment, secrets) }
        return block
    }

    private mutating func append(_ assignment: EnvironmentAssignment, _ secrets: [SecretName: HeldSecret]) throws {
        let variable = assignment.variable.text
        let start = text.count
        starts.append(start)
        try text.append(text: "\(variable)=")
        for piece in assignment.value.pieces {
            switch piece {
            case .text(let piece): try text.append(text: piece)
            case .secret(let name): try append(name, secrets)
            }
        }
        try text.append(0)
        if text.count - start > Self.longest {
            throw AgentError(
                .request,
                "\(variable) would be longer than the \(Self.longest / 1024) KiB that a variable may have: use a file or a "
                    + "pipe instead")
        }
    }

    private mutating func append(_ name: SecretName, _ secrets: [SecretName: HeldSecret]) throws {
        guard let secret = secrets[name] else { throw AgentError(.notFound, "\(name) was not read") }
        let hasZero = secret.bytes.withBytes { bytes in bytes.withUnsafeBytes { $0.contains(0) } }
        if hasZero {
            throw AgentError(
                .request,
                "\(name) has a zero byte, which no variable can have: use a pipe, `latchkey get \(name) | …`"
            )
        }
        try secret.bytes.withBytes { try text.append($0) }
    }

    /// Calls `body` with the environment as an array of C strings.
    mutating func withPointers<Result>(
        _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        let starts = starts
        return text.withMutableBytes { bytes in
            let base = bytes.assumingMemoryBound(to: CChar.self).baseAddress
            var pointers: [UnsafeMutablePointer<CChar>?] = starts.map { start in base.map { $0 + start } } + [nil]
            return body(&pointers)
        }
    }
}
