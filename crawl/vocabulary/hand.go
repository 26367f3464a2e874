package vocabulary

import (
	"context"

	"angler/crawl/decisions"
	"angler/dict/terms"
	"angler/store/config"
)

// Hand works with the terms on behalf of one person: what is accepted or rejected
// through it is logged under that name. It is safe for concurrent use.
type Hand struct {
	v     *Vocabulary
	topic *decisions.Topic
}

// HandOf returns a Hand that acts for the person for whom t does.
func (v *Vocabulary) HandOf(t *decisions.Topic) *Hand { return &Hand{v, t} }

// TermSettings returns the settings in force.
func (h *Hand) TermSettings() config.Terms { return h.v.Settings().Terms }

// FindTerms is Vocabulary.Find.
func (h *Hand) FindTerms(ctx context.Context, most int) (*Found, error) { return h.v.Find(ctx, most) }

// ProposedTerms is Vocabulary.Proposed.
func (h *Hand) ProposedTerms() *Found { return h.v.Proposed() }

// AcceptedTerms are the terms that analysts have accepted, sorted. They are not to be
// changed.
func (h *Hand) AcceptedTerms() []string { return h.v.Decisions.State().Accepted }

// AcceptTerms is decisions.Topic.AcceptTerms.
func (h *Hand) AcceptTerms(words []string) error { return h.topic.AcceptTerms(words) }

// RejectTerms is decisions.Topic.RejectTerms.
func (h *Hand) RejectTerms(words []string) error { return h.topic.RejectTerms(words) }

// Propose is Vocabulary.Propose.
func (h *Hand) Propose(ctx context.Context) error { return h.v.Propose(ctx) }

// Measure is Vocabulary.Measure.
func (h *Hand) Measure(ctx context.Context, gold []string) (*Measured, error) {
	return h.v.Measure(ctx, gold)
}

// Mine is Vocabulary.Mine.
func (h *Hand) Mine(ctx context.Context, list []string, examples int) (*terms.Mining, error) {
	return h.v.Mine(ctx, list, examples)
}
