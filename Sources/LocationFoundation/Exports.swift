// Reexported because this module only extends types of LocationCore.
@_exported public import LocationCore
