internal import AccessPolicy
internal import ApplePlatform
internal import DeviceModel
internal import Latchkey
internal import LatchkeyCLI
internal import PlainText
internal import SecretVault
internal import SodiumKit

/// The story of a secret that is bound to the enrolled fingers, and of a new finger that invalidates it.
///
/// Each step checks its result before it shows it. If a result is not the expected one, the story ends with an error.
struct EnrollmentStory {
    private static let database = ["vault.db", "vault.db-wal"]
    private static let deviceFile = ["device", "lock"]
    static let passcode = "correct horse"

    private let place: DemoPlace
    private let narrator: Narrator
    private let people: DemoPeople

    init(at place: DemoPlace, _ narrator: Narrator) {
        self.place = place
        self.narrator = narrator
        people = DemoPeople(narrator)
    }

    func tell() throws {
        narrator.preface(
            "A policy compiled into encryption: a secret for the fingers that are enrolled now, and what a new",
            "finger does to it. Vault, encryption and PAM are real; people and the sensor are simulated.")
        let keychain = try createVault()
        defer { keychain.close() }
        try enrollOwner(on: keychain)
        let control = try AccessControl(protection: .whenPasscodeSetThisDeviceOnly, flags: .biometryCurrentSet)
        try narrator.section("A token is stored under \(control)")
        let token = try store("token", control, "s3cret", on: keychain)
        let needs = try tellWrap(of: token, on: keychain)
        try narrator.section("The owner reads the token")
        try read(token, "s3cret", by: "right index", on: keychain)
        try copyAsThief()
        try enrollAnother(on: keychain)
        try readInVain(token, on: keychain)
        try tellWhatIsGone(needs, on: keychain)
        try narrator.section("A new token is stored, for the fingers that are enrolled now")
        let newToken = try store("new token", control, "n3w", on: keychain)
        narrator.row("its wrap needs", try soleWrap(of: newToken, on: keychain).names)
        try read(newToken, "n3w", by: "left thumb", on: keychain)
    }

    // MARK: - The vault and its fingers

    private func createVault() throws -> Keychain {
        try narrator.section("A vault is created in a temporary folder")
        var options = KeychainOptions()
        options.sensor = .touchID
        options.allowsFakeSensor = true
        options.hasRecoveryKey = false
        narrator.row("the passcode", "\"\(Self.passcode)\", which must be the owner's login password")
        let keychain = try Keychain.create(
            at: place.path("vault"), options, passcode: SecureBytes(Self.passcode),
            authenticator: DemoAuthenticator(authenticator: place.authenticator, narrator: narrator), sensor: .fake,
            user: people,
            requester: Requester("latchkey demo", groups: ["demo"])
        ).keychain
        narrator.row("the keys", "are encrypted under it (Argon2id, 256 MiB a guess) and under the device file")
        try require(keychain.isReal && keychain.hasFakeSensor, "the vault does not report its sensor as a fake one")
        narrator.row("the sensor", "proves nothing: it is a fake one, and the vault always says so")
        return keychain
    }

    private func enrollOwner(on keychain: Keychain) throws {
        try narrator.section("The owner enrolls a finger, which takes the passcode")
        people.play(typing: ["correct house", Self.passcode])
        try enroll("right index", on: keychain)
    }

    private func enrollAnother(on keychain: Keychain) throws {
        try narrator.section("Another finger is enrolled")
        people.play(typing: [Self.passcode])
        let former = try keychain.device.domainState
        try enroll("left thumb", on: keychain)
        let present = try keychain.device.domainState
        try require(former != present, "the enrolled set did not change")
        narrator.row(
            "domain state", "changes from \(former.sensor).\(former.epoch) to \(present.sensor).\(present.epoch)")
    }

    private func enroll(_ finger: String, on keychain: Keychain) throws {
        let effects = try keychain.enroll(finger)
        if let refusal = effects.refusal { throw KeychainError.refused(refusal) }
        // On a real device too, a finger is enrolled only after the passcode has opened the keys.
        narrator.row("the keys", "open with it; PAM can only refuse, and opens nothing", .good)
        narrator.row("enrolled", try keychain.enrolledNames.joined(separator: ", "))
    }

    // MARK: - The token and its wrap

    private func store(
        _ name: String, _ control: AccessControl, _ secret: String, on keychain: Keychain
    ) throws -> ItemReference {
        people.play()
        try keychain.add(.password(account: name, service: "demo", control), secret: SecureBytes(secret))
        try require(!people.wereAsked, "saving the secret showed a prompt")
        return keychain.password(account: name, service: "demo")
    }

    private func soleWrap(of item: ItemReference, on keychain: Keychain) throws -> WrapNeeds {
        let needs = try keychain.wrapNeeds(of: item) ?? []
        guard needs.count == 1, needs[0].gates.count == 1 else {
            throw CommandError("the item is not wrapped once behind one gate, but as follows: \(needs)")
        }
        return needs[0]
    }

