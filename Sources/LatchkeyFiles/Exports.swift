// Programs that import this module use the folders and files below it by their own names.
@_exported public import SealedFiles
