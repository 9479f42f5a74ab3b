// Reexported because a report is made of the updates of LocationCore.
@_exported public import LocationCore
