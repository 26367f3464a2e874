package records

import (
	"reflect"
	"testing"

	"angler/store/schema"
	"angler/store/sealed"
)

// Answers are read as stored, with the tokens of the day. A notice that was removed gets none.
func TestAnswers(t *testing.T) {
	db := open(t)
	if list, use, err := ReadAnswers(db); len(list) != 0 || use != (AssistantUse{}) || err != nil {
		t.Fatalf("before the first: %+v, %+v, %v", list, use, err)
	}
	noticed(t, db, 3, 700)
	answer := func(id uint64, said string) *Answer {
		return &Answer{ID: id, Said: said, Quote: "桥梁工程", Model: "small", Question: 1 << 63, Version: 7, Sent: 9, At: start}
	}
	use := AssistantUse{Day: "2026-11-20", Tokens: 900, Answers: 2, Discarded: 1}
	must(t, PutAnswer(db, answer(700, SaidNo), AssistantUse{Day: "2026-11-19", Tokens: 1 << 40}))
	must(t, PutAnswer(db, answer(3, SaidUnsure), AssistantUse{Day: "2026-11-20", Tokens: 300, Answers: 1}))
	must(t, PutAnswer(db, answer(3, SaidYes), use)) // a later answer replaces it
	must(t, PutAnswer(db, answer(4, SaidYes), use)) // of no notice
	check := func(what string, use AssistantUse, want ...*Answer) {
		t.Helper()
		if list, got, err := ReadAnswers(db); !reflect.DeepEqual(list, want) || got != use || err != nil {
			t.Errorf("%s: %+v, %+v, %v", what, list, got, err)
		}
	}
	check("stored", use, answer(3, SaidYes), answer(700, SaidNo))
	use.Tokens = 1000 // of a question that failed
	must(t, PutAnswer(db, nil, use))
	check("counted", use, answer(3, SaidYes), answer(700, SaidNo))
	must(t, db.Write(func(tx sealed.Tx) error {
		if err := tx.Bucket(schema.Notices).Delete(idKey(700)); err != nil {
			return err
		}
		return tx.Bucket(AnswersBucket).Delete(idKey(700))
	}))
	must(t, PutAnswer(db, answer(700, SaidYes), use)) // the model answers after the removal
	check("removed", use, answer(3, SaidYes))
}

// A damaged row counts as missing, and as damage.
func TestDamagedAnswers(t *testing.T) {
	db := open(t)
	noticed(t, db, 1, 2)
	good := &Answer{ID: 2, Said: SaidNo, At: start}
	use := AssistantUse{Day: "2026-11-20", Tokens: 5}
	must(t, PutAnswer(db, good, use))
	put := func(bucket, key []byte, value string) {
		t.Helper()
		must(t, db.Write(func(tx sealed.Tx) error { return tx.Bucket(bucket).Put(key, []byte(value)) }))
	}
	for _, v := range []string{"", "x", "{}", `{"said":"maybe"}`, `{"said":1}`, `{"said":"yes","question":-1}`} {
		if answers.Check(idKey(1), []byte(v)) == nil {
			t.Errorf("the answer %q is sound", v)
		}
		put(AnswersBucket, idKey(1), v)
		if list, got, err := ReadAnswers(db); len(list) != 1 || list[0].ID != 2 || got != use || err != nil {
			t.Errorf("%q decodes to %+v, %+v, %v", v, list, got, err)
		}
	}
	for _, key := range [][]byte{nil, []byte("use"), idKey(0), append(idKey(1), 0)} {
		if answers.Check(key, []byte(`{"said":"yes"}`)) == nil {
			t.Errorf("the key %x is sound", key)
		}
	}
	if n := db.Tally.Len(); n != 1 {
		t.Errorf("%d damaged rows are counted", n)
	}
	if assistantUse.Check([]byte("other"), []byte(`{}`)) == nil {
		t.Error("another key is sound")
	}
	for _, v := range []string{"", "[]", `{"tokens":-1}`, `{"tokens":"many"}`} {
		put(assistantBucket, []byte("use"), v)
		if list, got, err := ReadAnswers(db); got != (AssistantUse{}) || len(list) != 1 || err != nil {
			t.Errorf("the tokens %q decode to %+v, %v", v, got, err)
		}
	}
	if n := db.Tally.Len(); n != 2 {
		t.Errorf("%d damaged rows are counted", n)
	}
	must(t, PutAnswer(db, &Answer{ID: 1, Said: SaidYes, At: start}, use)) // a new answer repairs the row
	if list, got, err := ReadAnswers(db); len(list) != 2 || got != use || err != nil {
		t.Errorf("after the repair: %+v, %+v, %v", list, got, err)
	}
}
