// Most tests of this target use files and folders.
@_exported import LocwatchTestSupport
@_exported import TestSupport
