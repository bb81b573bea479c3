// Shared web credentials and generated passwords (semantics 2.14).

/// The password of a shared web credential.
public let kSecSharedPassword: CFString = "spwd"
/// How long a generated password is at most.
public let kSecPasswordMaxLength: CFString = "PasswordMaxLength"
/// How long a generated password is at least. Apple's source has the text of ``kSecPasswordMaxLength`` for it.
public let kSecPasswordMinLength: CFString = "PasswordMaxLength"
/// The characters that a generated password may have.
public let kSecPasswordAllowedCharacters: CFString = "PasswordAllowedCharacters"
/// The characters that a generated password has to have.
public let kSecPasswordRequiredCharacters: CFString = "PasswordRequiredCharacters"
