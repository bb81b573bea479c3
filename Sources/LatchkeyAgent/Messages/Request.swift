internal import PlainText

/// A request that a client sends to the agent. Secrets go in the secret part of the frame, or are asked for by prompts.
package enum Request: Hashable, Sendable {
    /// Returns the state of the vault.
    case status
    /// Unlocks the vault by the passcode, or by the sensor.
    case unlock(bySensor: Bool)
    /// Locks the vault.
    case lock
    /// Wipes the keys and ends the agent.
    case stop
    /// Reads a secret.
    case read(String)
    /// Reads a part of a secret.
    case readPart(String, SecretSelection)
    /// Returns the versions of a secret, with the names of their fields.
    case history(String)
    /// Changes one part of a secret. A field takes the secret of the frame.
    case editPart(String, PartChange)
    /// Stores the secret of the frame. Replaces a secret of the same name only if `replaces` is true. Here and below, a
    /// policy that is nil is the default of the vault.
    case add(String, ItemPolicy?, comment: String?, replaces: Bool)
    /// Deletes these secrets and stores the secret of the frame, in one step. It shows no prompt.
    case exchange([String], for: String, ItemPolicy?, comment: String?)
    /// Changes a secret. If the frame has a secret, it becomes the new one.
    case change(String, Changes)
    /// Deletes a secret. The deletion can be undone for a while, unless `isFinal` is true.
    case remove(String, isFinal: Bool)
    /// Brings back a secret that was deleted.
    case putBack(String)
    /// Renames a secret, or every secret in a folder, in one step; leaves the original and makes a copy if `copies` is
    /// true.
    case move(String, to: String, isFolder: Bool, copies: Bool)
    /// Deletes every secret in a folder in one step, but only if there are `count` of them. The deletions can be undone for a
    /// while, unless `isFinal` is true.
    case removeFolder(String, count: Int?, isFinal: Bool)
    /// Lists the name and the access policy of every secret; without the comments if `isBrief` is true.
    case list(isBrief: Bool)
    /// Returns the name and the access policy of one secret, and what reading it would take now.
    case show(String)
    /// Sets a new passcode after asking for the present one.
    case changePasscode
    /// Sets a new passcode after asking for the recovery key.
    case recover
    /// Verifies everything that is stored.
    case verify
    /// Writes a backup to this file.
    case backUp(String)
    /// Imports the backup in this file.
    case importBackup(String)
    /// Writes the whole vault to this file, for another machine. The vault stays in use if `isKept` is true.
    case transfer(String, isKept: Bool)
    /// Destroys the keys of this vault, and ends the agent. Another machine showed this code when it had received the
    /// vault.
    case retire(String)
    /// Enrolls a finger or a face under this name.
    case enroll(String)
    /// Removes an enrolled finger or face.
    case removeEnrolled(String)
    /// Lists the enrolled fingers or faces.
    case enrolled
    /// Tries the sensor: waits for one match.
    case match
    /// Removes everything that is enrolled, and takes the sensor into use anew.
    case resetSensor
    /// Returns the audit records after this number; only the latest ones if `latest` limits them.
    case log(after: Int, latest: Int?)
    /// Changes how the audit log is kept, and returns the settings.
    case logSettings(LogChanges)
    /// Changes the settings of the vault, and returns all of them.
    case settings(SettingChanges)
    /// Generates a private key, in the enclave if `inEnclave` is true.
    case generateKey(String, GeneratedKeyType, inEnclave: Bool, ItemPolicy?)
    /// Stores the private key of the frame, in Apple's external representation.
    case importKey(String, KeyFamilyName, ItemPolicy?)
    /// Lists the private keys.
    case keys
    /// Returns a private key's entry and its public key. It never prompts.
    case key(String)
    /// Deletes a private key, and its certificate unless another key needs it.
    case removeKey(String)
    /// Signs a digest, which is given in hexadecimal digits. `isRaw` is true for r and s instead of DER.
    case sign(String, digest: String, SignatureAlgorithm, isRaw: Bool)
    /// Decrypts the message of the frame.
    case decrypt(String, EncryptionAlgorithm)
    /// Returns the certificate of a private key.
    case certificate(String)
    /// Stores the certificate of the frame with a private key, and deletes its former one.
    case setCertificate(String)

    /// The settings of the audit log. In a request, nil leaves a setting as it is.
    package struct LogChanges: Hashable, Sendable {
        /// The largest size of the log in bytes.
        package var size: Int64?
        /// True if each record reaches the disk before the agent answers.
        package var isDurable: Bool?

        /// Creates settings.
        package init(size: Int64? = nil, isDurable: Bool? = nil) {
            self.size = size
            self.isDurable = isDurable
        }

        /// Reads settings from `head`.
        package init(from head: inout Head) throws(WireError) { try read(from: &head) }
    }

    /// The settings of a vault. In a request, nil leaves a setting as it is.
    package struct SettingChanges: Hashable, Sendable {
        /// The seconds for which an authentication counts in its session; 0 to prompt each time.
        package var reuse: Int?
        /// The seconds without a request after which the vault locks itself; 0 for never.
        package var locksAfter: Int?
        /// The access policy of new secrets that name none.
        package var policy: ItemPolicy?
        /// The PAM service that checks the passcode; empty if the keys alone do.
        package var service: String?
        /// The command of the sensor; empty if there is none, or a fake one.
        package var sensor: String?
        /// The seconds after which the clipboard is cleared of a secret; 0 for never. An answer leaves out the usual time.
        package var clipboardTime: Int?
        /// The seconds for which former versions of a secret are kept; 0 to keep none.
        package var history: Int?
        /// The pinentry that shows prompts outside of a terminal, `none` for no such prompts, or `auto` for any.
        package var pinentry: String?

        /// Creates settings.
        package init() {}

        /// Reads settings from `head`.
        package init(from head: inout Head) throws(WireError) { try read(from: &head) }
    }

    /// Changes of a stored secret. Nil leaves a member as it is.
    package struct Changes: Hashable, Sendable {
        /// The new name.
        package var name: String?
        /// The new access policy.
        package var policy: ItemPolicy?
        /// The new comment; an empty one removes it.
        package var comment: String?
        /// True if no former version is kept.
        package var forgets: Bool

        /// Creates changes.
        package init(
            name: String? = nil, policy: ItemPolicy? = nil, comment: String? = nil, forgets: Bool = false
        ) {
            self.name = name
            self.policy = policy
            self.comment = comment
            self.forgets = forgets
        }
    }
}

