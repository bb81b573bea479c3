internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

// A secret has fields and former versions. Both are sealed together with the value, so that one wrap opens all.

extension VaultState {
    /// Decides whether an item may be changed in this way. A new access policy is granted only if it could be stored.
    ///
    /// - Throws: ``NotGrantedError`` if the change is not granted.
    mutating func authorizeUpdate(
        _ record: RecordView, _ changes: ItemChanges, for caller: Caller, in state: ContextState
    ) throws -> Grant {
        let grant = try authorize(.update, record, for: caller, in: state).grant(record.header.id)
        let old = try seals.stored(record).description
        let new = old.with(changes)
        try requireSize(of: new.attributes)
        if changes.control != nil || new.group != old.group || new.isSynchronizable != old.isSynchronizable {
            let offered = state.context.offersApplicationPassword
            // The item keeps the application password that opened it. The user chooses a new one only if it had none.
            if old.control.needsApplicationPassword { state.context.offersApplicationPassword = true }
            defer { state.context.offersApplicationPassword = offered }
            try authorizeStoring(new, for: caller, in: state)
        }
        if new.primaryKey != old.primaryKey { try clearTheWay(for: new.primaryKey, for: caller, in: state) }
        return grant
    }

    /// Seals an item anew with these changes, as `grant` allows. A transaction is open.
    mutating func rewrite(
        _ record: RecordView, _ changes: ItemChanges, _ change: borrowing SecretChange, by grant: Grant,
        for caller: Caller, in state: ContextState
    ) throws -> ItemIdentifier {
        let header = record.header
        let old = try seals.stored(record).description
        let new = old.with(changes)
        let id = header.id
        let binding = changes.control == nil ? header.binding : device.conditions().binding
        let modified = max(hour(for: caller), header.modified == .max ? .max : header.modified + 1)
        let step = Step(
            mayKeepFormer: new.mayKeepFormer(of: old, binding, header.binding, device.settings.fidelity),
            date: modified)
        let plaintext = try self.plaintext(of: record, after: change, step, by: grant, in: state)
        try deleteRow(header.row)
        try lending(plaintext.bytes) { secret in
            if let count = secret?.byteCount { try requireSize(ofSecret: count) }
            try put(
                new, id, binding: binding,
                created: changes.created.flatMap { ItemDate.milliseconds(of: $0) } ?? header.created,
                modified: modified, secret: secret, isBody: plaintext.isBody, in: state)
        }
        if changes.control != nil {
            // Evidence of a password counts for the wrap that it opened, and that wrap no longer exists.
            let item = header.id.evidenceID
            contexts.wipe([.applicationPassword]) { $0.context[.applicationPassword]?.item == item }
        }
        return id
    }

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
    /// Returns the description with these changes.
    func with(_ changes: ItemChanges) -> ItemDescription {
        var changed = self
        if let attributes = changes.attributes { changed.attributes = attributes }
        changed.attributes.values.merge(changes.merging.values) { $1 }
        if let control = changes.control { changed.control = control }
        if let group = changes.group { changed.group = group }
        if let isSynchronizable = changes.isSynchronizable { changed.isSynchronizable = isSynchronizable }
        if let allowsReuse = changes.allowsReuse { changed.allowsReuse = allowsReuse }
        return changed
    }

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
