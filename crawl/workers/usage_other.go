//go:build !unix

package worker

import "time"

func processor() time.Duration { return 0 }
