package api

import (
	"context"
	"time"

	"angler/crawl"
	"angler/crawl/auth"
	"angler/crawl/decisions"
	"angler/store"
	"angler/topic"
)

// ProposePage requests that a stored page becomes a sample.
type ProposePage struct {
	URL    string `json:"url,omitempty" jsonschema:"the address of a stored page; or give id"`
	ID     uint64 `json:"id,omitempty" jsonschema:"the id of a stored page"`
	Reason string `json:"reason" jsonschema:"why, in a sentence of at most 500 characters"`
}

// ProposeLabel requests a label of a stored page.
type ProposeLabel struct {
	ProposePage
	AggregationPage bool `json:"aggregation_page" jsonschema:"whether the page is an aggregation page (a list of notices) of the topic"`
}

// ProposeSeed requests a seed.
type ProposeSeed struct {
	URL    string `json:"url" jsonschema:"an http or https address; it is not fetched now"`
	Reason string `json:"reason" jsonschema:"why, in a sentence of at most 500 characters"`
}

// Proposed says what became of a proposal.
type Proposed struct {
	AsOf  time.Time `json:"as_of"`
	URL   string    `json:"url" jsonschema:"in its canonical form"`
	Title string    `json:"title,omitempty" jsonschema:"of the page"`
	State string    `json:"state" jsonschema:"where the proposal waits; it is never in force by itself"`
}

// ProposeLabel proposes a label under the name of an assistant. The name of the actor in ctx goes before agent.
func (s *Service) ProposeLabel(ctx context.Context, agent string, ask ProposeLabel) (Proposed, error) {
	label := topic.No
	if ask.AggregationPage {
		label = topic.Yes
	}
	return s.propose(ctx, agent, decisions.Proposal{Kind: decisions.ProposeLabel, URL: ask.URL, Page: ask.ID,
		Label: label, Reason: ask.Reason})
}

// ProposeSample proposes a sample in the same way.
func (s *Service) ProposeSample(ctx context.Context, agent string, ask ProposePage) (Proposed, error) {
	return s.propose(ctx, agent, decisions.Proposal{Kind: decisions.ProposeSample, URL: ask.URL, Page: ask.ID,
		Reason: ask.Reason})
}

// ProposeSeed proposes a seed in the same way. It sends no request.
func (s *Service) ProposeSeed(ctx context.Context, agent string, ask ProposeSeed) (Proposed, error) {
	return s.propose(ctx, agent, decisions.Proposal{Kind: decisions.ProposeSeed, URL: ask.URL, Reason: ask.Reason})
}

// propose lets a proposal wait: in the log of a live workspace, else in the drop box.
func (s *Service) propose(ctx context.Context, agent string, p decisions.Proposal) (out Proposed, err error) {
	if _, known := ctx.Value(actorKey{}).(auth.Actor); !known {
		ctx = WithActor(ctx, auth.Actor{Name: decisions.AgentName(agent), Role: auth.Analyst, Remote: true})
	}
	err = s.use(ctx, func(e *crawl.Engine, at time.Time) error {
		p, err := e.Topic.CheckProposal(p)
		if err != nil {
			return err
		}
		out = Proposed{AsOf: at, URL: p.URL, Title: p.Title, State: "it waits for a person in the workbench"}
		if s.live {
			return e.Topic.ProposeDecision(p)
		}
		if !store.Held(s.dir) {
			out.State = "it waits in the drop box until the workspace is opened, and then for a person"
		}
		return decisions.DropProposal(s.dir, p)
	})
	return out, err
}
