internal import AccessPolicy
internal import DeviceModel

extension ShippedClaim {
    private static let journal = FileSlot(.complete)
    private static let secretJournal = FileSlot(.complete, isExcludedFromBackup: true)
    private static let upload = FileSlot(.completeUnlessOpen, isOpen: true)
    private static let database = FileSlot(.completeUntilFirstUserAuthentication)

    /// Claims about files: their classes, the files that an app holds open, and backups.
    static let aboutFiles: [ShippedClaim] = [
        ShippedClaim(
            "a-complete-file-is-closed-on-a-locked-device", "The lock takes the class key away.",
            journal, .never(.readFile, against: .watchThief), .holds),
        ShippedClaim(
            "a-complete-file-is-open-in-the-lock-grace", "The class key outlives the lock by the lock grace.",
            journal, assuming: .init(held: .justLocked), .never(.readFile, against: .watchThief), .fails, inSteps: 1),
        ShippedClaim(
            "a-default-file-is-open-on-a-locked-device", "The default class is open until the next restart.",
            database, .never(.readFile, against: .watchThief), .fails, inSteps: 1),
        ShippedClaim(
            "a-default-file-is-closed-after-a-start", "The class key is not available before the first unlock.",
            database, .never(.readFile, against: .lostPoweredOff), .holds),
        ShippedClaim(
            "an-unprotected-file-is-always-open", "No class key guards the file.",
            FileSlot(.none), .never(.readFile, against: .lostPoweredOff), .fails, inSteps: 1),
        ShippedClaim(
            "a-file-asks-no-one", "A passcode that unlocks the device opens every file.",
            journal, .never(.readFile, against: .passcodeThief), .fails, inSteps: 2),
        ShippedClaim(
            "an-unless-open-file-that-is-closed-stays-closed", "A lock closes what the app does not hold open.",
            FileSlot(.completeUnlessOpen), .never(.readFile, against: .watchThief), .holds),
        ShippedClaim(
            "an-unless-open-file-that-is-open-can-be-read",
            "The device keeps the key of a file that the app holds open.",
            upload, .never(.readFile, against: .watchThief), .fails, inSteps: 1),
        ShippedClaim(
            "a-restart-closes-what-was-open", "A device that was switched off holds no file open.",
            upload, .never(.readFile, against: .lostPoweredOff), .holds),
        ShippedClaim(
            "a-backup-holds-files-of-every-class", "The class of a file does not matter to a backup.",
            journal, .never(.readFile, against: .backupThief), .fails, inSteps: 1),
        ShippedClaim(
            "an-excluded-file-is-in-no-backup", "An exclusion that the app renews keeps the file out of every backup.",
            secretJournal, .never(.readFile, against: .backupThief), .holds),
        ShippedClaim(
            "another-app-reads-no-file", "The sandbox gives an app its own files only.",
            FileSlot(.none), .never(.readFile, against: .maliciousApp), .holds),
        ShippedClaim(
            "an-erased-device-has-no-file", "Erasing removes every file, even in a class that is always open.",
            FileSlot(.none), .never(.readFile, against: .newOwner), .holds),
        ShippedClaim(
            "a-background-upload-goes-on-until-a-restart",
            "The app writes to a file that it holds open after the lock.",
            upload, assuming: keepsItem, .alwaysCan(.appendFile, by: .backgroundApp, against: .watcher), .holds),
        ShippedClaim(
            "a-restart-ends-a-background-upload", "A restart closes the file, and only an unlock opens it again.",
            upload, assuming: keepsItem, .alwaysCan(.appendFile, by: .backgroundApp, against: .restarter), .fails,
            inSteps: 1),
        ShippedClaim(
            "a-lock-ends-an-upload-in-a-complete-file", "Class A closes files that are open, too.",
            FileSlot(.complete, isOpen: true), assuming: keepsItem,
            .alwaysCan(.appendFile, by: .backgroundApp, against: .watcher), .fails, inSteps: 0),
        ShippedClaim(
            "a-default-file-can-be-written-until-a-restart", "The default class needs no open file to go on.",
            database, assuming: keepsItem, .alwaysCan(.appendFile, by: .backgroundApp, against: .watcher), .holds),
        ShippedClaim(
            "a-locked-device-takes-new-files", "The public half of the class key is enough to create a file.",
            FileSlot(.completeUnlessOpen), .eventuallyCan(.createFile, by: .backgroundApp), .holds, inSteps: 1),
        ShippedClaim(
            "a-locked-device-takes-no-complete-file", "Class A can create nothing after the lock.",
            journal, .eventuallyCan(.createFile, by: .backgroundApp), .fails),
        ShippedClaim(
            "a-loan-can-cost-the-file", "Deleting a file asks for no authentication.",
            journal, .alwaysCan(.readFile, by: .owner, against: .borrower), .fails, inSteps: 1),
        ShippedClaim(
            "a-loan-does-the-file-no-harm", "If the app offers no way to delete the file, the owner reads it again.",
            journal, assuming: keepsItem, .alwaysCan(.readFile, by: .owner, against: .borrower), .holds),
    ]
}
