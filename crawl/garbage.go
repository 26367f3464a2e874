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
	share       = 8         // one part of so many of the memory that others could have
	most        = 192 << 20 // bytes of garbage, however large the machine: a crawl of 50,000 pages is to take 600 MB
	unknownRoom = 32 << 20  // bytes of garbage where the machine does not tell its memory
	usual       = 100       // percent of what is in use, Go's own; never less
	mostPercent = 400       // more saves hardly anything
	step        = 10        // percent of change that are worth setting
)

// tuner sets the percentage again after every collection during a run.
var tuner struct {
	mu      sync.Mutex
	crawls  int // that go on
	room    uint64
	percent int
	before  int // the percentage without a crawl
}

// allowGarbage lets garbage lie until end is called. The percentage (GOGC) follows what is in
// use, so that garbage takes an eighth of the free memory at most and 128 MB, or as much
// as what is in use where that is more. Who sets GOGC or GOMEMLIMIT in the environment
// decides alone. Safe for concurrent use.
func allowGarbage() (end func()) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	tuner.mu.Lock()
	defer tuner.mu.Unlock()
	if tuner.crawls++; tuner.crawls == 1 {
		tuner.room = room(os.ReadFile)
		tuner.percent = percent(tuner.room, inUse())
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

// worthwhile is how many bytes of a heap are worth a collection that gives some back.
const worthwhile = 96 << 20

// soon is how long work that follows a crawl or an opening takes: values of notices, the
// index of their words.
const soon = 5 * time.Second

// returnMemorySoon is returnMemory in some seconds, when work that follows has left its garbage, too.
func returnMemorySoon() { time.AfterFunc(soon, returnMemory) }

// returning is held by who gives memory back.
var returning sync.Mutex

// returnMemory gives memory that nothing uses back to the system, after work that has left much
// of it: by itself the runtime keeps what it may need for as much work again. While
// a run is under way, or there is little, it does nothing. It takes some ten milliseconds a
// hundred megabytes in use. Safe for concurrent use.
func returnMemory() {
	if !returning.TryLock() {
		return
	}
	defer returning.Unlock()
	tuner.mu.Lock()
	crawls := tuner.crawls
	tuner.mu.Unlock()
	if crawls == 0 && held() >= worthwhile {
		debug.FreeOSMemory()
	}
}

// held is how many bytes the heap has of the system, in use or not.
func held() (n uint64) {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/unused:bytes"}, {Name: "/memory/classes/heap/free:bytes"}}
	metrics.Read(s)
	for i := range s {
		n += s[i].Value.Uint64()
	}
	return n
}

// mark is an object that nothing refers to: its finalizer runs after every collection.
type mark struct{ _ *mark }

func follow(m *mark) {
	runtime.SetFinalizer(m, func(m *mark) {
		tuner.mu.Lock()
		defer tuner.mu.Unlock()
		if tuner.crawls == 0 {
			return
		}
		if now := percent(tuner.room, inUse()); now >= tuner.percent+step || now <= tuner.percent-step {
			tuner.percent = now
			debug.SetGCPercent(now)
		}
		follow(m)
	})
}

// inUse is how many bytes the last collection found in use.
func inUse() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// percent is how much garbage may lie beside what is in use.
func percent(room, inUse uint64) int {
	return int(min(max(usual, 100*room/max(1, inUse)), mostPercent))
}

// room is how many bytes of garbage this machine, or the container this process is in,
// has room for.
func room(read func(name string) ([]byte, error)) uint64 {
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
		if limit, err := strconv.ParseUint(strings.TrimSpace(string(b)), 10, 64); err == nil && (!known || limit < free) {
			free, known = limit, true
		}
	}
	if !known {
		return unknownRoom
	}
	return min(free/share, most)
}
