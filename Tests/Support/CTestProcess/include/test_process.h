// Nothing to call: the process ignores SIGPIPE from its start.
