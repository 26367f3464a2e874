package seeds

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"angler/store/records"
)

// This file parses a SearXNG server's answer: one JSON object with "results". It reads one result at a time from the
// front. Extra rows cost nothing, and a truncated answer yields its first rows.

// result is one row of an answer.
type result struct{ URL, Title string }

// answer is one page of results.
type answer struct {
	results []result
	broken  bool     // truncated
	silent  []string // engines that failed, with the reason
}

// Reasons for a useless answer. The errors that wrap them name a remedy.
var (
	errHTML = errors.New("a web page instead of JSON")
	errJSON = errors.New("no answer of SearXNG")
)

// Limits of one answer.
const (
	maxResults = 1000
	maxSilent  = 20
)

// parseAnswer parses at most limit results.
func parseAnswer(body []byte, limit int) (answer, error) {
	var a answer
	text := bytes.TrimLeft(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")), " \t\r\n")
	if bytes.HasPrefix(text, []byte("<")) {
		return a, errHTML
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return a, fmt.Errorf("%w: it is no JSON object", errJSON)
	}
	found := false
	for d.More() {
		key, err := d.Token()
		if err == nil {
			switch key {
			case "results":
				found = true
				if enough := a.takeResults(d, min(limit, maxResults)); enough || a.broken {
					return a, nil
				}
				continue
			case "unresponsive_engines":
				var raw json.RawMessage
				if err = d.Decode(&raw); err == nil {
					a.takeSilent(raw)
				}
			default:
				var raw json.RawMessage
				err = d.Decode(&raw)
			}
		}
		if err != nil {
			a.broken = found
			break
		}
	}
	if !found {
		return a, fmt.Errorf("%w: it has no results", errJSON)
	}
	return a, nil
}

// takeResults parses the list of results; enough reports that the limit was reached.
func (a *answer) takeResults(d *json.Decoder, limit int) (enough bool) {
	if t, err := d.Token(); err != nil || t != json.Delim('[') { // null = no results
		a.broken = err != nil
		return false
	}
	for d.More() {
		if len(a.results) >= limit {
			return true
		}
		var row struct {
			URL   string `json:"url"`
			Title string `json:"title"`
		}
		err := d.Decode(&row)
		if _, other := errors.AsType[*json.UnmarshalTypeError](err); err != nil && !other {
			a.broken = true
			return false
		}
		if row.URL != "" {
			a.results = append(a.results, result{row.URL, records.ClipProposal(row.Title)})
		}
	}
	_, err := d.Token()
	a.broken = err != nil
	return false
}

// takeSilent parses [["google", "CAPTCHA"], …].
func (a *answer) takeSilent(raw json.RawMessage) {
	var rows [][]string
	if json.Unmarshal(raw, &rows) != nil {
		return
	}
	for _, r := range rows {
		if len(r) == 0 || len(a.silent) >= maxSilent {
			continue
		}
		says := records.ClipProposal(r[0])
		if len(r) > 1 {
			says += " (" + records.ClipProposal(strings.Join(r[1:], " ")) + ")"
		}
		if !slices.Contains(a.silent, says) {
			a.silent = append(a.silent, says)
		}
	}
}
