// One import is enough: the public API of this module uses the types of LocationCore.
@_exported public import LocationCore