    private func tellWrap(of token: ItemReference, on keychain: Keychain) throws -> WrapNeeds {
        let contents = try keychain.keybagContents()
        let needs = try soleWrap(of: token, on: keychain)
        try require(contents.hasAll(of: needs), "the keybag does not hold what the wrap needs")
        narrator.row("the keybag holds", "class keys  \(contents.classKeys.joined(separator: ", "))")
        narrator.row("", "gates       \(contents.gates.joined(separator: ", "))")
        narrator.row("the token's key", "is wrapped once, under a hash of two of these keys together:")
        let width = max(needs.classKey.count, needs.gates[0].count) + 2
        narrator.row("", padded(needs.classKey, to: width) + "available while the device is unlocked")
        narrator.row("", padded(needs.gates[0], to: width) + "released by a match, until the enrolled set changes")
        narrator.remark("No wrap needs less. When the policy says no, a key is missing.")
        return needs
    }

    private func read(_ item: ItemReference, _ expected: String, by finger: String, on keychain: Keychain) throws {
        people.play(finger: finger)
        let secret = try keychain.read(item)?.withBytes { bytes in
            bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        }
        try require(people.wereAsked && secret == expected, "the read showed no prompt, or returned another secret")
        narrator.row("the secret is", expected, .good)
    }

    private func readInVain(_ token: ItemReference, on keychain: Keychain) throws {
        try narrator.section("The owner reads the token again, with the same finger")
        people.play(finger: "right index")
        do throws(KeychainError) {
            _ = try keychain.read(token)
        } catch {
            guard case .denied(let denied) = error else { throw error }
            let rule = denied.denial.rule
            try require(
                rule == .biometrySetChanged && !people.wereAsked, "the token was denied for another reason: \(error)")
            narrator.row("asked for", "nothing: no authentication could open it")
            narrator.row(
                "denied by", rule.identifier + (rule.facts.section.map { " (docs/apple-semantics.md, \($0))" } ?? ""),
                .bad)
            narrator.row("because", rule.summary)
            if let status = denied.status?.status {
                narrator.row("an app gets", "\(status.name) (\(status.rawValue))")
            }
            return
        }
        throw CommandError("the token was readable although another finger was enrolled")
    }

    // MARK: - The thief

    private func copyAsThief() throws {
        try narrator.section("A thief, who knows the passcode, copies the database")
        try place.copy(Self.database + Self.deviceFile, from: "vault", to: "then")
        try place.copy(Self.database, from: "vault", to: "copy")
        narrator.row("in the copy", "the token, its wrap, and the keybag with all those keys in it")
        narrator.row("still missing", "the device file, with the key that seals the keybag")
    }

    private func tellWhatIsGone(_ needs: WrapNeeds, on keychain: Keychain) throws {
        try narrator.section("The key is gone, and the thief comes too late")
        let contents = try keychain.keybagContents()
        try require(!contents.hasAll(of: needs), "the gate is still there")
        narrator.row("its wrap needs", needs.names)
        narrator.row("the keybag holds", "gates       \(contents.gates.joined(separator: ", "))")
        narrator.row("missing", needs.gates.filter { !contents.gates.contains($0) }.joined(separator: ", "), .bad)
        narrator.remark(
            "The vault sealed the keybag under a new key in the device file, and overwrote the old key. Now")
        narrator.remark("the thief copies that file too, and tries it on the copied keybag, past all checks:")
        try place.copy(Self.deviceFile, from: "vault", to: "copy")
        let then = try KeybagProbe(deviceFile: place.path("then/device"))
            .contents(ofDatabaseAt: place.path("then/vault.db"))
        try require(
            then?.hasAll(of: needs) == true, "the copy lacks what the wrap needs, even with the old device file")
        narrator.row("old device file", "opens it, and \(needs.gates[0]) is there (kept for this demonstration)")
        let now = try KeybagProbe(deviceFile: place.path("copy/device"))
            .contents(ofDatabaseAt: place.path("copy/vault.db"))
        try require(now == nil, "the copy opens with the new device file")
        narrator.row("new device file", "has no key that opens it: the passcode does not help", .bad)
        do throws(VaultError) {
            try Vault.open(at: place.path("copy")).close()
            throw VaultError.closed
        } catch {
            guard case .olderCopy = error else {
                throw CommandError("the vault does not refuse the copy as older: \(error)")
            }
            narrator.row("the vault itself", "refuses the copy: its database is an older one", .bad)
        }
        narrator.remark("The limit: a thief who copied both files before, and knows the passcode, has the old vault.")
    }

    private func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: width - text.count)
    }

    private func require(_ isSo: Bool, _ otherwise: String) throws {
        if !isSo { throw CommandError(otherwise) }
    }
}

extension WrapNeeds {
    fileprivate var names: String { ([classKey] + gates).joined(separator: ", ") }
}

extension KeybagContents {
    fileprivate func hasAll(of needs: WrapNeeds) -> Bool {
        classKeys.contains(needs.classKey) && needs.gates.allSatisfy(gates.contains)
    }
}
