// One import is enough: the fakes conform to protocols of this module.
@_exported public import LocationCore
