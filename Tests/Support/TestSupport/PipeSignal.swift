// Linking this is enough: the process ignores SIGPIPE from its start.
import CTestProcess
