package records

import (
	"fmt"
	"strings"
	"time"

	"angler/store/sealed"
)

// This file keeps the hosts proposed as seeds, the evidence for each, and the progress of the
// search for them. Decisions about a host are in the log of decisions. There are at most
// MaxProposals hosts and MaxQuestions questions; ClipProposal cuts texts from the web.

// proposalsBucket holds h/HOST → Proposal and q/QUESTION → Question, JSON.
var proposalsBucket = []byte("proposals")

// Bounds of stored rows.
const (
	MaxProposals    = 20_000 // hosts
	maxQuestions    = 5_000
	MaxExamples     = 12  // words, anchor texts, files of one host
	MaxProposalText = 200 // bytes of one text
)

// ErrProposalsFull means that no more hosts can be stored; test with errors.Is.
var ErrProposalsFull = fmt.Errorf("%d hosts are proposed, which is the most that are kept; reject those that are of no use", MaxProposals)

// Proposal is a host proposed as a seed.
type Proposal struct {
	Host  string    `json:"host"` // without www. and m.; with the port if it is not the default
	URL   string    `json:"url"`  // of its first page; the future seed
	Title string    `json:"title,omitempty"`
	First time.Time `json:"first"`
	Last  time.Time `json:"last"`
	Round int       `json:"round"` // number of the search that found it first, from 1

	Looked time.Time `json:"looked,omitzero"` // when Title was read from the first page

	Search *ProposalSearch `json:"search,omitempty"`
	Links  *ProposalLinks  `json:"links,omitempty"`
	Files  []ProposalFile  `json:"files,omitempty"`

	Agent  string `json:"agent,omitempty"`  // the assistant that proposed it
	Reason string `json:"reason,omitempty"` // of the assistant

	// Seed is the address in the settings if the host was accepted, or "".
	Seed string `json:"seed,omitempty"`
}

// ProposalSearch holds the results of meta search for a host (P3 2.2.1).
type ProposalSearch struct {
	Questions int      `json:"questions"`       // queries that found it
	Words     []string `json:"words,omitempty"` // the first of them
	Results   int      `json:"results"`
	Best      int      `json:"best"` // rank of its best result; 1 is the first
	Example   string   `json:"example,omitempty"`
	Latest    string   `json:"latest,omitempty"` // the last query that found it
}

// ProposalLinks holds the links from relevant pages to a host.
type ProposalLinks struct {
	Pages   int      `json:"pages"` // pages that link to it
	Sites   int      `json:"sites"` // registrable domains of these pages
	Anchors []string `json:"anchors,omitempty"`
	Example string   `json:"example,omitempty"` // a page that links to it
}

// ProposalFile is an imported list that names a host.
type ProposalFile struct {
	Name    string `json:"name"`
	Entries int    `json:"entries"`
	Text    string `json:"text,omitempty"` // the name of its first entry in the list
}

// Question is the progress of a search query.
type Question struct {
	Text    string    `json:"text"`
	Pages   int       `json:"pages"` // pages of results that were read
	Results int       `json:"results"`
	Done    bool      `json:"done"`
	At      time.Time `json:"at"`
}

// ClipProposal cuts a text from the web to MaxProposalText bytes and joins its lines.
func ClipProposal(s string) string {
	s = s[:min(len(s), 4*MaxProposalText)]
	return clip(strings.Join(strings.Fields(strings.ToValidUTF8(s, "")), " "), MaxProposalText)
}

var (
	proposals = table[string, Proposal]{bucket: proposalsBucket, prefix: "h/", key: text,
		sound: func(key []byte, p *Proposal) bool {
			return p.Host == string(key) && p.Host != "" && p.URL != ""
		}}
	questions = table[string, Question]{bucket: proposalsBucket, prefix: "q/", key: text,
		sound: func(key []byte, q *Question) bool {
			return q.Text == string(key) && q.Text != ""
		}}
)

// ProposalRows gives access to the rows in a transaction.
type ProposalRows struct {
	hosts     rows[string, Proposal]
	questions rows[string, Question]
	known     int // hosts; -1: not counted yet
}

// Host returns the row of a host; nil if it is missing or damaged.
func (r *ProposalRows) Host(host string) *Proposal { return r.hosts.get(host) }

// Put stores a host. A new host beyond MaxProposals fails with ErrProposalsFull.
func (r *ProposalRows) Put(p *Proposal) error {
	if r.known < 0 {
		r.known = len(r.hosts.keys(nil))
	}
	if r.hosts.Get(proposals.at(p.Host)) == nil {
		if r.known >= MaxProposals {
			return ErrProposalsFull
		}
		r.known++
	}
	return r.hosts.put(p.Host, p)
}

// PutQuestion stores the progress of a query. Beyond MaxQuestions it deletes the query asked
// longest ago.
func (r *ProposalRows) PutQuestion(q *Question) error {
	if r.questions.Get(questions.at(q.Text)) == nil {
		var oldest *Question
		all := r.questions.scan(nil)
		for _, was := range all {
			if oldest == nil || was.At.Before(oldest.At) {
				oldest = was
			}
		}
		if len(all) >= maxQuestions {
			if err := r.questions.delete(oldest.Text); err != nil {
				return err
			}
		}
	}
	return r.questions.put(q.Text, q)
}

// ChangeProposals runs f in one transaction, which is committed if f returns nil.
func ChangeProposals(db DB, f func(*ProposalRows) error) error {
	return proposals.change(db, func(r rows[string, Proposal]) error {
		return f(&ProposalRows{r, rows[string, Question]{r.Bucket, &questions}, -1})
	})
}

// Proposals returns all rows.
func Proposals(db DB) (hosts []*Proposal, asked []*Question, err error) {
	err = db.View(func(tx sealed.Tx) error {
		hosts, asked = proposals.in(tx).scan(nil), questions.in(tx).scan(nil)
		return nil
	})
	return hosts, asked, err
}
