internal import AccessPolicy
internal import SodiumKit

// Parts of a secret: fields and former versions. Both are sealed together with the value, so that one wrap opens all.

extension VaultState {
    /// The circumstances of a change to a secret.
    struct Step {
        /// True if the former versions may stay: nothing opens them more easily afterwards.
        let mayKeepFormer: Bool
        let date: Int64
    }

    /// Returns what is sealed after a change. It opens the present secret only if something of it stays.
    func plaintext(
        of record: RecordView, after change: borrowing SecretChange, _ step: Step, by grant: Grant,
        in state: ContextState
    ) throws -> Plaintext {
        let header = record.header
        switch change {
        case .remove: return Plaintext(bytes: nil, isBody: false)
        case .keep:
            if !header.sealsBody || step.mayKeepFormer {
                return try seals.plaintext(of: record, by: grant, in: state, bag)
            }
        case .replace(let bytes):
            if !header.sealsBody { return Plaintext(bytes: try bytes.copy(), isBody: false) }
        case .edit: break
        }
        let present: Plaintext
        do {
            present = try seals.plaintext(of: record, by: grant, in: state, bag)
        } catch VaultError.damaged(let part) {
            // A damaged secret can still be replaced.
            guard let new = try change.newPlaintext(step) else { throw VaultError.damaged(part) }
            return new
        }
        do {
            let edited = try present.withBody(saved: header.modified) { body in
                try change.applied(to: body, step) { try $0.plaintext() }
            }
            if let edited = consume edited { return edited }
        } catch is ByteReader.FormatError {
            throw VaultError.damaged(.item(header.row))
        }
        if let new = try change.newPlaintext(step) { return new }
        return Plaintext(bytes: nil, isBody: false)
    }

    /// Returns a part of a secret; nil if there is none.
    mutating func readPart(
        _ part: SecretPart, _ reference: ItemReference, keeping limit: HistoryLimit, for caller: Caller,
        in state: ContextState
    ) throws -> Reply<ReleasedSecret> {
        let now = hour(for: caller)
        return try open(.readData, reference, for: caller, in: state) { record, plaintext in
            let found: SecureBytes?? = try plaintext.withBody(saved: record.header.modified) { body in
                var body = body
                body.forget(beyond: limit, at: now)
                switch part {
                case .value(let place):
                    guard body.versions.indices.contains(place) else { return nil }
                    return try body.versions[place].value.guarded()
                case .field(let name, let place):
                    guard body.versions.indices.contains(place),
                        let field = body.versions[place].fields.first(where: { $0.name == name })
                    else { return nil }
                    return try field.value.guarded()
                }
            }
            switch consume found {
            case .some(let bytes): return ReleasedSecret(id: record.header.id, bytes: bytes)
            case .none: return ReleasedSecret(id: record.header.id, bytes: nil)
            }
        }
    }

    /// Returns what a secret consists of.
    mutating func outline(
        _ reference: ItemReference, keeping limit: HistoryLimit, for caller: Caller, in state: ContextState
    ) throws -> Reply<SecretOutline?> {
        let now = hour(for: caller)
        return try open(.readData, reference, for: caller, in: state) { record, plaintext in
            try plaintext.withBody(saved: record.header.modified) { body in
                var body = body
                body.forget(beyond: limit, at: now)
                return SecretOutline(body)
            }
        }
    }
}

extension SecretChange {
    /// Lends the body as it is after the change to `body`.
    fileprivate borrowing func applied<Result: ~Copyable>(
        to present: SecretBody, _ step: VaultState.Step, _ body: (SecretBody) throws -> Result
    ) throws -> Result {
        var edited = present
        switch self {
        case .keep: if !step.mayKeepFormer { edited.forgetAll() }
        case .remove: break
        case .replace(let bytes):
            return try bytes.withBytes { bytes in
                try bytes.withUnsafeBytes { bytes in
                    try edited.save(value: bytes, at: step.date, keepsFields: step.mayKeepFormer)
                    edited.forgetAll()
                    return try body(edited)
                }
            }
        case .edit(let edit):
            return try edit.withBytes { bytes, fields in
                try edited.apply(edit.part, bytes, fields, edit.limit, step)
                if !step.mayKeepFormer { edited.forgetAll() }
                edited.forget(beyond: edit.limit, at: step.date)
                return try body(edited)
            }
        }
        return try body(edited)
    }

    /// Returns what to seal of a change alone; nil if it brings no value.
    fileprivate borrowing func newPlaintext(_ step: VaultState.Step) throws -> Plaintext? {
        switch self {
        case .replace(let bytes): return Plaintext(bytes: try bytes.copy(), isBody: false)
        case .edit(let edit):
            switch edit.part {
            case .value, .parts, .amendedValue:
                return try edit.withBytes { value, fields in
                    try value.map { try SecretBody(value: $0, fields: fields, saved: step.date).plaintext() }
                }
            case .field, .version, .formerVersions: return nil
            }
        case .keep: return nil
        case .remove: return nil
        }
    }
}

extension SecretBody {
    fileprivate mutating func apply(
        _ part: SecretEdit.Part, _ bytes: UnsafeRawBufferPointer?, _ fields: [Field], _ limit: HistoryLimit,
        _ step: VaultState.Step
    ) throws(VaultError) {
        let date = step.date
        switch part {
        case .value, .parts:
            if let bytes { try save(value: bytes, fields: fields, at: date, keepsFields: step.mayKeepFormer) }
        case .amendedValue: if let bytes { amend(value: bytes) }
        case .field(let name): try save(field: name, bytes, at: date)
        case .version(let place):
            // What the limit does not allow any more cannot be restored either.
            forget(beyond: limit, at: date)
            try restore(place, at: date)
        case .formerVersions: forgetAll()
        }
    }
}

extension ItemDescription {
    /// Returns true if the former versions of the secret may stay when the item becomes this one: nothing opens it that
    /// would not have opened it before.
    func mayKeepFormer(
        of old: ItemDescription, _ binding: Binding, _ oldBinding: Binding, _ fidelity: Fidelity
    ) -> Bool {
        if isKey { return false }
        guard group == old.group, !isSynchronizable || old.isSynchronizable, !allowsReuse || old.allowsReuse else {
            return false
        }
        return control.isAtLeastAsStrict(as: old.control, binding, oldBinding, fidelity)
    }
}