/// The name of a request on the wire. These names never change.
package enum Verb: String, CaseIterable, Sendable {
    /// The name of ``Request/status``.
    case status = "status"
    /// The name of ``Request/unlock(bySensor:)``.
    case unlock = "unlock"
    /// The name of ``Request/lock``.
    case lock = "lock"
    /// The name of ``Request/stop``.
    case stop = "stop"
    /// The name of ``Request/read(_:)``.
    case read = "read"
    /// The name of ``Request/add(_:_:comment:replaces:)``.
    case add = "add"
    /// The name of ``Request/exchange(_:for:_:comment:)``.
    case exchange = "exchange"
    /// The name of ``Request/change(_:_:)``.
    case change = "change"
    /// The name of ``Request/readPart(_:_:)``.
    case readPart = "read-part"
    /// The name of ``Request/history(_:)``.
    case history = "history"
    /// The name of ``Request/editPart(_:_:)``.
    case editPart = "edit-part"
    /// The name of ``Request/remove(_:isFinal:)``.
    case remove = "remove"
    /// The name of ``Request/putBack(_:)``.
    case putBack = "put-back"
    /// The name of ``Request/move(_:to:isFolder:copies:)``.
    case move = "move"
    /// The name of ``Request/removeFolder(_:count:isFinal:)``.
    case removeFolder = "remove-folder"
    /// The name of ``Request/list(isBrief:)``.
    case list = "list"
    /// The name of ``Request/show(_:)``.
    case show = "show"
    /// The name of ``Request/changePasscode``.
    case changePasscode = "change-passcode"
    /// The name of ``Request/recover``.
    case recover = "recover"
    /// The name of ``Request/verify``.
    case verify = "verify"
    /// The name of ``Request/backUp(_:)``.
    case backUp = "back-up"
    /// The name of ``Request/importBackup(_:)``.
    case importBackup = "take-in"
    /// The name of ``Request/transfer(_:isKept:)``.
    case transfer = "transfer"
    /// The name of ``Request/retire(_:)``.
    case retire = "retire"
    /// The name of ``Request/enroll(_:)``.
    case enroll = "enroll"
    /// The name of ``Request/removeEnrolled(_:)``.
    case removeEnrolled = "unenroll"
    /// The name of ``Request/enrolled``.
    case enrolled = "enrolled"
    /// The name of ``Request/match``.
    case match = "match"
    /// The name of ``Request/resetSensor``.
    case resetSensor = "reset-sensor"
    /// The name of ``Request/log(after:latest:)``.
    case log = "log"
    /// The name of ``Request/logSettings(_:)``.
    case logSettings = "log-settings"
    /// The name of ``Request/settings(_:)``.
    case settings = "settings"
    /// The name of ``Request/generateKey(_:_:inEnclave:_:)``.
    case generateKey = "generate-key"
    /// The name of ``Request/importKey(_:_:_:)``.
    case importKey = "import-key"
    /// The name of ``Request/keys``.
    case keys = "keys"
    /// The name of ``Request/key(_:)``.
    case key = "key"
    /// The name of ``Request/removeKey(_:)``.
    case removeKey = "remove-key"
    /// The name of ``Request/sign(_:digest:_:isRaw:)``.
    case sign = "sign"
    /// The name of ``Request/decrypt(_:_:)``.
    case decrypt = "decrypt"
    /// The name of ``Request/certificate(_:)``.
    case certificate = "certificate"
    /// The name of ``Request/setCertificate(_:)``.
    case setCertificate = "set-certificate"

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
        case .move: .move("", to: "", isFolder: false, copies: false)
        case .removeFolder: .removeFolder("", count: nil, isFinal: false)
        case .list: .list(isBrief: false)
        case .show: .show("")
        case .changePasscode: .changePasscode
        case .recover: .recover
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
        case .logSettings: .logSettings(Request.LogChanges())
        case .settings: .settings(Request.SettingChanges())
        case .generateKey: .generateKey("", .p256, inEnclave: false, nil)
        case .importKey: .importKey("", .ec, nil)
        case .keys: .keys
        case .key: .key("")
        case .removeKey: .removeKey("")
        case .sign: .sign("", digest: "", .ecdsaSHA256, isRaw: false)
        case .decrypt: .decrypt("", .eciesSHA256)
        case .certificate: .certificate("")
        case .setCertificate: .setCertificate("")
        }
    }
}

