package config

import (
	"bytes"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
)

// This file finds faults that a decoder accepts in a settings file, and advises on a file that was
// cut short.

// restoreFile advises how to get the settings back.
const restoreFile = "restore the file from a copy"

// whole refuses an empty file, or one with zero bytes. A full disk or a crash made it so, and
// defaults must not replace an analyst's settings silently.
func whole(path string, b []byte) error {
	if len(bytes.TrimSpace(b)) == 0 {
		return fmt.Errorf("%s is empty; %s", path, restoreFile)
	}
	if i := bytes.IndexByte(b, 0); i >= 0 {
		return fmt.Errorf("%s: line %d holds a zero byte: the file is damaged; %s", path,
			1+bytes.Count(b[:i], []byte("\n")), restoreFile)
	}
	return nil
}

// ended refuses a file that decodes but ends within a line and lacks tables that the program always
// writes. The rest was cut off and would be read as defaults.
func ended(path string, b []byte) error {
	if b[len(b)-1] == '\n' {
		return nil
	}
	var doc map[string]any
	if toml.Unmarshal(b, &doc) != nil {
		return nil // the decoder has reported it
	}
	v := reflect.ValueOf(new(Settings)).Elem()
	for i := range v.NumField() {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("toml"), ",")
		if _, there := doc[name]; !there && v.Field(i).Kind() == reflect.Struct {
			return fmt.Errorf("%s: the last line has no end and [%s] is missing: the file may have been cut short; %s. If it is whole, end its last line", path, name, restoreFile)
		}
	}
	return nil
}

// cutShort returns the advice for an error in the last line of a file.
func cutShort(b []byte, row int) string {
	if row < 1+bytes.Count(bytes.TrimRight(b, "\r\n"), []byte("\n")) {
		return "; fix that line"
	}
	return "; fix that line, or if the file was cut short, " + restoreFile
}

// units refuses durations written as bare numbers: readers may take them for seconds or
// milliseconds. It accepts text that is not TOML, because the decoder explains that better.
func units(path string, b []byte) error {
	var doc map[string]any
	if toml.Unmarshal(b, &doc) != nil {
		return nil
	}
	for _, l := range leaves(new(Settings)) {
		if kindOf(l.v) != "time" && l.key != ipDelayKey {
			continue
		}
		at := any(doc)
		for name := range strings.SplitSeq(l.key, ".") {
			table, _ := at.(map[string]any)
			at = table[name]
		}
		if n, bare := number(at); bare && n != 0 {
			return fmt.Errorf("%s: %s = %v has no unit; write %s", path, l.key, at, withUnits(n))
		}
	}
	hosts, _ := doc[HostsKey].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(hosts)) {
		table, _ := hosts[name].(map[string]any)
		if n, bare := number(table["delay"]); bare && n != 0 {
			return fmt.Errorf("%s: %s = %v has no unit; write %s", path, HostKey(name, "delay"), table["delay"],
				withUnits(n))
		}
	}
	return nil
}

// number reads a TOML integer or float.
func number(v any) (n float64, ok bool) {
	switch x := v.(type) {
	case int64:
		return float64(x), true
	case float64:
		return x, true
	}
	return 0, false
}

// withUnits returns a bare number as seconds, and the other duration it may mean.
func withUnits(n float64) string {
	if n >= 1 {
		return fmt.Sprintf("\"%gs\" or \"%gms\"", n, n)
	}
	d := time.Duration(n * float64(time.Second))
	if d <= 0 {
		return `"500ms", "1s" or "2m"`
	}
	return fmt.Sprintf("\"%v\" or \"1s\"", d)
}

const ipDelayKey = "crawl.ip_delay"

// AddressDelay returns the minimum time between two fetches from an IP address that several hosts
// share. A negative value means a quarter of the delay of the host, 0 means no limit by address.
func (c *crawl) AddressDelay() (time.Duration, error) {
	if c.IPDelay == "" {
		return -1, nil
	}
	var d Duration
	if err := d.UnmarshalText([]byte(c.IPDelay)); err != nil {
		return 0, err
	}
	return time.Duration(d), nil
}
