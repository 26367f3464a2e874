package linkorder

import (
	"bytes"
	"encoding/binary"

	"angler/store"
)

// historyPages is the maximum number of stored pages to learn from again.
const historyPages = 5_000

// Recall loads the stored knowledge of the active strategy, or trains it with the stored pages.
func (o *Priorities) Recall() error { return o.recall(o.now()) }

func (o *Priorities) recall(s Strategy) error {
	if k, keeps := s.(persistent); keeps {
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

// Save stores the strategy's knowledge, except in two cases. A strategy that recalled nothing (a harvest ranks no
// links) would overwrite stored knowledge. One that still learns a changed topic would get the wrong stamp.
func (o *Priorities) Save() error {
	k, keeps := o.now().(persistent)
	if !keeps || !o.recalled.Load() || o.topics.Load() > 0 {
		return nil
	}
	return o.Store.PutState(store.OrderState(o.Decisions.Topic), append(o.stamp(k), k.Save()...))
}

// stamp identifies the strategy and the topic of its knowledge.
func (o *Priorities) stamp(s Strategy) []byte {
	return binary.BigEndian.AppendUint64([]byte(s.Name()+"\n"), o.Decisions.State().Fingerprint)
}

// relearn trains a strategy with the stored pages in capture order, with their present scores.
func (o *Priorities) relearn(s Strategy) error {
	relevant := o.Decisions.Lists()
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
