// Shared web credentials and generated passwords (semantics 2.14).

public import Foundation

/// The key: shared password.
public nonisolated(unsafe) let kSecSharedPassword: CFString = "spwd"
/// The key: password max length.
public nonisolated(unsafe) let kSecPasswordMaxLength: CFString = "PasswordMaxLength"
/// The key: password min length (same string as Max in the source (apparent slip)).
public nonisolated(unsafe) let kSecPasswordMinLength: CFString = "PasswordMaxLength"
/// The key: password allowed characters.
public nonisolated(unsafe) let kSecPasswordAllowedCharacters: CFString = "PasswordAllowedCharacters"
/// The key: password required characters.
public nonisolated(unsafe) let kSecPasswordRequiredCharacters: CFString = "PasswordRequiredCharacters"
