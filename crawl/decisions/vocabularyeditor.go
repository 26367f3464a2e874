package decisions

import (
	"context"

	"angler/store/config"
)

// VocabularyEditor works with the terms on behalf of one person: what is accepted or rejected
// through it is logged under that name. It is safe for concurrent use.
type VocabularyEditor struct {
	v     *Vocabulary
	topic *Topic
}

// EditorOf returns a VocabularyEditor that acts for the person for whom t does.
func (v *Vocabulary) EditorOf(t *Topic) *VocabularyEditor { return &VocabularyEditor{v, t} }

// TermSettings returns the settings in force.
func (h *VocabularyEditor) TermSettings() config.Terms { return h.v.Settings().Terms }

// FindTerms is Vocabulary.Find.
func (h *VocabularyEditor) FindTerms(ctx context.Context, most int) (*FoundTerms, error) {
	return h.v.find(ctx, most)
}

// ProposedTerms is Vocabulary.Proposed.
func (h *VocabularyEditor) ProposedTerms() *FoundTerms { return h.v.proposed() }

// AcceptTerms is Topic.AcceptTerms.
func (h *VocabularyEditor) AcceptTerms(words []string) error { return h.topic.AcceptTerms(words) }

// RejectTerms is Topic.RejectTerms.
func (h *VocabularyEditor) RejectTerms(words []string) error { return h.topic.RejectTerms(words) }

// Propose is Vocabulary.Propose.
func (h *VocabularyEditor) Propose(ctx context.Context) error { return h.v.Propose(ctx) }

// Measure is Vocabulary.Measure.
func (h *VocabularyEditor) Measure(ctx context.Context, gold []string) (*MeasuredTerms, error) {
	return h.v.measure(ctx, gold)
}
