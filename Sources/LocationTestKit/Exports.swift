// One import is enough: the fakes stand in for protocols of these.
@_exported public import GPSDLocation
@_exported public import LocationCore
