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

// This file says what is wrong with a settings file that a decoder would take,
// and what is to be done about one that was cut short.

// restoreFile says where settings come from again.
const restoreFile = "restore the file from a copy"

// whole refuses a file that holds nothing, or zeros where text should be: a full
// disk or a crash has emptied it, and defaults must not pass for what an analyst
// has set.
func whole(path string, b []byte) error {
	if len(bytes.TrimSpace(b)) == 0 {
		return fmt.Errorf("%s is empty; %s", path, restoreFile)
	}
	if i := bytes.IndexByte(b, 0); i >= 0 {
		return fmt.Errorf("%s: line %d holds a zero byte: the file is damaged; %s", path, 1+bytes.Count(b[:i], []byte("\n")), restoreFile)
	}
	return nil
}

// ended refuses a file that decodes, but ends within a line while tables are
// missing that every file of the program has: what follows was cut off, and would
// be read as defaults.
func ended(path string, b []byte) error {
	if b[len(b)-1] == '\n' {
		return nil
	}
	var doc map[string]any
	if toml.Unmarshal(b, &doc) != nil {
		return nil // the decoder has said it
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

// cutShort is the advice for a mistake in the last line of a file.
func cutShort(b []byte, row int) string {
	if row < 1+bytes.Count(bytes.TrimRight(b, "\r\n"), []byte("\n")) {
		return "; fix that line"
	}
	return "; fix that line, or if the file was cut short, " + restoreFile
}

// units refuses durations that are written as bare numbers: one reader takes
// them for seconds, another for milliseconds. What is no TOML passes: the decoder
// says better what is wrong with it.
func units(path string, b []byte) (err error) {
	var doc map[string]any
	if toml.Unmarshal(b, &doc) != nil {
		return nil
	}
	eachSetting(reflect.ValueOf(new(Settings)).Elem(), "", func(key string, _ reflect.StructTag, v reflect.Value) {
		if err != nil || kindOf(v) != "time" && key != ipDelayKey {
			return
		}
		at := any(doc)
		for name := range strings.SplitSeq(key, ".") {
			table, _ := at.(map[string]any)
			at = table[name]
		}
		if n, bare := number(at); bare && n != 0 {
			err = fmt.Errorf("%s: %s = %v has no unit; write %s", path, key, at, withUnits(n))
		}
	})
	hosts, _ := doc[HostsKey].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(hosts)) {
		table, _ := hosts[name].(map[string]any)
		if n, bare := number(table["delay"]); err == nil && bare && n != 0 {
			err = fmt.Errorf("%s: %s = %v has no unit; write %s", path, HostKey(name, "delay"), table["delay"], withUnits(n))
		}
	}
	return err
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

// withUnits is a bare number as seconds, and the other duration that may be meant.
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

// AddressDelay is the least time between two fetches from one address that
// several hosts share; negative means a quarter of the delay of the host that
// was asked, 0 that an address is not looked at.
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
