package article

import (
	"strings"
	"time"
)

// urlDate reads a date from a URL's path: /2024/05/12/, /2024-05/12/,
// /202405/t20240512_1.html, /202405/12/.
func urlDate(u string, now time.Time) (Date, bool) {
	_, rest, _ := strings.Cut(u, "://")
	_, path, _ := strings.Cut(rest, "/")
	try := func(y, m, d string) (Date, bool) {
		c := civil{year: atoi(y), month: atoi(m), day: atoi(d), hour: -1}
		if c.year < 2000 || !c.valid() {
			return Date{}, false
		}
		return c.date(now)
	}
	for i := 0; i < len(path); {
		if path[i] < '0' || path[i] > '9' {
			i++
			continue
		}
		j := numberEnd(path, i)
		switch n := j - i; {
		case n >= 8 && (n <= 10 || n == 12 || n == 14 || n == 17 || n >= 16 && n <= 22):
			if d, ok := try(path[i:i+4], path[i+4:i+6], path[i+6:i+8]); ok {
				return d, true
			}
		case n == 6 || n == 4:
			y, m, k := path[i:i+4], path[i+4:j], j
			if n == 4 {
				if k >= len(path) || strings.IndexByte("/-_", path[k]) < 0 {
					break
				}
				e := numberEnd(path, k+1)
				if e-k-1 < 1 || e-k-1 > 4 {
					break
				}
				m, k = path[k+1:e], e
				if len(m) >= 3 { // /2024/0512/
					if len(m) == 4 {
						if d, ok := try(y, m[:2], m[2:]); ok {
							return d, true
						}
					}
					break
				}
			}
			if k >= len(path) || strings.IndexByte("/-_", path[k]) < 0 {
				break
			}
			if e := numberEnd(path, k+1); e-k-1 == 1 || e-k-1 == 2 {
				if d, ok := try(y, m, path[k+1:e]); ok {
					return d, true
				}
			}
		}
		i = j
	}
	return Date{}, false
}
