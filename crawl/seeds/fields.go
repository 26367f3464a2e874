package seeds

import (
	"cmp"
	"fmt"
	"slices"

	"angler/crawl/fields"
	"angler/store/config"
)

// noFields is the value of harvest.fields without preset fields.
const noFields = "none"

// FieldsOf returns harvest.fields for a kind of notices; "" for chosen words.
func FieldsOf(kind string) string {
	switch {
	case slices.Contains(fields.Topics(), kind):
		return kind
	case kind == AllNotices:
		return noFields
	}
	return ""
}

// FieldTopic returns the topic of a workspace's notice fields: harvest.fields, else the kind of its patterns, else
// the kind of its name, else noFields.
func FieldTopic(s *config.Settings) string {
	if s.Harvest.Fields != "" {
		return s.Harvest.Fields
	}
	if kind := KindOfPatterns(s.Harvest.Patterns); kind != "" &&
		!slices.Equal(s.Harvest.Patterns, config.TenderPatterns) {
		return kind
	}
	if kind := KindOf(s.Name); kind != AllNotices {
		return kind
	}
	return cmp.Or(KindOfPatterns(s.Harvest.Patterns), noFields)
}

// KindOfPatterns returns the kind of notices with these title patterns; "" for an analyst's own patterns.
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

// FieldSet returns the fields of a topic, none for noFields, followed by an analyst's own.
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
		more[i] = fields.Field{Name: f.Name, Title: f.Title, Type: fields.Type(f.Type), Labels: f.Labels,
			Choices: f.Choices}
	}
	return set.With(more), nil
}

// ReadFieldSet returns the fields of a topic, followed by those of the workspace in dir. An empty topic means the
// workspace's, and tenders without a workspace.
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
