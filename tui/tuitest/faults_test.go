//go:build unix && heavy

package tuitest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"
)

// dice returns a generator and logs its seed. ANGLER_SEED sets the seed to repeat a run.
func dice(t testing.TB) *rand.Rand {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv("ANGLER_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatalf("ANGLER_SEED: %v", err)
		}
	}
	fmt.Printf("%s: ANGLER_SEED=%d\n", t.Name(), seed)
	return rand.New(rand.NewPCG(seed, 0))
}
