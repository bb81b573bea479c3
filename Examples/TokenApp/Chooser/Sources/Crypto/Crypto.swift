/// The name of the module that a file has imported.
public let moduleName = "Crypto"
