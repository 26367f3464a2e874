package decisions

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"angler/crawl/auth"
	"angler/crawl/htmldoc"
	"angler/crawl/urls"
	"angler/message"
	"angler/store"
	"angler/store/records"
	"angler/topic"
)

// This file keeps what assistants propose. A proposal waits in the log of decisions and is never in
// force. A person who decides the same matter answers it, and undo makes it wait again.

// The kinds of proposals.
const (
	ProposeLabel  = kindLabel
	ProposeSample = kindSample
	ProposeSeed   = kindSeed
)

// Bounds of proposals.
const (
	MaxWaiting = 500 // proposals
	maxReason  = 500 // characters
	maxAgent   = 60  // characters of an assistant's name
)

// Proposal is a label, a sample or a seed that an assistant proposes. The log keeps it as JSON.
type Proposal struct {
	Kind   string      `json:"kind"`            // ProposeLabel, ProposeSample or ProposeSeed
	Page   uint64      `json:"page,omitempty"`  // the stored page; 0 for a seed
	Host   string      `json:"host,omitempty"`  // of a seed
	URL    string      `json:"url"`             // of the page, or the seed
	Title  string      `json:"title,omitempty"` // of the page
	Label  topic.Label `json:"label,omitempty"` // yes or no; "" without a label
	Reason string      `json:"reason"`          // a line of at most 500 characters
	By     string      `json:"by"`              // the assistant
	At     time.Time   `json:"at"`
}

// Key identifies the matter of a proposal. One proposal waits under each key.
func (p *Proposal) Key() string {
	switch p.Kind {
	case ProposeLabel:
		return kindLabel + "/" + strconv.FormatUint(p.Page, 10)
	case ProposeSample:
		return kindSample + "/" + p.URL
	}
	return kindSeed + "/" + p.Host
}

// line is the line of the log.
func (p *Proposal) line() message.Text {
	switch p.Kind {
	case ProposeLabel:
		return message.Of("proposed: label %s %s", p.Label, p.URL)
	case ProposeSample:
		return message.Of("proposed: sample %s", p.URL)
	}
	return message.Of("proposed: seed %s", p.URL)
}

// AgentName returns the name of an assistant for the log: one line of at most 60 characters.
func AgentName(said string) string {
	return cmp.Or(htmldoc.CleanLine(htmldoc.Clip(said, 4*maxAgent), maxAgent), "assistant")
}

// refusal is the error of a proposal that can never wait.
type refusal struct{ error }

func refused(format string, args ...any) error { return refusal{fmt.Errorf(format, args...)} }

// errWaiting means that no further proposal is taken.
var errWaiting = fmt.Errorf("%d proposals wait, which is the most that are kept; a person must answer some first",
	MaxWaiting)

// errAnswered means that a proposal was answered meanwhile.
var errAnswered = errors.New("the proposal was answered meanwhile and does not wait any more")

// answered returns changes with the removal of the proposals that they answer.
func (s *State) answered(changes []store.Change) []store.Change {
	for _, c := range changes {
		kind := c.Kind
		if kind == kindNegative {
			kind = kindSample
		}
		key := kind + "/" + c.Key
		if _, waits := s.Waiting[key]; waits && c.After != nil && c.Topic == s.Topic {
			changes = append(changes, store.Change{Topic: s.Topic, Kind: kindProposal, Key: key})
		}
	}
	return changes
}

// CheckProposal returns a proposal as ProposeDecision would keep it, or an error that says why it would be refused. It
// changes nothing and sends no request.
func (t *Topic) CheckProposal(p Proposal) (Proposal, error) { return t.checked(t.d.State(), p) }

func (t *Topic) checked(s *State, p Proposal) (Proposal, error) {
	if err := t.May(auth.Propose); err != nil {
		return p, refusal{err}
	}
	now := t.d.Now()
	if p.By = AgentName(t.Name); p.At.IsZero() || p.At.After(now) {
		p.At = now
	}
	if n := utf8.RuneCountInString(p.Reason); n > maxReason {
		return p, refused("the reason has %d characters; write at most %d", n, maxReason)
	}
	if p.Reason = htmldoc.CleanLine(p.Reason, maxReason); p.Reason == "" {
		return p, refused("a proposal has a reason; say in a sentence why")
	}
	if p.Kind == ProposeSeed {
		return t.checkedSeed(s, p)
	}
	if p.Page == 0 {
		canonical, err := t.d.Reader.Resolver.Canonical(p.URL)
		if err != nil {
			return p, refused("%.80q is not a URL; write http://HOST/PATH", p.URL)
		}
		p.Page, _ = t.d.Store.Lookup(canonical)
	}
	row, err := t.d.Store.Page(p.Page)
	if err != nil {
		return p, err
	}
	if row == nil || row.Status != 200 {
		return p, refused("%s is not a stored page; explain_page tells what is known of an address",
			cmp.Or(htmldoc.CleanLine(p.URL, 80), strconv.FormatUint(p.Page, 10)))
	}
	p.Host, p.URL, p.Title = "", row.URL, htmldoc.CleanLine(cmp.Or(row.Head, row.Title), records.MaxProposalText)
	switch p.Kind {
	case ProposeLabel:
		if p.Label != topic.Yes && p.Label != topic.No {
			return p, refused("a proposed label is yes or no")
		}
		if l := s.Labels[p.Page]; l != topic.NoLabel {
			return p, refused("a person has labelled %s %s already", row.URL, l)
		}
	case ProposeSample:
		p.Label = topic.NoLabel
		if _, known := s.Mark(row.URL); known {
			return p, refused("a person has made %s a sample or a negative sample already", row.URL)
		}
	default:
		return p, refused("%.40q cannot be proposed", p.Kind)
	}
	return p, nil
}

