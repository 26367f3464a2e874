//go:build !unix

package cli

import "time"

// monotonic is 0 where no service manager speaks this protocol.
func monotonic() time.Duration { return 0 }
