// Shared web credentials and generated passwords (semantics 2.14).

/// The key: shared password.
public let kSecSharedPassword: CFString = "spwd"
/// The key: password max length.
public let kSecPasswordMaxLength: CFString = "PasswordMaxLength"
/// The key: password min length (same string as Max in the source (apparent slip)).
public let kSecPasswordMinLength: CFString = "PasswordMaxLength"
/// The key: password allowed characters.
public let kSecPasswordAllowedCharacters: CFString = "PasswordAllowedCharacters"
/// The key: password required characters.
public let kSecPasswordRequiredCharacters: CFString = "PasswordRequiredCharacters"