// checkedSeed is checked for a seed.
func (t *Topic) checkedSeed(s *State, p Proposal) (Proposal, error) {
	if len(p.URL) > urls.MaxLength || !(auth.Actor{Remote: true}).Opens(p.URL) || strings.ContainsAny(p.URL, "\\@") ||
		strings.ContainsFunc(p.URL, htmldoc.IsUnsafe) {
		return p, refused("a seed is an http or https address, written plainly; %.80q is none", p.URL)
	}
	host, canonical, err := t.d.Site(p.URL)
	if err != nil {
		return p, refusal{err}
	}
	if v, known := s.Proposed[host]; known {
		did := "rejected"
		if v.Accepted {
			did = "accepted"
		}
		return p, refused("%s has %s the seed %s already", v.By, did, host)
	}
	return Proposal{Kind: p.Kind, Host: host, URL: canonical, Reason: p.Reason, By: p.By, At: p.At}, nil
}

// ProposeDecision lets a proposal wait for a person, under the name of the Topic's actor. It is logged, and
// undo passes over it. A proposal that waits already is no error. At most MaxWaiting wait.
func (t *Topic) ProposeDecision(p Proposal) error {
	return t.d.act(func(s *State, log *store.Decisions) (*store.Event, error) {
		p, err := t.checked(s, p)
		if err != nil {
			return nil, err
		}
		if was, waits := s.Waiting[p.Key()]; waits {
			if was.Label != p.Label {
				return nil, refused("%s proposes %s for %s; that waits for a person", was.By, was.Label, was.URL)
			}
			return nil, nil
		}
		if len(s.Waiting) >= MaxWaiting {
			return nil, errWaiting
		}
		if p.Kind == ProposeSeed {
			if err := t.putSeed(s, &p); err != nil {
				return nil, err
			}
		}
		return log.Aside(p.By, p.line(), t.d.set(kindProposal, p.Key(), p))
	})
}

// putSeed adds the proposal to the hosts proposed as seeds.
func (t *Topic) putSeed(s *State, p *Proposal) error {
	return records.ChangeProposals(t.d.Store, func(rows *records.ProposalRows) error {
		r := rows.Host(p.Host)
		if r == nil {
			r = &records.Proposal{Host: p.Host, URL: p.URL, First: p.At, Round: s.SeedRound() + 1}
		}
		r.Last, r.Agent, r.Reason = p.At, p.By, records.ClipProposal(p.Reason)
		return rows.Put(r)
	})
}

// Proposals lists the proposals that wait, oldest first.
func (t *Topic) Proposals() []Proposal {
	return slices.SortedFunc(maps.Values(t.d.State().Waiting), func(a, b Proposal) int {
		return cmp.Or(a.At.Compare(b.At), strings.Compare(a.Key(), b.Key()))
	})
}

// AcceptProposal makes the proposed decision, as if the person had made it by hand. It takes the Key
// of a proposal. One undo takes back the decision and makes the proposal wait again.
func (t *Topic) AcceptProposal(key string) error {
	p, err := t.waiting(auth.AcceptProposal, key)
	if err != nil {
		return err
	}
	switch p.Kind {
	case ProposeLabel:
		return t.SetLabel(p.Page, p.Label)
	case ProposeSample:
		m, title, err := t.d.storedMaterial(p.Page)
		if err == nil {
			_, err = t.addSample(m, title, false)
		}
		return err
	}
	if err := t.May(auth.AcceptSeeds); err != nil {
		return err
	}
	_, err = t.JudgeSeeds([]SeedChoice{{Host: p.Host, URL: p.URL}}, true, 0)
	return err
}

// RefuseProposal removes a proposal, given by its Key. The host of a refused seed is rejected. One
// undo makes the proposal wait again.
func (t *Topic) RefuseProposal(key string) error {
	p, err := t.waiting(auth.RefuseProposal, key)
	if err != nil {
		return err
	}
	if p.Kind == ProposeSeed {
		_, err := t.JudgeSeeds([]SeedChoice{{Host: p.Host, URL: p.URL}}, false, 0)
		return err
	}
	return t.d.apply(t.Name, message.Of("refused: %s", p.line()), t.d.set(kindProposal, key, nil))
}

// waiting returns the proposal with a key if the person may answer it.
func (t *Topic) waiting(do auth.Action, key string) (Proposal, error) {
	p, waits := t.d.State().Waiting[key]
	if err := t.May(do); err != nil {
		return p, err
	}
	if !waits {
		return p, errAnswered
	}
	return p, nil
}
