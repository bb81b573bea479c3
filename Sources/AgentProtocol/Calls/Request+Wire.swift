internal import PlainText

// The form of a request on the wire: its name and its members.

/// The name of a request on the wire. These names never change.
package enum Verb: String, CaseIterable, Sendable {
    case status = "status"
    case unlock = "unlock"
    case lock = "lock"
    case stop = "stop"
    case read = "read"
    case add = "add"
    case exchange = "exchange"
    case change = "change"
    case readPart = "read-part"
    case history = "history"
    case editPart = "edit-part"
    case remove = "remove"
    case putBack = "put-back"
    case deleted = "deleted"
    case move = "move"
    case removeFolder = "remove-folder"
    case list = "list"
    case show = "show"
    case changePasscode = "change-passcode"
    case recover = "recover"
    case checkRecoveryKey = "check-recovery-key"
    case replaceRecoveryKey = "replace-recovery-key"
    case verify = "verify"
    case backUp = "back-up"
    case importBackup = "take-in"
    case transfer = "transfer"
    case retire = "retire"
    case enroll = "enroll"
    case removeEnrolled = "unenroll"
    case enrolled = "enrolled"
    case match = "match"
    case resetSensor = "reset-sensor"
    case log = "log"
    case logSettings = "log-settings"
    case settings = "settings"
    case generateKey = "generate-key"
    case importKey = "import-key"
    case addCardKey = "add-card-key"
    case keys = "keys"
    case key = "key"
    case removeKey = "remove-key"
    case sign = "sign"
    case decrypt = "decrypt"
    case certificate = "certificate"
    case setCertificate = "set-certificate"
    case encryptedFolders = "encrypted-folders"
    case addEncryptedFolder = "add-encrypted-folder"
    case openEncryptedFolder = "open-encrypted-folder"
    case changeEncryptedFolder = "change-encrypted-folder"
    case removeEncryptedFolder = "remove-encrypted-folder"
    case dropFile = "drop-file"
    case addSSHKey = "add-ssh-key"
    case removeSSHKey = "remove-ssh-key"
    case sshKeys = "ssh-keys"
    case secretService = "secret-service"
    case shareFolder = "share-folder"
    case unshareFolder = "unshare-folder"
    case unlockAtLogin = "unlock-at-login"
    case followLoginPassword = "follow-login-password"
    case endSession = "end-session"
    case waiting = "waiting"
    case approve = "approve"

    /// A request of this name whose members are still to be read.
    fileprivate var request: Request {
        switch self {
        case .status: .status
        case .unlock: .unlock(bySensor: false)
        case .lock: .lock
        case .stop: .stop
        case .read: .read("")
        case .readPart: .readPart("", Request.SecretSelection())
        case .history: .history("")
        case .editPart: .editPart("", Request.PartChange())
        case .add: .add("", nil, comment: nil, replaces: false)
        case .exchange: .exchange([], for: "", nil, comment: nil)
        case .change: .change("", Request.Changes())
        case .remove: .remove("", isFinal: false)
        case .putBack: .putBack("")
        case .deleted: .deleted
        case .move: .move("", to: "", isFolder: false, copies: false)
        case .removeFolder: .removeFolder("", count: nil, isFinal: false)
        case .list: .list(isBrief: false)
        case .show: .show("")
        case .changePasscode: .changePasscode
        case .recover: .recover
        case .checkRecoveryKey: .checkRecoveryKey
        case .replaceRecoveryKey: .replaceRecoveryKey
        case .verify: .verify
        case .backUp: .backUp("")
        case .importBackup: .importBackup("")
        case .transfer: .transfer("", isKept: false)
        case .retire: .retire("")
        case .enroll: .enroll("")
        case .removeEnrolled: .removeEnrolled("")
        case .enrolled: .enrolled
        case .match: .match
        case .resetSensor: .resetSensor
        case .log: .log(after: 0, latest: nil)
        case .logSettings: .logSettings(SettingChanges(.log))
        case .settings: .settings(SettingChanges())
        case .generateKey: .generateKey("", .p256, inEnclave: false, nil)
        case .importKey: .importKey("", .ec, nil)
        case .addCardKey: .addCardKey("", CardKeyReference(), nil)
        case .keys: .keys
        case .key: .key("")
        case .removeKey: .removeKey("")
        case .sign: .sign("", digest: "", .ecdsaSHA256, isRaw: false)
        case .decrypt: .decrypt("", .eciesSHA256)
        case .certificate: .certificate("")
        case .setCertificate: .setCertificate("")
        case .encryptedFolders: .encryptedFolders
        case .addEncryptedFolder: .addEncryptedFolder(EncryptedFolder())
        case .openEncryptedFolder: .openEncryptedFolder("", at: "")
        case .changeEncryptedFolder: .changeEncryptedFolder(EncryptedFolder())
        case .removeEncryptedFolder: .removeEncryptedFolder("", isSure: false)
        case .dropFile: .dropFile("", into: "")
        case .addSSHKey: .addSSHKey(SSHKeyEntry())
        case .removeSSHKey: .removeSSHKey("")
        case .sshKeys: .sshKeys
        case .secretService: .secretService
        case .shareFolder: .shareFolder("", isHidden: false)
        case .unshareFolder: .unshareFolder("")
        case .unlockAtLogin: .unlockAtLogin
        case .followLoginPassword: .followLoginPassword
        case .endSession: .endSession(nil)
        case .waiting: .waiting
        case .approve: .approve(0)
        }
    }
}

