import Foundation
import Observation

/// The credentials that the user has saved, for a view to show.
@MainActor
@Observable
final class CredentialStore {
    private(set) var accounts: [String] = []
    private(set) var lastError: String?
    private let service: String

    init(service: String = "com.example.app.credentials") {
        self.service = service
        reload()
    }

    func save(_ password: String, for account: String) {
        attempt { try KeychainItem(service: service, account: account).write(password) }
    }

    func password(for account: String) -> String? {
        (try? KeychainItem(service: service, account: account).read()) ?? nil
    }

    func remove(_ account: String) {
        attempt { try KeychainItem(service: service, account: account).delete() }
    }

    func reload() { attempt {} }

    private func attempt(_ change: () throws -> Void) {
        do {
            try change()
            accounts = try KeychainItem.accounts(of: service)
            lastError = nil
        } catch let error as KeychainItem.KeychainError {
            lastError = error.message
        } catch {
            lastError = error.localizedDescription
        }
    }
}
