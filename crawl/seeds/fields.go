package seeds

import (
	"cmp"
	"fmt"
	"slices"

	"angler/crawl/fields"
	"angler/store/config"
)

// noFields says in harvest.fields that notices have no preset fields.
const noFields = "none"

// FieldsOf is harvest.fields of a kind of notices; words chosen by hand tell none.
func FieldsOf(kind string) string {
	switch {
	case slices.Contains(fields.Topics(), kind):
		return kind
	case kind == AllNotices:
		return noFields
	}
	return ""
}

// FieldTopic tells whose fields the notices of a workspace have: what harvest.fields
// says, else the kind whose patterns they are chosen by, else what the name tells.
// noFields when nothing does.
func FieldTopic(s *config.Settings) string {
	if s.Harvest.Fields != "" {
		return s.Harvest.Fields
	}
	if kind := KindOfPatterns(s.Harvest.Patterns); kind != "" && !slices.Equal(s.Harvest.Patterns, config.TenderPatterns) {
		return kind
	}
	if kind := KindOf(s.Name); kind != AllNotices {
		return kind
	}
	return cmp.Or(KindOfPatterns(s.Harvest.Patterns), noFields)
}

// KindOfPatterns is the kind of notices that title patterns choose; "" for an analyst's
// own.
func KindOfPatterns(list []string) string {
	for _, kind := range fields.Topics() {
		if slices.Equal(list, patterns[kind]) {
			return kind
		}
	}
	if slices.Equal(list, config.TenderPatterns) {
		return Tenders
	}
	return ""
}

// FieldSet returns the fields of a topic, or none for noFields, with an analyst's own
// behind them.
func FieldSet(topic string, own []config.Field) (*fields.Set, error) {
	set := fields.NewSet(nil)
	if topic != noFields {
		var err error
		if set, err = fields.Preset(topic); err != nil {
			return nil, fmt.Errorf("%w, %s", err, noFields)
		}
	}
	if len(own) == 0 {
		return set, nil
	}
	more := make([]fields.Field, len(own))
	for i, f := range own {
		more[i] = fields.Field{Name: f.Name, Title: f.Title, Type: fields.Type(f.Type), Labels: f.Labels, Choices: f.Choices}
	}
	return set.With(more), nil
}

// ReadFieldSet returns the fields of a topic and those of the workspace in dir behind
// them, which names the topic where none is given. Without either they are those of
// tenders.
func ReadFieldSet(topic, dir string) (*fields.Set, error) {
	var own []config.Field
	if dir != "" {
		s, err := config.Read(dir)
		if err != nil {
			return nil, err
		}
		own, topic = s.Fields, cmp.Or(topic, FieldTopic(&s))
	}
	return FieldSet(cmp.Or(topic, fields.Tenders), own)
}
