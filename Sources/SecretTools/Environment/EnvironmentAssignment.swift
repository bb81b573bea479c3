/// The value of an environment variable, in which references stand for secrets.
package struct EnvironmentValue: Hashable, Sendable {
    package enum Piece: Hashable, Sendable {
        case text(String)
        case secret(SecretName)
    }

    /// The pieces, in order.
    package let pieces: [Piece]

    /// The names of the secrets in the value, in order.
    package var secrets: [SecretName] {
        pieces.compactMap { if case .secret(let name) = $0 { name } else { nil } }
    }

    /// True if the value contains a secret.
    package var hasSecret: Bool { !secrets.isEmpty }
}

/// An environment variable and its value.
package struct EnvironmentAssignment: Hashable, Sendable {
    package let variable: VariableName
    package let value: EnvironmentValue

    /// Parses `VAR=NAME`, which sets the variable to the secret with this name.
    ///
    /// - Throws: `EnvironmentError` if there is no equals sign, or a name is not valid.
    package init(argument: String) throws(EnvironmentError) {
        guard let sign = argument.firstIndex(of: "=") else { throw .noAssignment }
        let variable = try VariableName(String(argument[..<sign]))
        let name: SecretName
        do { name = try SecretName(String(argument[argument.index(after: sign)...])) } catch { throw .badName(error) }
        try self.init(variable, EnvironmentValue(pieces: [.secret(name)]))
    }

    /// Parses a variable of the present environment; nil if its value names no secret.
    ///
    /// - Throws: `EnvironmentError` if a reference is malformed, or the variable must not hold secrets.
    package init?(inherited variable: String, _ value: String) throws(EnvironmentError) {
        guard value.contains(SecretReference.scheme) else { return nil }
        let value = try SecretReference.value(of: value)
        guard value.hasSecret else { return nil }
        try self.init(VariableName(variable), value)
    }

    init(_ variable: VariableName, _ value: EnvironmentValue) throws(EnvironmentError) {
        if variable.isLoaders { throw .loaders(variable.text) }
        if value.hasSecret && variable.isNoPlaceForSecrets { throw .noPlaceForSecrets(variable.text) }
        self.variable = variable
        self.value = value
    }
}
