package import AgentProtocol
package import SodiumKit

/// A request with what the agent does for it.
package protocol Deed: AgentCall {
    /// Does it for the user of `visit`. `secret` is that of the frame.
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply>
}

extension Verb {
    /// The deed of the request of this name.
    var deed: any Deed.Type {
        switch self {
        case .status: StatusCall.self
        case .unlock: UnlockCall.self
        case .lock: LockCall.self
        case .stop: StopCall.self
        case .changePasscode: ChangePasscodeCall.self
        case .recover: RecoverCall.self
        case .checkRecoveryKey: CheckRecoveryKeyCall.self
        case .replaceRecoveryKey: ReplaceRecoveryKeyCall.self
        case .verify: VerifyCall.self
        case .backUp: BackUpCall.self
        case .importBackup: ImportBackupCall.self
        case .transfer: TransferCall.self
        case .retire: RetireCall.self
        case .settings: SettingsCall.self
        case .read: ReadCall.self
        case .readPart: ReadPartCall.self
        case .code: CodeCall.self
        case .history: HistoryCall.self
        case .editPart: EditPartCall.self
        case .add: AddCall.self
        case .exchange: ExchangeCall.self
        case .change: ChangeCall.self
        case .remove: RemoveCall.self
        case .putBack: PutBackCall.self
        case .deleted: DeletedCall.self
        case .move: MoveCall.self
        case .removeFolder: RemoveFolderCall.self
        case .list: ListCall.self
        case .show: ShowCall.self
        case .enroll: EnrollCall.self
        case .removeEnrolled: RemoveEnrolledCall.self
        case .enrolled: EnrolledCall.self
        case .match: MatchCall.self
        case .resetSensor: ResetSensorCall.self
        case .log: LogCall.self
        case .logSettings: LogSettingsCall.self
        case .generateKey: GenerateKeyCall.self
        case .importKey: ImportKeyCall.self
        case .addCardKey: AddCardKeyCall.self
        case .keys: KeysCall.self
        case .key: KeyCall.self
        case .removeKey: RemoveKeyCall.self
        case .sign: SignCall.self
        case .decrypt: DecryptCall.self
        case .certificate: CertificateCall.self
        case .setCertificate: SetCertificateCall.self
        case .encryptedFolders: EncryptedFoldersCall.self
        case .addEncryptedFolder: AddEncryptedFolderCall.self
        case .openEncryptedFolder: OpenEncryptedFolderCall.self
        case .changeEncryptedFolder: ChangeEncryptedFolderCall.self
        case .removeEncryptedFolder: RemoveEncryptedFolderCall.self
        case .dropFile: DropFileCall.self
        case .addSSHKey: AddSSHKeyCall.self
        case .removeSSHKey: RemoveSSHKeyCall.self
        case .sshKeys: SSHKeysCall.self
        case .secretService: SecretServiceCall.self
        case .shareFolder: ShareFolderCall.self
        case .unshareFolder: UnshareFolderCall.self
        case .lend: LendCall.self
        case .useLoan: UseLoanCall.self
        case .signLoan: SignLoanCall.self
        case .useKeyLoan: UseKeyLoanCall.self
        case .signLogin: SignLoginCall.self
        case .giveBackUse: GiveBackUseCall.self
        case .loans: LoansCall.self
        case .endLoans: EndLoansCall.self
        case .allowLending: AllowLendingCall.self
        case .unlockAtLogin: UnlockAtLoginCall.self
        case .followLoginPassword: FollowLoginPasswordCall.self
        case .endSession: EndSessionCall.self
        case .waiting: WaitingCall.self
        case .approve: ApproveCall.self
        }
    }

    /// Reads a request. Throws if its name is unknown or a member is missing.
    package static func deed(from head: inout WireObject) throws(WireError) -> any Deed {
        guard let verb = Verb(rawValue: try head.consumeText("do")) else {
            throw .malformed("this request is unknown")
        }
        return try verb.deed.read(from: &head)
    }

    /// Reads a request. Throws if its name is unknown or a member is missing.
    package static func call(from head: inout WireObject) throws(WireError) -> any AgentCall { try deed(from: &head) }
}
