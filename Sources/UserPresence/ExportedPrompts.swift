// An app that asks a user imports one module: prompts belong to user presence for everyone but the command.
@_exported public import Prompts
