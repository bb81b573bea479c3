// Tests name these two types when they choose a version of a disputed fact and when they check why a request was
// denied.
@_exported public import struct AccessPolicy.Fidelity
@_exported public import enum AccessPolicy.Rule
