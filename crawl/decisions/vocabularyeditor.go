package decisions

import (
	"context"

	"angler/crawl/auth"
)

// VocabularyEditor works with the terms on behalf of one person, for whom its Topic
// acts. It is safe for concurrent use.
type VocabularyEditor struct {
	*Vocabulary
	*Topic
}

// FindTerms looks for terms, see Vocabulary.find.
func (e *VocabularyEditor) FindTerms(ctx context.Context, most int) (*FoundTerms, error) {
	if err := e.May(auth.Terms); err != nil {
		return nil, err
	}
	return e.find(ctx, most)
}
