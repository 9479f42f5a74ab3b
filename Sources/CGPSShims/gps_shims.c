// The shims are inline; this file makes them a target that is rebuilt when they change.
#include "gps_shims.h"
