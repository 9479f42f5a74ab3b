// One import is enough: writers take the updates of LocationCore.
@_exported public import LocationCore
