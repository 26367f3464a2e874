package decisions

import (
	"reflect"
	"testing"

	"angler/store"
	"angler/topic"
)

// A change of each kind, and its undo, reports exactly the part of the State that it changes.
func TestEffects(t *testing.T) {
	for kind, c := range map[string]struct {
		key   string
		value any
		want  Effects
		undo  Effects // if it differs from want
	}{
		kindSample:   {key: "http://a.test/list", value: SampleRow{URL: "http://a.test/list"}, want: Effects{Model: true}},
		kindNegative: {key: "http://a.test/list", value: SampleRow{URL: "http://a.test/list"}, want: Effects{Model: true}},
		kindLabel:    {key: "7", value: labelValue{Label: topic.Yes}, want: Effects{Labels: true}},
		kindTopic:    {key: keyConfig, value: topic.Default(), want: Effects{Model: true}},
		kindRule:     {key: "/news/", value: Rule{Pattern: "/news/", Action: Drop}, want: Effects{Rules: true}},
		kindWord:     {key: "招标", value: wordValue{}, want: Effects{Words: true}},
		kindStop:     {key: "公司", value: wordValue{}, want: Effects{Words: true}},
		kindReject:   {key: "首页", value: wordValue{}},
		kindSeed:     {key: "a.test", value: seedVerdict{Accepted: true}, want: Effects{Seeds: true}},
		kindRecipe: {key: "r1", value: recipeVerdict{State: RecipeAccepted}, want: Effects{Recipes: []RecipeTurn{{"r1", "", RecipeAccepted}}},
			undo: Effects{Recipes: []RecipeTurn{{"r1", RecipeAccepted, ""}}}},
		kindWorker:   {key: "w1", value: workerOrder{State: WorkerBanned}, want: Effects{Workers: true}},
		kindStar:     {key: "7", value: noticeValue{}},
		kindDone:     {key: "7", value: noticeValue{}},
		kindNote:     {key: "7", value: noticeValue{Text: "来电"}},
		kindVerdict:  {key: "7", value: noticeValue{Label: topic.No}},
		kindView:     {key: "近期", value: SavedView{Query: "new"}},
		kindMute:     {key: "7", value: noticeValue{Text: "late"}, want: Effects{Mutes: true}},
		kindValue:    {key: "7/budget", value: Correction{}, want: Effects{Values: []uint64{7}}},
		kindApart:    {key: "7", value: noticeValue{}, want: Effects{Kin: true}},
		kindAlone:    {key: "7", value: noticeValue{}, want: Effects{Kin: true}},
		kindProposal: {key: "label/7", value: Proposal{Kind: ProposeLabel}},
		kindJoined:   {key: "7", value: noticeValue{To: 8}, want: Effects{Kin: true}},
	} {
		set := store.Set(1, kind, c.key, c.value)
		empty := &State{Topic: 1, Config: topic.Default(), Labels: map[uint64]topic.Label{}}
		done, got, err := empty.with([]store.Change{set})
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, %v; want %+v", kind, got, err, c.want)
		}
		if reflect.DeepEqual(c.undo, Effects{}) {
			c.undo = c.want
		}
		_, got, err = done.with([]store.Change{{Topic: 1, Kind: kind, Key: c.key, Before: set.After}})
		if err != nil || !reflect.DeepEqual(got, c.undo) {
			t.Errorf("undo of %s: %+v, %v; want %+v", kind, got, err, c.undo)
		}
	}
	if len(kinds) != 22 {
		t.Errorf("%d kinds; this test knows 22", len(kinds))
	}
}
