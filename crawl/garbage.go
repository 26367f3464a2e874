package crawl

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	garbageShare = 8         // fraction of the available memory for garbage: 1/share
	maxGarbage   = 192 << 20 // bytes of garbage on any machine: a crawl of 50,000 pages should take 600 MB
	unknownLimit = 32 << 20  // bytes of garbage if the available memory is unknown
	minPercent   = 100       // Go's default GOGC, the minimum
	maxPercent   = 400       // maximum GOGC: more saves little
	minChange    = 10        // minimum change of GOGC
)

// tuner sets GOGC after every collection during a run.
var tuner struct {
	mu      sync.Mutex
	crawls  int // active runs
	limit   uint64
	percent int
	before  int // GOGC without a run
}

// allowGarbage raises GOGC until end is called, to save collections. Garbage takes at most an eighth of the free
// memory and 192 MB, or as much as the live heap if that is more. GOGC or GOMEMLIMIT in the environment disables it.
// Safe for concurrent use.
func allowGarbage() (end func()) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	tuner.mu.Lock()
	defer tuner.mu.Unlock()
	if tuner.crawls++; tuner.crawls == 1 {
		tuner.limit = garbageLimit(os.ReadFile)
		tuner.percent = percent(tuner.limit, inUse())
		tuner.before = debug.SetGCPercent(tuner.percent)
		follow(new(mark))
	}
	return sync.OnceFunc(func() {
		tuner.mu.Lock()
		defer tuner.mu.Unlock()
		if tuner.crawls--; tuner.crawls == 0 {
			debug.SetGCPercent(tuner.before)
			returnMemorySoon()
		}
	})
}

// minReturned is the minimum heap size in bytes for returning memory.
const minReturned = 96 << 20

// followUpTime is the duration of work after a run or opening: field values of notices, and their search index.
const followUpTime = 5 * time.Second

// returnMemorySoon calls returnMemory after followUpTime, when follow-up work has left its garbage.
func returnMemorySoon() { time.AfterFunc(followUpTime, returnMemory) }

// returning serialises returnMemory.
var returning sync.Mutex

// returnMemory returns unused memory to the system after large work. The runtime would keep it for similar work. It
// does nothing during a run or with a small heap. It takes about ten milliseconds per hundred megabytes in use. Safe
// for concurrent use.
func returnMemory() {
	if !returning.TryLock() {
		return
	}
	defer returning.Unlock()
	tuner.mu.Lock()
	crawls := tuner.crawls
	tuner.mu.Unlock()
	if crawls == 0 && held() >= minReturned {
		debug.FreeOSMemory()
	}
}

// held returns the bytes of heap memory taken from the system.
func held() (n uint64) {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/unused:bytes"},
		{Name: "/memory/classes/heap/free:bytes"}}
	metrics.Read(s)
	for i := range s {
		n += s[i].Value.Uint64()
	}
	return n
}

// mark is an unreachable object whose finalizer runs after every collection.
type mark struct{ _ *mark }

func follow(m *mark) {
	runtime.SetFinalizer(m, func(m *mark) {
		tuner.mu.Lock()
		defer tuner.mu.Unlock()
		if tuner.crawls == 0 {
			return
		}
		if now := percent(tuner.limit, inUse()); now >= tuner.percent+minChange || now <= tuner.percent-minChange {
			tuner.percent = now
			debug.SetGCPercent(now)
		}
		follow(m)
	})
}

// inUse returns the live bytes of the last collection.
func inUse() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// percent returns GOGC for this limit of garbage and live heap.
func percent(room, inUse uint64) int {
	return int(min(max(minPercent, 100*room/max(1, inUse)), maxPercent))
}

// garbageLimit returns the bytes available for garbage on this machine or in its container.
func garbageLimit(read func(name string) ([]byte, error)) uint64 {
	free, known := uint64(0), false
	if b, err := read("/proc/meminfo"); err == nil {
		if _, rest, ok := bytes.Cut(b, []byte("MemAvailable:")); ok {
			var kB uint64
			if _, err := fmt.Sscan(string(rest), &kB); err == nil {
				free, known = kB<<10, true
			}
		}
	}
	for _, name := range [...]string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		b, err := read(name)
		if err != nil {
			continue
		}
		if limit, err := strconv.ParseUint(strings.TrimSpace(string(b)), 10, 64); err == nil &&
			(!known || limit < free) {
			free, known = limit, true
		}
	}
	if !known {
		return unknownLimit
	}
	return min(free/garbageShare, maxGarbage)
}
