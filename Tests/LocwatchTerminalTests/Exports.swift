// Most tests of this target use the samples, or pipes and folders of their own.
@_exported import LocationSamples
@_exported import LocwatchTerminalTestSupport
@_exported import LocwatchTestSupport