extension Request {
    /// True if the request uses or changes something, which restarts the time until the vault locks itself. Requests
    /// that only look do not keep it unlocked.
    var usesVault: Bool {
        switch self {
        case .status, .lock, .stop, .list, .show, .verify, .enrolled, .log, .keys, .key, .certificate: false
        case .logSettings(let changes): changes != LogChanges()
        case .settings(let changes): changes != SettingChanges()
        case .unlock, .read, .readPart, .history, .editPart, .add, .exchange, .change, .remove, .putBack, .move,
            .removeFolder,
            .changePasscode, .recover, .backUp, .importBackup, .transfer, .retire,
            .enroll, .removeEnrolled, .match, .resetSensor, .generateKey, .importKey, .removeKey, .sign, .decrypt,
            .setCertificate:
            true
        }
    }

    /// True if the agent ends once it has answered the request.
    var endsAgent: Bool {
        switch self {
        case .stop, .retire: true
        case .status, .unlock, .lock, .read, .readPart, .history, .editPart, .add, .exchange, .change, .remove,
            .putBack,
            .move, .removeFolder, .list, .show, .changePasscode, .recover, .verify, .backUp, .importBackup, .transfer,
            .enroll,
            .removeEnrolled, .enrolled, .match, .resetSensor, .log, .logSettings, .settings, .generateKey, .importKey,
            .keys, .key, .removeKey, .sign, .decrypt, .certificate, .setCertificate:
            false
        }
    }

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
        case .move: .move
        case .removeFolder: .removeFolder
        case .list: .list
        case .show: .show
        case .changePasscode: .changePasscode
        case .recover: .recover
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
        case .keys: .keys
        case .key: .key
        case .removeKey: .removeKey
        case .sign: .sign
        case .decrypt: .decrypt
        case .certificate: .certificate
        case .setCertificate: .setCertificate
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
        case .status, .lock, .stop, .changePasscode, .recover, .verify, .enrolled, .match, .resetSensor, .keys: break
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
        case .add(var name, var policy, var comment, var replaces):
            try coder.text("name", &name)
            try coder.policyIfSaid("policy", &policy)
            try coder.textIfSaid("comment", &comment)
            try coder.flagIfTrue("replace", &replaces)
            self = .add(name, policy, comment: comment, replaces: replaces)
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
        }
    }
}

extension Request.Changes: WireValue {
    /// Hands every member to `coder`.
    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.textIfSaid("new-name", &name)
        try coder.policyIfSaid("policy", &policy)
        try coder.textIfSaid("comment", &comment)
        try coder.flagIfTrue("forget", &forgets)
    }
}

extension Request.SettingChanges: WireValue {
    /// Hands every member to `coder`.
    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.numberIfSaid("reuse", &reuse)
        try coder.numberIfSaid("lock-after", &locksAfter)
        try coder.policyIfSaid("policy", &policy)
        try coder.textIfSaid("pam-service", &service)
        try coder.textIfSaid("sensor", &sensor)
        try coder.numberIfSaid("clipboard-time", &clipboardTime)
        try coder.numberIfSaid("history", &history)
        try coder.textIfSaid("pinentry", &pinentry)
    }
}

extension Request.LogChanges: WireValue {
    /// Hands every member to `coder`.
    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.numberIfSaid("log-size", &size)
        try coder.flagIfSaid("durable-log", &isDurable)
    }
}
