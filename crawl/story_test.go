package crawl

import (
	"testing"
	"time"
)

// What was first seen today is counted until the day of the calendar ends.
func TestTodayEndsWithTheDay(t *testing.T) {
	day := time.Date(2026, 11, 22, 9, 0, 0, 0, time.Local)
	var c today
	for _, at := range []time.Time{day, day.Add(14*time.Hour + 59*time.Minute), day.Add(-10 * time.Hour)} {
		c.add(at, day)
	}
	if n := c.count(day.Add(14 * time.Hour)); n != 2 {
		t.Errorf("%d today, want 2: the third is of yesterday", n)
	}
	if n := c.count(day.Add(16 * time.Hour)); n != 0 {
		t.Errorf("%d on the next morning", n)
	}
	c.add(day.Add(17*time.Hour), day.Add(17*time.Hour))
	if n := c.count(day.Add(18 * time.Hour)); n != 1 {
		t.Errorf("%d on the next day, want 1", n)
	}
}
