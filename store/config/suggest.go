package config

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
)

// suggest say how seeds are looked for. The defaults of MostWords and Results are P3's.
type suggest struct {
	SearXNG   string   `toml:"searxng" comment:"address of a SearXNG server that is asked for sites, e.g. \"http://localhost:8888\"; it must allow the format json; empty for none"`
	Words     []string `toml:"words,multiline" comment:"what is searched for first; after it what people looked for in vain, the words of the topic, accepted terms"`
	MostWords int      `toml:"most_words" bounds:"1 … 5 000" comment:"questions that are asked"`
	Results   int      `toml:"results" bounds:"1 … 1 000" comment:"results of each that are looked at"`
	Delay     Duration `toml:"delay" bounds:"0 … 1h" comment:"between two questions"`
	Engines   string   `toml:"engines" comment:"engines of that server, with commas between them; empty: its own choice"`
	Language  string   `toml:"language" comment:"of the results, e.g. \"zh-CN\"; empty: the server's own choice"`
}

func defaultSuggest() suggest {
	return suggest{Words: []string{}, MostWords: 500, Results: 150, Delay: Duration(2 * time.Second)}
}

func (s suggest) clone() suggest {
	s.Words = slices.Clone(s.Words)
	return s
}

// CheckSearXNG says what is wrong with the address of a search server; nil when nothing
// is.
func CheckSearXNG(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		return fmt.Errorf("%.200q is no address of a server; write http://HOST:PORT", address)
	case u.User != nil:
		return errors.New("a name and a password have no place in the address; let the server answer this machine without them")
	case u.RawQuery != "" || u.Fragment != "" || strings.HasSuffix(u.Path, "/search"):
		return fmt.Errorf("%.200q is more than the server's first page; write %s://%s%s", address, u.Scheme, u.Host, strings.TrimSuffix(u.Path, "/search"))
	}
	return nil
}
