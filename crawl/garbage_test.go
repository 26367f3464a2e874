package crawl

import (
	"os"
	"runtime"
	"runtime/debug"
	"testing"
)

func TestRoom(t *testing.T) {
	const meminfo = "MemTotal:       24000000 kB\nMemFree:  100 kB\nMemAvailable:    1048576 kB\nBuffers: 1 kB\n"
	for name, c := range map[string]struct {
		files map[string]string
		want  uint64
	}{
		"machine":             {map[string]string{"/proc/meminfo": meminfo}, 128 << 20},
		"large machine":       {map[string]string{"/proc/meminfo": "MemAvailable: 99999999 kB\n"}, maxGarbage},
		"container":           {map[string]string{"/proc/meminfo": meminfo, "/sys/fs/cgroup/memory.max": "268435456\n"}, 32 << 20},
		"container, no limit": {map[string]string{"/proc/meminfo": meminfo, "/sys/fs/cgroup/memory.max": "max\n"}, 128 << 20},
		"old container":       {map[string]string{"/proc/meminfo": meminfo, "/sys/fs/cgroup/memory/memory.limit_in_bytes": "536870912\n"}, 64 << 20},
		"old, no limit":       {map[string]string{"/proc/meminfo": meminfo, "/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"}, 128 << 20},
		"unknown":             {nil, unknownLimit},
		"not to be read":      {map[string]string{"/proc/meminfo": "MemAvailable: much\n"}, unknownLimit},
	} {
		t.Run(name, func(t *testing.T) {
			got := garbageLimit(func(name string) ([]byte, error) {
				if s, ok := c.files[name]; ok {
					return []byte(s), nil
				}
				return nil, os.ErrNotExist
			})
			if got != c.want {
				t.Errorf("%d bytes, want %d", got, c.want)
			}
		})
	}
}

func TestPercent(t *testing.T) {
	for _, c := range []struct {
		room, inUse uint64
		want        int
	}{
		{256 << 20, 0, 400}, {256 << 20, 50 << 20, 400}, {256 << 20, 128 << 20, 200}, {256 << 20, 300 << 20, 100}, {0, 1 << 20, 100},
	} {
		if got := percent(c.room, c.inUse); got != c.want {
			t.Errorf("room %d, in use %d: %d %%, want %d", c.room, c.inUse, got, c.want)
		}
	}
}

// The last crawl that ends puts the percentage back.
func TestAllow(t *testing.T) {
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	before := debug.SetGCPercent(70)
	defer debug.SetGCPercent(before)
	now := func() int {
		p := debug.SetGCPercent(70)
		debug.SetGCPercent(p)
		return p
	}
	one, two := allowGarbage(), allowGarbage()
	runtime.GC()
	one()
	one() // twice is once
	if p := now(); p < minPercent {
		t.Errorf("%d %% while a crawl goes on", p)
	}
	two()
	if p := now(); p != 70 {
		t.Errorf("%d %% after the last crawl, want 70", p)
	}
	t.Setenv("GOGC", "70")
	end := allowGarbage()
	if p := now(); p != 70 {
		t.Errorf("%d %% with GOGC in the environment, want 70", p)
	}
	end()
}

// What an opening or a crawl has left goes back to the system, but not while a person
// crawls.
func TestReturn(t *testing.T) {
	leave := func() {
		all := make([][]byte, 200)
		for i := range all {
			all[i] = make([]byte, 1<<20)
			all[i][0] = 1
		}
		runtime.KeepAlive(all)
	}
	leave()
	end := allowGarbage()
	before := held()
	returnMemory()
	if during := held(); during < before/2 {
		t.Errorf("%d MB are held after it was called beside a crawl, %d before", during>>20, before>>20)
	}
	end()
	leave()
	if returnMemory(); held() > minReturned {
		t.Errorf("%d MB are still held", held()>>20)
	}
}
