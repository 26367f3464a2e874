package api

import (
	"context"
	"slices"
	"time"

	"angler/crawl"
)

// maxFilters bounds the saved filters and the fields in a FilterGuide.
const maxFilters = 30

// FilterGuide lists what a filter can ask, and the filters that the team saved.
type FilterGuide struct {
	AsOf      time.Time     `json:"as_of"`
	Workspace string        `json:"workspace"`
	Terms     []FilterTerm  `json:"terms"`
	Saved     []SavedFilter `json:"saved" jsonschema:"filters that people saved, the oldest first"`
	Fields    []FieldInfo   `json:"fields" jsonschema:"fields of notices in rows, in their order"`
}

// FilterTerm is one field of the filter language.
type FilterTerm struct {
	Name    string `json:"name"`
	Chinese string `json:"chinese" jsonschema:"its Chinese name, which means the same"`
	Help    string `json:"help" jsonschema:"an example with a short explanation"`
}

// SavedFilter is a filter with a name.
type SavedFilter struct {
	Name   string `json:"name"`
	Filter string `json:"filter"`
	By     string `json:"by"`
}

// FieldInfo describes a field of notices.
type FieldInfo struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	English string `json:"english"`
	Type    string `json:"type,omitempty" jsonschema:"money, time, number, choice, org, person, phone; missing for texts"`
}

// FilterGuide returns the guide. Its cost does not grow with the workspace.
func (s *Service) FilterGuide(ctx context.Context) (out FilterGuide, err error) {
	err = s.use(ctx, func(e *crawl.Engine, at time.Time) error {
		out = FilterGuide{AsOf: at, Workspace: e.Snapshot().Workspace, Saved: []SavedFilter{}, Fields: []FieldInfo{}}
		for _, f := range e.Inbox.FilterFields() {
			out.Terms = append(out.Terms, FilterTerm{f[0], f[3], f[1]})
		}
		for _, v := range e.Inbox.Views() {
			if len(out.Saved) < maxFilters {
				out.Saved = append(out.Saved, SavedFilter{line(v.Name), v.Query, line(v.By)})
			}
		}
		for _, f := range e.Facts.Fields() {
			if len(out.Fields) < maxFilters && !slices.Contains(minorFields, f.Name) {
				out.Fields = append(out.Fields, FieldInfo{f.Name, f.Heading(false), f.Heading(true), string(f.Type)})
			}
		}
		return nil
	})
	return out, err
}