extension Request {
    private var verb: Verb {
        switch self {
        case .status: .status
        case .unlock: .unlock
        case .lock: .lock
        case .stop: .stop
        case .read: .read
        case .readPart: .readPart
        case .history: .history
        case .editPart: .editPart
        case .add: .add
        case .exchange: .exchange
        case .change: .change
        case .remove: .remove
        case .putBack: .putBack
        case .deleted: .deleted
        case .move: .move
        case .removeFolder: .removeFolder
        case .list: .list
        case .show: .show
        case .changePasscode: .changePasscode
        case .recover: .recover
        case .checkRecoveryKey: .checkRecoveryKey
        case .replaceRecoveryKey: .replaceRecoveryKey
        case .verify: .verify
        case .backUp: .backUp
        case .importBackup: .importBackup
        case .transfer: .transfer
        case .retire: .retire
        case .enroll: .enroll
        case .removeEnrolled: .removeEnrolled
        case .enrolled: .enrolled
        case .match: .match
        case .resetSensor: .resetSensor
        case .log: .log
        case .logSettings: .logSettings
        case .settings: .settings
        case .generateKey: .generateKey
        case .importKey: .importKey
        case .addCardKey: .addCardKey
        case .keys: .keys
        case .key: .key
        case .removeKey: .removeKey
        case .sign: .sign
        case .decrypt: .decrypt
        case .certificate: .certificate
        case .setCertificate: .setCertificate
        case .encryptedFolders: .encryptedFolders
        case .addEncryptedFolder: .addEncryptedFolder
        case .openEncryptedFolder: .openEncryptedFolder
        case .changeEncryptedFolder: .changeEncryptedFolder
        case .removeEncryptedFolder: .removeEncryptedFolder
        case .dropFile: .dropFile
        case .addSSHKey: .addSSHKey
        case .removeSSHKey: .removeSSHKey
        case .sshKeys: .sshKeys
        case .secretService: .secretService
        case .shareFolder: .shareFolder
        case .unshareFolder: .unshareFolder
        case .unlockAtLogin: .unlockAtLogin
        case .followLoginPassword: .followLoginPassword
        case .endSession: .endSession
        case .waiting: .waiting
        case .approve: .approve
        }
    }

    /// The object that represents the request on the wire.
    package var head: Head {
        var (copy, writer) = (self, HeadWriter())
        copy.describe(to: &writer)
        writer.head["do"] = .string(verb.rawValue)
        return writer.head
    }

    /// Reads a request. Throws if its name is unknown or a member is missing.
    package init(from head: inout Head) throws(WireError) {
        guard let verb = Verb(rawValue: try head.consumeText("do")) else {
            throw .malformed("this request is unknown")
        }
        self = verb.request
        try read(from: &head)
    }
}

