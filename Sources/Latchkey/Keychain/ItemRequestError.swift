public import ApplePlatform
public import SecretVault

/// The reason why a request makes no sense, found before anything is looked up or decided (semantics 3.4 to 3.7).
public enum ItemRequestError: Error, Hashable, Sendable {
    /// The query names neither a class nor a reference.
    case noClass
    /// The query names a class, and its reference belongs to an item of another one.
    case otherClass
    /// The class has no attribute of this name.
    case noSuchAttribute(String, ItemClass)
    /// The attribute takes no value of this kind.
    case badValue(String)
    /// The query has a reference, which identifies one item, and other conditions besides.
    case referenceWithMore
    /// The query has a limit, and updates and deletions apply to all matching items.
    case limitInChange
    /// The query of an update asks for a result.
    case resultOfChange
    /// The query asks for the data of several items at once.
    case dataOfSeveral
    /// The update changes the access policy of a stored item.
    case fixedPolicy
    /// The call was made with the interaction `preflight`, which only asks for a decision.
    case preflight

    /// The status that Apple's keychain calls return; nil for -25303 and -25306, which no decision ends in: see
    /// ``code``.
    public var status: OSStatusCode? { OSStatusCode(rawValue: code) }

    /// The number of the status that Apple's keychain calls return.
    public var code: Int32 {
        switch self {
        case .noSuchAttribute: -25303
        case .otherClass: -25306
        case .noClass, .badValue, .referenceWithMore, .limitInChange, .resultOfChange, .dataOfSeveral,
            .fixedPolicy, .preflight:
            OSStatusCode.param.rawValue
        }
    }
}

extension ItemRequestError: CustomStringConvertible {
    /// The reason in words, with what to do instead.
    public var description: String {
        switch self {
        case .noClass: "the query names no item class: add a class or a reference"
        case .otherClass: "the reference belongs to an item of another class: leave the class out"
        case .noSuchAttribute(let name, let itemClass):
            "items of class \(itemClass.rawValue) have no attribute \(name): use Apple's names, such as acct"
        case .badValue(let name): "the attribute \(name) takes no value of this kind"
        case .referenceWithMore: "a reference identifies one item: leave every other condition out"
        case .limitInChange: "updates and deletions apply to all matching items: leave the limit out"
        case .resultOfChange: "an update returns no result: read the item afterwards"
        case .dataOfSeveral: "the data of several items cannot be read at once: read one item at a time"
        case .fixedPolicy: "the access policy of a stored item cannot be changed: delete the item and add it again"
        case .preflight: "a preflight call changes and returns nothing: ask for the decision instead"
        }
    }
}
