// One import is enough: what is read here is told in the values of LocationCore.
@_exported public import LocationCore
