package config

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Field is a field of notices that an analyst defines: [[fields]] in angler.toml. It replaces a
// preset field of the same name.
type Field struct {
	Name    string   `toml:"name" comment:"name in filters and exports, e.g. warranty"`
	Title   string   `toml:"title,omitempty" comment:"heading of its column"`
	Type    string   `toml:"type,omitempty" comment:"text, money, time, number, choice, org, person, phone"`
	Labels  []string `toml:"labels,omitempty" comment:"labels that precede its values in tables and lines"`
	Choices []string `toml:"choices,omitempty" comment:"allowed values if type is choice"`
}

// fieldTypes are the types of fields.
var fieldTypes = []string{"text", "money", "time", "number", "choice", "org", "person", "phone"}

// fieldTopics are the values of harvest.fields.
var fieldTopics = []string{"tenders", "jobs", "prices", "none"}

const (
	maxFields = 64 // fields of one workspace
	maxLabels = 64 // labels of one field
)

var fieldName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,39}$`)

// checkFields reports the first invalid field.
func (s *Settings) checkFields() error {
	if len(s.Fields) > maxFields {
		return fmt.Errorf("%d fields are more than %d", len(s.Fields), maxFields)
	}
	seen := map[string]int{}
	for i, f := range s.Fields {
		which := fmt.Sprintf("field %d", i+1)
		if f.Name != "" {
			which += fmt.Sprintf(" (%.40q)", f.Name)
		}
		switch {
		case !fieldName.MatchString(f.Name):
			return fmt.Errorf("%s: name must be a small letter and then small letters, digits and _, at most 40", which)
		case seen[f.Name] > 0:
			return fmt.Errorf("%s: field %d has the same name; merge them", which, seen[f.Name])
		case f.Type != "" && !slices.Contains(fieldTypes, f.Type):
			return fmt.Errorf("%s: type %.40q is none of %s", which, f.Type, strings.Join(fieldTypes, ", "))
		case len(f.Labels) == 0:
			return fmt.Errorf(`%s: no labels; name what stands before its values, e.g. labels = ["质保期"]`, which)
		case len(f.Labels) > maxLabels:
			return fmt.Errorf("%s: %d labels are more than %d", which, len(f.Labels), maxLabels)
		case f.Type == "choice" && len(f.Choices) == 0:
			return fmt.Errorf(`%s: a choice needs its values, e.g. choices = ["是", "否"]`, which)
		case f.Type != "choice" && len(f.Choices) > 0:
			return fmt.Errorf(`%s: choices go with type = "choice" only`, which)
		}
		for _, l := range append(slices.Clone(f.Labels), f.Choices...) {
			if l = strings.TrimSpace(l); len([]rune(l)) < 2 && f.Type != "choice" || l == "" || len([]rune(l)) > 25 {
				return fmt.Errorf("%s: %.60q is no label: it has 2 to 25 characters", which, l)
			}
		}
		seen[f.Name] = i + 1
	}
	return nil
}
