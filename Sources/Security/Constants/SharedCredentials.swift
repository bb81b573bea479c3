// Shared web credentials and generated passwords (semantics 2.14).

public import Foundation

/// The password of a shared web credential.
public nonisolated(unsafe) let kSecSharedPassword: CFString = "spwd"
/// The maximum length of a generated password.
public nonisolated(unsafe) let kSecPasswordMaxLength: CFString = "PasswordMaxLength"
/// The minimum length of a generated password. Apple's source gives it the text of ``kSecPasswordMaxLength``.
public nonisolated(unsafe) let kSecPasswordMinLength: CFString = "PasswordMaxLength"
/// The characters that a generated password may contain.
public nonisolated(unsafe) let kSecPasswordAllowedCharacters: CFString = "PasswordAllowedCharacters"
/// The characters that a generated password has to contain.
public nonisolated(unsafe) let kSecPasswordRequiredCharacters: CFString = "PasswordRequiredCharacters"
