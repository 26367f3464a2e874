// Package dateparser stands in for github.com/markusmobius/go-dateparser, by a
// replace line in go.mod, with what github.com/markusmobius/go-htmldate calls
// of it.
//
// The original builds the tables of two hundred languages whenever a program
// that imports it starts: .2 to .4 s and 80 MB, ten times what this program
// takes to show its first frame, for a call that its last resort for dates
// makes on pages in foreign languages. Here the same call goes to
// github.com/araddon/dateparse, which knows the forms that numbers and English
// month names take. The price: "12 mars 2024" is not read.
package dateparser

import (
	"time"

	"github.com/araddon/dateparse"
)

// ParserType names one of the original's parsers.
type ParserType uint8

// The parsers that go-htmldate asks for.
const (
	CustomFormat ParserType = iota
	AbsoluteTime
)

// PreferredDateSource says in which direction an incomplete date is completed.
type PreferredDateSource uint8

// Past completes a date to the latest one that is gone. Only complete dates
// are read here, so it changes nothing.
const Past PreferredDateSource = 1

// Configuration is what go-htmldate sets of the original's configuration.
type Configuration struct {
	PreferredDateSource PreferredDateSource
	StrictParsing       bool           // only complete dates; always so here
	DefaultTimezone     *time.Location // zone of a date that states none; nil: UTC
}

// Parser reads dates. The zero value is ready and safe for concurrent use.
type Parser struct{ ParserTypes []ParserType }

// Date is a date that was read.
type Date struct{ Time time.Time }

// Parse reads a text that is a date and nothing else. The error says that it
// is none, or one that could be of two months.
func (p *Parser) Parse(cfg *Configuration, s string) (Date, error) {
	zone := time.UTC
	if cfg != nil && cfg.DefaultTimezone != nil {
		zone = cfg.DefaultTimezone
	}
	t, err := dateparse.ParseIn(s, zone)
	return Date{Time: t}, err
}
