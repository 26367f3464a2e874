//go:build !unix

package workers

import "time"

func processor() time.Duration { return 0 }
