package config

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// checkBounds reports a setting outside the bounds of its tag: "1 … 64", both included, or "1 …"
// without an upper bound.
func (s *Settings) checkBounds() error {
	for _, l := range leaves(s) {
		bounds := l.tag.Get("bounds")
		if bounds == "" {
			continue
		}
		least, most, _ := strings.Cut(bounds, "…")
		value, shown := measured(l.v)
		switch {
		case strings.TrimSpace(most) == "":
			if value < bound(least) {
				return &SettingError{Key: l.key, Why: fmt.Sprintf("%v is less than %s", shown,
					strings.TrimSpace(least))}
			}
		case !(value >= bound(least) && value <= bound(most)): // NaN too
			return &SettingError{Key: l.key, Why: fmt.Sprintf("%v is outside %s", shown, bounds)}
		}
	}
	return nil
}

// measured returns a number or a duration (in nanoseconds), and its form for people.
func measured(v reflect.Value) (value float64, shown any) {
	if v.CanFloat() {
		return v.Float(), v.Float()
	}
	if d, ok := v.Interface().(Duration); ok {
		return float64(d), time.Duration(d)
	}
	return float64(v.Int()), v.Int()
}

// bound parses a bound of a tag: a number, with spaces between thousands, or a duration.
func bound(text string) float64 {
	text = strings.Join(strings.Fields(text), "")
	if d, err := time.ParseDuration(text); err == nil {
		return float64(d)
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic("config: a tag has the bound " + text)
	}
	return n
}
