public import AccessPolicy
public import SecretVault

/// Why a request cannot be understood, before anything is looked up or decided (semantics 3.4 to 3.7).
public enum RequestError: Error, Hashable, Sendable {
    /// Neither a class nor a reference says what is meant.
    case noClass
    /// The item that is referred to is of another class.
    case otherClass
    /// The class has no attribute of this name.
    case noSuchAttribute(String, ItemClass)
    /// The attribute takes no value of this kind.
    case badValue(String)
    /// A reference says which item is meant, and so does something else.
    case referenceWithMore
    /// A change, or a removal, is about everything that is found, and takes no limit.
    case limitInChange
    /// A change gives nothing back.
    case resultOfChange
    /// Data of several items cannot be given at once.
    case dataOfSeveral
    /// The demand of a stored item cannot be changed.
    case fixedPolicy
    /// Whoever only wants to know what would be decided cannot have it done.
    case preflight

    /// What a keychain call of Apple's returns for it; nil for -25303 and -25306, which no decision ends in: see ``code``.
    public var status: OSStatusCode? { OSStatusCode(rawValue: code) }

    /// The number of Apple's.
    public var code: Int32 {
        switch self {
        case .noSuchAttribute: -25303
        case .otherClass: -25306
        case .noClass, .badValue, .referenceWithMore, .limitInChange, .resultOfChange, .dataOfSeveral,
            .fixedPolicy, .preflight:
            -50
        }
    }
}

extension RequestError: CustomStringConvertible {
    /// What is wrong, and the way out.
    public var description: String {
        switch self {
        case .noClass: "nothing says of which class the item is: name a class, or a reference"
        case .otherClass: "the item that is referred to is of another class: leave the class out"
        case .noSuchAttribute(let name, let itemClass):
            "items of the class \(itemClass.rawValue) have no attribute \(name): attributes go by Apple's names, such as acct"
        case .badValue(let name): "the attribute \(name) takes no value of this kind"
        case .referenceWithMore: "a reference says which item is meant: leave everything else out"
        case .limitInChange: "a change or a removal is about everything that is found: leave the limit out"
        case .resultOfChange: "a change gives nothing back: ask for the item afterwards"
        case .dataOfSeveral: "data of several items is not given at once: ask for one"
        case .fixedPolicy: "the demand of a stored item cannot be changed: delete it, and add it anew"
        case .preflight: "nothing is done where somebody only wants to know: ask for the decision"
        }
    }
}
