package terminal

import "time"

// bucket limits a rate: it holds burst and gains rate a second; a rate of 0 means no limit. It is
// for one goroutine.
type bucket struct {
	rate, burst float64
	room        float64
	at          time.Time
}

func newBucket(rate, burst int) bucket {
	return bucket{float64(rate), float64(burst), float64(burst), time.Now()}
}

// take takes n and waits until the bucket is not overdrawn; false if done was closed meanwhile.
func (b *bucket) take(n int, done <-chan struct{}) bool {
	if b.rate == 0 {
		return true
	}
	now := time.Now()
	b.room = min(b.burst, b.room+now.Sub(b.at).Seconds()*b.rate) - float64(n)
	if b.at = now; b.room >= 0 {
		return true
	}
	select {
	case <-time.After(time.Duration(-b.room / b.rate * float64(time.Second))):
		return true
	case <-done:
		return false
	}
}
