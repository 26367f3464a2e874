//go:build !unix

package cli

import "time"

// monotonic returns 0: no service manager here speaks this protocol.
func monotonic() time.Duration { return 0 }
