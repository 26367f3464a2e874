package config

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
)

// suggest controls the search for seeds. The defaults of MostWords and Results are those of P3.
type suggest struct {
	SearXNG   string   `toml:"searxng" comment:"SearXNG server that finds sites, e.g. \"http://localhost:8888\"; it must allow the format json; empty: no search"`
	Words     []string `toml:"words,multiline" comment:"first search queries; then follow failed queries of readers, words of the topic and accepted terms"`
	MostWords int      `toml:"most_words" bounds:"1 … 5 000" comment:"most queries of one search for sites"`
	Results   int      `toml:"results" bounds:"1 … 1 000" comment:"results to read of each query"`
	Delay     Duration `toml:"delay" bounds:"0 … 1h" comment:"pause between two queries"`
	Engines   string   `toml:"engines" comment:"search engines of that server, separated by commas; empty: the server chooses"`
	Language  string   `toml:"language" comment:"language of the results, e.g. \"zh-CN\"; empty: the server chooses"`
}

func defaultSuggest() suggest {
	return suggest{Words: []string{}, MostWords: 500, Results: 150, Delay: Duration(2 * time.Second)}
}

func (s suggest) clone() suggest {
	s.Words = slices.Clone(s.Words)
	return s
}

// CheckSearXNG reports what is wrong with the address of a search server, or nil.
func CheckSearXNG(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		return fmt.Errorf("%.200q is no address of a server; write http://HOST:PORT", address)
	case u.User != nil:
		return errors.New("a name and a password have no place in the address; let the server answer this machine without them")
	case u.RawQuery != "" || u.Fragment != "" || strings.HasSuffix(u.Path, "/search"):
		return fmt.Errorf("%.200q is more than the server's first page; write %s://%s%s", address, u.Scheme, u.Host,
			strings.TrimSuffix(u.Path, "/search"))
	}
	return nil
}
