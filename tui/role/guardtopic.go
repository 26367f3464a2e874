package role

import (
	"context"
	"errors"

	"angler/crawl/decisions"
	"angler/store/config"
	"angler/topic"
	"angler/tui/parts"
)

// topics guards what is decided about the topic.
type topics struct {
	b parts.Topic
	r Role
}

func (g *topics) Config() topic.Config      { return g.b.Config() }
func (g *topics) Features() []topic.Feature { return g.b.Features() }
func (g *topics) Scores() *topic.Scores     { return g.b.Scores() }

func (g *topics) ChangeConfig(change func(*topic.Config) string) error {
	if err := g.r.check(Configure); err != nil {
		return err
	}
	return g.b.ChangeConfig(change)
}

func (g *topics) ToggleSample(id uint64) (bool, error) {
	return allowed(g.r, Sample, func() (bool, error) { return g.b.ToggleSample(id) })
}

func (g *topics) RemoveSample(url string) error {
	if err := g.r.check(Sample); err != nil {
		return err
	}
	return g.b.RemoveSample(url)
}

func (g *topics) ToggleNegative(id uint64) (bool, error) {
	return allowed(g.r, Negative, func() (bool, error) { return g.b.ToggleNegative(id) })
}

func (g *topics) AddSample(ctx context.Context, urlOrFile, fileURL string) (decisions.SampleRow, error) {
	if err := g.own(AddSample, urlOrFile); err != nil {
		return decisions.SampleRow{}, err
	}
	return g.b.AddSample(ctx, urlOrFile, fileURL)
}

func (g *topics) AddNegative(ctx context.Context, urlOrFile, fileURL string) (decisions.SampleRow, error) {
	if err := g.own(AddNegative, urlOrFile); err != nil {
		return decisions.SampleRow{}, err
	}
	return g.b.AddNegative(ctx, urlOrFile, fileURL)
}

// own lets samples come from files only on one's own terminal: over a line they
// would be the server's.
func (g *topics) own(a Action, urlOrFile string) error {
	if err := g.r.check(a); err != nil {
		return err
	}
	if g.r != "" && !isWeb(urlOrFile) {
		return errors.New("over SSH a sample is a URL that begins with http:// or https://")
	}
	return nil
}

func (g *topics) StopWord(word string) error {
	if err := g.r.check(StopWord); err != nil {
		return err
	}
	return g.b.StopWord(word)
}

func (g *topics) Undo() (string, error) { return allowed(g.r, Undo, g.b.Undo) }
func (g *topics) UndoAgreed(seq uint64) (string, error) {
	return allowed(g.r, Undo, func() (string, error) { return g.b.UndoAgreed(seq) })
}
func (g *topics) Redo() (string, error) { return allowed(g.r, Redo, g.b.Redo) }
func (g *topics) RedoAgreed(seq uint64) (string, error) {
	return allowed(g.r, Redo, func() (string, error) { return g.b.RedoAgreed(seq) })
}

// vocabularies guards the words that the dictionary lacks.
type vocabularies struct {
	b parts.Terms
	r Role
}

func (g *vocabularies) TermSettings() config.Terms           { return g.b.TermSettings() }
func (g *vocabularies) ProposedTerms() *decisions.FoundTerms { return g.b.ProposedTerms() }

func (g *vocabularies) FindTerms(ctx context.Context, most int) (*decisions.FoundTerms, error) {
	return allowed(g.r, Terms, func() (*decisions.FoundTerms, error) { return g.b.FindTerms(ctx, most) })
}

func (g *vocabularies) AcceptTerms(words []string) error {
	if err := g.r.check(AcceptTerms); err != nil {
		return err
	}
	return g.b.AcceptTerms(words)
}

func (g *vocabularies) RejectTerms(words []string) error {
	if err := g.r.check(RejectTerms); err != nil {
		return err
	}
	return g.b.RejectTerms(words)
}
