extension Request {
    /// The name of the secret that the request is about; nil if it is about none.
    package var secretName: String? {
        switch self {
        case .read(let name), .add(let name, _, _, _, _), .exchange(_, for: let name, _, comment: _),
            .change(let name, _),
            .remove(let name, _), .show(let name), .readPart(let name, _), .history(let name), .editPart(let name, _):
            name
        case .move(let name, to: _, isFolder: false, copies: _): name
        default: nil
        }
    }

    /// The name of the private key that the request is about; nil if it is about none.
    package var keyName: String? {
        switch self {
        case .addSSHKey(let entry): entry.name
        case .generateKey(let name, _, _, _), .importKey(let name, _, _), .addCardKey(let name, _, _), .key(let name),
            .removeKey(let name),
            .sign(let name, _, _, _), .decrypt(let name, _), .certificate(let name), .setCertificate(let name):
            name
        default: nil
        }
    }
}