extension Request: WireValue {
    /// Hands every member to `coder`.
    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        switch self {
        case .status, .lock, .stop, .deleted, .changePasscode, .recover, .checkRecoveryKey, .replaceRecoveryKey,
            .verify, .enrolled, .match, .resetSensor, .keys,
            .encryptedFolders, .sshKeys, .secretService, .unlockAtLogin, .followLoginPassword, .waiting:
            break
        case .approve(var number):
            try coder.number("number", &number)
            self = .approve(number)
        case .endSession(var session):
            try coder.textIfSaid("session", &session)
            self = .endSession(session)
        case .unlock(var bySensor):
            try coder.flagIfTrue("sensor", &bySensor)
            self = .unlock(bySensor: bySensor)
        case .list(var isBrief):
            try coder.flagIfTrue("brief", &isBrief)
            self = .list(isBrief: isBrief)
        case .read(var name):
            try coder.text("name", &name)
            self = .read(name)
        case .readPart(var name, var selection):
            try coder.text("name", &name)
            try selection.describe(to: &coder)
            self = .readPart(name, selection)
        case .history(var name):
            try coder.text("name", &name)
            self = .history(name)
        case .editPart(var name, var change):
            try coder.text("name", &name)
            try change.describe(to: &coder)
            self = .editPart(name, change)
        case .remove(var name, var isFinal):
            try coder.text("name", &name)
            try coder.flagIfTrue("final", &isFinal)
            self = .remove(name, isFinal: isFinal)
        case .putBack(var name):
            try coder.text("name", &name)
            self = .putBack(name)
        case .move(var name, var other, var isFolder, var copies):
            try coder.text("name", &name)
            try coder.text("new-name", &other)
            try coder.flagIfTrue("folder", &isFolder)
            try coder.flagIfTrue("copy", &copies)
            self = .move(name, to: other, isFolder: isFolder, copies: copies)
        case .removeFolder(var name, var count, var isFinal):
            try coder.text("name", &name)
            try coder.numberIfSaid("count", &count)
            try coder.flagIfTrue("final", &isFinal)
            self = .removeFolder(name, count: count, isFinal: isFinal)
        case .show(var name):
            try coder.text("name", &name)
            self = .show(name)
        case .enroll(var name):
            try coder.text("name", &name)
            self = .enroll(name)
        case .removeEnrolled(var name):
            try coder.text("name", &name)
            self = .removeEnrolled(name)
        case .backUp(var path):
            try coder.text("path", &path)
            self = .backUp(path)
        case .importBackup(var path):
            try coder.text("path", &path)
            self = .importBackup(path)
        case .transfer(var path, var isKept):
            try coder.text("path", &path)
            try coder.flagIfTrue("keep", &isKept)
            self = .transfer(path, isKept: isKept)
        case .retire(var code):
            try coder.text("code", &code)
            self = .retire(code)
        case .add(var name, var policy, var comment, var replaces, var fields):
            try coder.text("name", &name)
            try coder.policyIfSaid("policy", &policy)
            try coder.textIfSaid("comment", &comment)
            try coder.flagIfTrue("replace", &replaces)
            try coder.textsIfAny("fields", &fields)
            self = .add(name, policy, comment: comment, replaces: replaces, fields: fields)
        case .exchange(var former, var name, var policy, var comment):
            try coder.texts("former", &former)
            try coder.text("name", &name)
            try coder.policyIfSaid("policy", &policy)
            try coder.textIfSaid("comment", &comment)
            self = .exchange(former, for: name, policy, comment: comment)
        case .change(var name, var changes):
            try coder.text("name", &name)
            try changes.describe(to: &coder)
            self = .change(name, changes)
        case .log(let after, var latest):
            var place: Int? = after
            try coder.numberIfSaid("after", &place)
            try coder.numberIfSaid("latest", &latest)
            self = .log(after: place ?? 0, latest: latest)
        case .logSettings(var changes):
            try changes.describe(to: &coder)
            self = .logSettings(changes)
        case .settings(var changes):
            try changes.describe(to: &coder)
            self = .settings(changes)
        case .generateKey(var name, var type, var inEnclave, var policy):
            try coder.text("name", &name)
            try coder.word("type", &type)
            try coder.flagIfTrue("in-enclave", &inEnclave)
            try coder.policyIfSaid("policy", &policy)
            self = .generateKey(name, type, inEnclave: inEnclave, policy)
        case .importKey(var name, var family, var policy):
            try coder.text("name", &name)
            try coder.word("family", &family)
            try coder.policyIfSaid("policy", &policy)
            self = .importKey(name, family, policy)
        case .addCardKey(var name, var card, var policy):
            try coder.text("name", &name)
            try card.describe(to: &coder)
            try coder.policyIfSaid("policy", &policy)
            self = .addCardKey(name, card, policy)
        case .key(var name):
            try coder.text("name", &name)
            self = .key(name)
        case .removeKey(var name):
            try coder.text("name", &name)
            self = .removeKey(name)
        case .certificate(var name):
            try coder.text("name", &name)
            self = .certificate(name)
        case .setCertificate(var name):
            try coder.text("name", &name)
            self = .setCertificate(name)
        case .sign(var name, var digest, var algorithm, var isRaw):
            try coder.text("name", &name)
            try coder.text("digest", &digest)
            try coder.word("algorithm", &algorithm)
            try coder.flagIfTrue("raw", &isRaw)
            self = .sign(name, digest: digest, algorithm, isRaw: isRaw)
        case .decrypt(var name, var algorithm):
            try coder.text("name", &name)
            try coder.word("algorithm", &algorithm)
            self = .decrypt(name, algorithm)
        case .addEncryptedFolder(var folder):
            try folder.describe(to: &coder)
            self = .addEncryptedFolder(folder)
        case .changeEncryptedFolder(var folder):
            try folder.describe(to: &coder)
            self = .changeEncryptedFolder(folder)
        case .openEncryptedFolder(var identifier, var path):
            try coder.text("identifier", &identifier)
            try coder.text("path", &path)
            self = .openEncryptedFolder(identifier, at: path)
        case .removeEncryptedFolder(var identifier, var isSure):
            try coder.text("identifier", &identifier)
            try coder.flagIfTrue("sure", &isSure)
            self = .removeEncryptedFolder(identifier, isSure: isSure)
        case .dropFile(var path, var identifier):
            try coder.text("path", &path)
            try coder.text("identifier", &identifier)
            self = .dropFile(path, into: identifier)
        case .addSSHKey(var entry):
            try entry.describe(to: &coder)
            self = .addSSHKey(entry)
        case .removeSSHKey(var name):
            try coder.text("name", &name)
            self = .removeSSHKey(name)
        case .shareFolder(var folder, var isHidden):
            try coder.text("folder", &folder)
            try coder.flagIfTrue("hidden", &isHidden)
            self = .shareFolder(folder, isHidden: isHidden)
        case .unshareFolder(var folder):
            try coder.text("folder", &folder)
            self = .unshareFolder(folder)
        }
    }
}
