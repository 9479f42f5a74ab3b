// Most tests of this target use files.
@_exported import TestSupport
