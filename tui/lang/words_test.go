package lang

import "testing"

// What two maps translate, they translate alike: else a new text changes an old screen.
func TestNoTextHasTwoTranslations(t *testing.T) {
	known := map[string]string{}
	for _, words := range []map[string]string{zhWords, zhScreens, zhKeys, zhRuns, zhPast, zhHome, zhReading, zhFiles, zhFigures, zhMeaning, zhFields, zhTold, zhDoors, zhRender, zhSeeds, zhRecipes} {
		for text, zh := range words {
			if was, ok := known[text]; ok && was != zh {
				t.Errorf("%q is %s and %s", text, was, zh)
			}
			known[text] = zh
		}
	}
	if len(known) < 1000 {
		t.Errorf("only %d texts were seen", len(known))
	}
}
