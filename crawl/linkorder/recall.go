package linkorder

import (
	"bytes"
	"encoding/binary"

	"angler/store"
)

// historyPages bounds how many stored pages a strategy learns again from.
const historyPages = 5_000

// Recall gives the strategy in force its stored knowledge, or lets it learn again
// from the stored pages.
func (o *Priorities) Recall() error { return o.recall(o.now()) }

func (o *Priorities) recall(s Strategy) error {
	if k, keeps := s.(Persistent); keeps {
		state := o.Store.State(store.OrderState(o.Decisions.Topic))
		if rest, ours := bytes.CutPrefix(state, o.stamp(s)); ours && k.Load(rest) == nil {
			o.recalled.Store(true)
			return nil
		}
	}
	err := o.relearn(s)
	if err == nil {
		o.recalled.Store(true)
	}
	return err
}

// Save stores what the strategy knows, but for two cases. A strategy that has
// not recalled anything (a harvest ranks no links) would overwrite what is
// stored, and one that is still learning a changed topic would be stored under
// the wrong stamp.
func (o *Priorities) Save() error {
	k, keeps := o.now().(Persistent)
	if !keeps || !o.recalled.Load() || o.topics.Load() > 0 {
		return nil
	}
	return o.Store.PutState(store.OrderState(o.Decisions.Topic), append(o.stamp(k), k.Save()...))
}

// stamp names the strategy and the topic that its knowledge was learned under.
func (o *Priorities) stamp(s Strategy) []byte {
	return binary.BigEndian.AppendUint64([]byte(s.Name()+"\n"), o.Decisions.State().Fingerprint)
}

// relearn shows a strategy the stored pages, in the order they were captured,
// with what the topic says of them now.
func (o *Priorities) relearn(s Strategy) error {
	relevant := map[uint64]bool{}
	for _, id := range o.Decisions.Aggregations() {
		relevant[id] = true
	}
	scores := o.Decisions.Index.Scores()
	for _, id := range o.Captured.Latest(historyPages) {
		u, err := o.Store.URL(id)
		if err != nil {
			return err
		}
		if u == nil {
			continue
		}
		score, _ := scores.Of(id)
		f := Fetch{Target: *o.target(u), Verdict: Verdict{Score: score, Relevant: relevant[id]}}
		out, err := o.Store.OutLinks(id)
		if err != nil {
			return err
		}
		err = o.Store.EachURL(out, func(t *store.URL) {
			l := Out{ID: t.ID, URL: t.URL, New: t.Source == id}
			for in := range t.Inlinks {
				if in.Source == id {
					l.Inlink = o.inlink(in)
				}
			}
			f.Out = append(f.Out, l)
		})
		if err != nil {
			return err
		}
		s.Observe(&f)
	}
	return nil
}
