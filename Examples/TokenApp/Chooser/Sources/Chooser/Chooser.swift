#if canImport(CryptoKit)
    import CryptoKit

    /// The module that the package uses.
    public let chosenModule = "CryptoKit"
#else
    import Crypto

    /// The module that the package uses.
    public let chosenModule = moduleName
#endif
