package benchtest

import (
	"errors"
	"fmt"
	"maps"

	"angler/topic"
)

// This file is what the analyst does: samples, settings, labels, undo.

func (b *Bench) remember(what string) {
	b.undo = append(b.undo, b.now(what))
	b.redo = nil
}

func (b *Bench) now(what string) change {
	return change{what: what, conf: b.conf, sample: maps.Clone(b.sample), negative: maps.Clone(b.negative), label: maps.Clone(b.label),
		accepted: maps.Clone(b.accepted), uses: b.uses, rules: b.rules}
}

// ToggleSample implements parts.Topic.
func (b *Bench) ToggleSample(id uint64) (bool, error) {
	return b.toggle("ToggleSample", "sample", id, &b.sample, &b.negative)
}

// ToggleNegative implements parts.Topic.
func (b *Bench) ToggleNegative(id uint64) (bool, error) {
	return b.toggle("ToggleNegative", "negative sample", id, &b.negative, &b.sample)
}

// toggle takes the sets by their places, which undo changes.
func (b *Bench) toggle(name, what string, id uint64, marks, others *map[uint64]bool) (bool, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.called(name); err != nil {
		return false, err
	}
	b.remember(fmt.Sprintf("%s %d", what, id))
	on := !(*marks)[id]
	delete(*others, id)
	delete(*marks, id)
	if on {
		(*marks)[id] = true
	}
	b.rebuild()
	b.publish(nil)
	return on, nil
}

// Config implements parts.Topic.
func (b *Bench) Config() topic.Config { b.mu.Lock(); defer b.mu.Unlock(); return b.conf }

// ChangeConfig implements parts.Topic.
func (b *Bench) ChangeConfig(change func(*topic.Config) string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.called("ChangeConfig"); err != nil {
		return err
	}
	c := b.conf.Clone()
	b.remember(change(&c))
	b.conf = c
	b.rebuild()
	b.publish(nil)
	return nil
}

// Features implements parts.Topic.
func (b *Bench) Features() []topic.Feature {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.Calls["Features"]++
	if b.model == nil {
		return nil
	}
	return b.model.Features(0)
}

// Scores implements parts.Topic.
func (b *Bench) Scores() *topic.Scores {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.model == nil {
		return &topic.Scores{}
	}
	return b.index.Scores()
}

// SetLabel implements parts.Labels.
func (b *Bench) SetLabel(id uint64, l topic.Label) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.called("SetLabel"); err != nil {
		return err
	}
	b.remember("label " + string(l))
	if l == topic.NoLabel {
		delete(b.label, id)
	} else {
		b.label[id] = l
	}
	b.rebuild()
	b.publish(nil)
	return nil
}

// Label returns a page's label, and IsSample whether it is a sample.
func (b *Bench) Label(id uint64) topic.Label { b.mu.Lock(); defer b.mu.Unlock(); return b.label[id] }

// IsSample reports whether the page is a sample.
func (b *Bench) IsSample(id uint64) bool { b.mu.Lock(); defer b.mu.Unlock(); return b.sample[id] }

// IsNegative reports whether the page is a negative sample.
func (b *Bench) IsNegative(id uint64) bool { b.mu.Lock(); defer b.mu.Unlock(); return b.negative[id] }

var errNothing = errors.New("nothing to undo")

// Undo implements parts.Topic.
func (b *Bench) Undo() (string, error) { return b.back("Undo", &b.undo, &b.redo) }

// Redo implements parts.Topic.
func (b *Bench) Redo() (string, error) { return b.back("Redo", &b.redo, &b.undo) }

func (b *Bench) back(name string, from, to *[]change) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.called(name); err != nil {
		return "", err
	}
	if len(*from) == 0 {
		return "", errNothing
	}
	c := (*from)[len(*from)-1]
	*from = (*from)[:len(*from)-1]
	*to = append(*to, b.now(c.what))
	b.conf, b.sample, b.negative, b.label, b.accepted, b.uses, b.rules = c.conf, c.sample, c.negative, c.label, c.accepted, c.uses, c.rules
	b.rebuild()
	b.publish(b.steered)
	return c.what, nil
}
