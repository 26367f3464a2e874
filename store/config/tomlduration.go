package config

import (
	"fmt"
	"strings"
	"time"
)

// Duration is a time.Duration in the form "1s" or a bare number of seconds.
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

// MarshalText writes the form of time.Duration without trailing zero units: 720h, 1m30s.
func (d Duration) MarshalText() ([]byte, error) {
	s := time.Duration(d).String()
	if cut, ok := strings.CutSuffix(s, "m0s"); ok {
		s = cut + "m"
	}
	if cut, ok := strings.CutSuffix(s, "h0m"); ok {
		s = cut + "h"
	}
	return []byte(s), nil
}
