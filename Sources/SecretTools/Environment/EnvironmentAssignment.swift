/// What a variable is set to.
package struct EnvironmentValue: Hashable, Sendable {
    /// A stretch of it.
    package enum Piece: Hashable, Sendable {
        /// This text.
        case text(String)
        /// The secret of this name.
        case secret(SecretName)
    }

    /// What it consists of, in order.
    package let pieces: [Piece]

    /// The secrets in it, in order.
    package var secrets: [SecretName] {
        pieces.compactMap { if case .secret(let name) = $0 { name } else { nil } }
    }

    /// True if it has a secret.
    package var hasSecret: Bool { !secrets.isEmpty }
}

/// A variable and what it is set to.
package struct EnvironmentAssignment: Hashable, Sendable {
    /// The variable.
    package let variable: VariableName
    /// What it is set to.
    package let value: EnvironmentValue

    /// `VAR=NAME`, as somebody types it: the variable is set to the secret of that name.
    package init(argument: String) throws(EnvironmentError) {
        guard let sign = argument.firstIndex(of: "=") else { throw .noAssignment }
        let variable = try VariableName(String(argument[..<sign]))
        let name: SecretName
        do { name = try SecretName(String(argument[argument.index(after: sign)...])) } catch { throw .badName(error) }
        try self.init(variable, EnvironmentValue(pieces: [.secret(name)]))
    }

    /// A variable of the present environment, if its value names a secret; others are none of ours, whatever they are called.
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
