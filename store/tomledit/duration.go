package tomledit

import (
	"fmt"
	"time"
)

// Duration is a time.Duration that reads "1s" or a bare number of seconds.
type Duration time.Duration

// UnmarshalText reads "1.5s", "200ms" or "2" (seconds).
func (d *Duration) UnmarshalText(b []byte) error {
	v, err := time.ParseDuration(string(b))
	if err != nil {
		v, err = time.ParseDuration(string(b) + "s")
	}
	if err != nil || v < 0 {
		return fmt.Errorf("%q is no duration; write for example 500ms, 1s or 2m", b)
	}
	*d = Duration(v)
	return nil
}

// MarshalText writes it as time.Duration does.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }
