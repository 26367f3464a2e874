package keymap

import "angler/crawl/auth"

// NextStep is the key of Home.
var NextStep = add(Entry{ID: "next_step", Place: Home, Keys: []string{"enter"}, Verb: open,
	Action: auth.Own("next step"), Help: "do the next step: go to its screen, or start its run", Foot: 1})

// Samples.
var (
	Sample = add(Entry{ID: "sample", Place: Samples, Keys: []string{"s"}, Action: auth.Sample,
		Help: "make the page a sample of the topic, or no longer", Foot: 1, Row: true})
	Negative = add(Entry{ID: "negative", Place: Samples, Keys: []string{"!"}, Action: auth.Negative,
		Help: "make the page a negative sample ✗ (not like this: similar to the samples, but not wanted), or no longer",
		Foot: 1, Row: true})
	Probe = add(Entry{ID: "probe", Place: Samples, Keys: []string{"F"}, Action: auth.Probe,
		Help: "sample the sites: fetch a few pages of every seed and stop", Foot: 2})
	AddSample = add(Entry{ID: "add_sample", Place: Samples, Keys: []string{"a"}, Action: auth.AddSample,
		Help: "add a sample by its URL, or from a file", Foot: 5})
	AddNegative = add(Entry{ID: "add_negative", Place: Samples, Keys: []string{"A"}, Action: auth.AddNegative,
		Help: "add a negative sample by its URL, or from a file"})
	Hosts = add(Entry{ID: "samples_host", Place: Samples, Keys: []string{"h"}, Action: auth.Own("host"),
		Help: "show the pages of one host or section only", Foot: 6})
	AllHosts = add(Entry{ID: "samples_all_hosts", Place: Samples, Keys: []string{"esc"}, Verb: back,
		Action: auth.Own("all hosts"), Help: "show the pages of all hosts again", Foot: 58})
)

// Features.
var (
	Switch = add(Entry{ID: "word_switch", Place: Features, Keys: []string{"o"}, Action: auth.Configure.As("on/off"),
		Help: "switch the word off or on", Foot: 1, Row: true})
	AddWord = add(Entry{ID: "word_add", Place: Features, Keys: []string{"a", "+"}, Show: "a +",
		Action: auth.Configure.As("add word"), Help: "add an expert word", Foot: 5})
	Lighter = add(Entry{ID: "word_lighter", Place: Features, Keys: []string{"["}, Verb: step,
		Action: auth.Configure.As("weight"), Help: "lower the word's weight by a tenth", Foot: 6, Row: true})
	Heavier = add(Entry{ID: "word_heavier", Place: Features, Keys: []string{"]"}, Verb: step,
		Action: auth.Configure.As("weight"), Help: "raise the word's weight by a tenth", Foot: 6, Row: true})
	OwnWeight = add(Entry{ID: "word_own_weight", Place: Features, Keys: []string{"="},
		Action: auth.Configure.As("weight 1"), Help: "give the word its own weight back", Row: true})
	TypeWeight = add(Entry{ID: "word_weight", Place: Features, Keys: []string{"w"}, Action: auth.Configure.As("weight"),
		Help: "type the word's weight, as a multiple", Row: true})
	StopWord = add(Entry{ID: "word_stop", Place: Features, Keys: []string{"r"}, Action: auth.StopWord,
		Help: "make the word a stop word: no page is judged by it", Foot: 12, Row: true})
	Scheme = add(Entry{ID: "scheme", Place: Features, Keys: []string{"h"}, Action: auth.Configure.As("scheme"),
		Help: "choose how words are weighed", Foot: 7})
	Norm = add(Entry{ID: "norm", Place: Features, Keys: []string{"p"}, Action: auth.Configure.As("norm"),
		Help: "choose the similarity: its norm, and the vector that pages are compared with", Foot: 8})
	TermsView = add(Entry{ID: "terms", Place: Features, Keys: []string{"t"}, Verb: "terms", Action: auth.Terms,
		Help: "look for domain terms (C-value) to take into the dictionary", Foot: 10})
	UserWord = add(Entry{ID: "user_word", Place: Features, Keys: []string{"W"},
		Action: auth.AcceptTerms.As("user word"), Help: "add a word to the dictionary, so that text is cut by it",
		Foot: 13})
	Words = add(Entry{ID: "words", Place: Features, Keys: []string{"#"}, Action: auth.Configure.As("words"),
		Help: "set m, the number of feature words", Foot: 9})
	LeastWord = add(Entry{ID: "least_weight", Place: Features, Keys: []string{"l"},
		Action: auth.Configure.As("minimal weight"),
		Help:   "set the least weight of a feature word, as a share of the heaviest word's"})
	Gamma = add(Entry{ID: "gamma", Place: Features, Keys: []string{"A"}, Action: auth.Configure.As("gamma"),
		Help: "set γ, how much weight the negative samples take"})
)

// The domain terms over the screen Features.
var (
	AcceptTerms = add(Entry{ID: "terms_accept", Place: Terms, Keys: []string{"a"}, Action: auth.AcceptTerms,
		Help: "terms: make the marked terms words of the dictionary", Foot: 2})
	RejectTerms = add(Entry{ID: "terms_reject", Place: Terms, Keys: []string{"r"}, Action: auth.RejectTerms,
		Help: "terms: reject the marked terms; they are not proposed again", Foot: 3})
	Patterns = add(Entry{ID: "terms_patterns", Place: Terms, Keys: []string{"p"},
		Action: auth.TuneTerms.As("patterns"), Help: "terms: choose between ruled and loose patterns", Foot: 4})
	CValue = add(Entry{ID: "terms_threshold", Place: Terms, Keys: []string{"A"},
		Action: auth.TuneTerms.As("threshold"), Help: "terms: set the C-value that a term must exceed", Foot: 5})
	Corpus = add(Entry{ID: "terms_corpus", Place: Terms, Keys: []string{"w"}, Action: auth.TuneTerms.As("corpus"),
		Help: "terms: choose where terms are looked for: all pages, lists, notices", Foot: 6})
	LookAgain = add(Entry{ID: "terms_look", Place: Terms, Keys: []string{"l"}, Action: auth.Terms.As("look again"),
		Help: "terms: look for terms again", Foot: 7})
	StopLooking = add(Entry{ID: "terms_cancel", Place: Terms, Keys: []string{"esc"}, Verb: back,
		Action: auth.Own("cancel"), Help: "terms: cancel the looking", Foot: 8})
	ToWords = add(Entry{ID: "terms_close", Place: Terms, Keys: []string{"esc"}, Verb: back,
		Action: auth.Own("back to the words"), Help: "terms: back to the feature words", Foot: 9})
	LeaveTerms = add(Entry{ID: "terms_leave", Place: Terms, Keys: []string{"t"}, Action: auth.Own("back"),
		Help: "terms: back to the feature words, while it is being looked for too"})
)

// Threshold.
var (
	Lower = add(Entry{ID: "theta_lower", Place: Threshold, Keys: []string{"[", "left"}, Show: "[", Verb: step,
		Action: auth.Own("coarse"), Help: "lower θ by .01", Foot: 1})
	Raise = add(Entry{ID: "theta_raise", Place: Threshold, Keys: []string{"]", "right"}, Show: "]", Verb: step,
		Action: auth.Own("coarse"), Help: "raise θ by .01", Foot: 1})
	FineLower = add(Entry{ID: "theta_fine_lower", Place: Threshold, Keys: []string{"{"}, Verb: step,
		Action: auth.Own("fine"), Help: "lower θ by .001", Foot: 2})
	FineRaise = add(Entry{ID: "theta_fine_raise", Place: Threshold, Keys: []string{"}"}, Verb: step,
		Action: auth.Own("fine"), Help: "raise θ by .001", Foot: 2})
	TypeTheta = add(Entry{ID: "theta_type", Place: Threshold, Keys: []string{"t"}, Action: auth.Own("type"),
		Help: "type a threshold", Foot: 5})
	Otsu = add(Entry{ID: "theta_otsu", Place: Threshold, Keys: []string{"o"}, Action: auth.Own("otsu"),
		Help: "go to Otsu's threshold", Foot: 6})
	LeaveOne = add(Entry{ID: "theta_leave_one_out", Place: Threshold, Keys: []string{"l"},
		Action: auth.Own("leave-one-out"), Help: "go to the lowest leave-one-out score of the samples", Foot: 8})
	BestF1 = add(Entry{ID: "theta_best", Place: Threshold, Keys: []string{"b"}, Action: auth.Own("best F1"),
		Help: "go to the threshold with the best F1 on the labels", Foot: 6})
	Apply = add(Entry{ID: "theta_apply", Place: Threshold, Keys: []string{"a"}, Action: auth.Configure.As("apply"),
		Help: "apply the threshold to the crawl", Foot: 3})
	PutBack = add(Entry{ID: "theta_back", Place: Threshold, Keys: []string{"esc"}, Verb: back,
		Action: auth.Own("back"), Help: "put θ back where it was", Foot: 4})
	Automatic = add(Entry{ID: "theta_auto", Place: Threshold, Keys: []string{"A"},
		Action: auth.Configure.As("automatic"), Help: "let the program choose θ again", Foot: 7})
)

// Label, and the measures that Features and Label share.
var (
	Skip = add(Entry{ID: "skip", Place: Label, Keys: []string{"l"}, Action: auth.Own("later"),
		Help: "leave the page for later: go on to the next without a label", Foot: 4, Row: true})
	Batch = add(Entry{ID: "label_batch", Place: Label, Keys: []string{"B"}, Action: auth.LabelMany,
		Help: "label all pages of a host, or with URLs of one shape", Foot: 19})
	Assistants = add(Entry{ID: "proposals", Place: Label, Keys: []string{"o"}, Action: auth.Own("proposals"),
		Help: "answer what assistants propose: labels, samples and seeds", Foot: 22})
	Judge = add(Entry{ID: "judge", Place: Label, Keys: []string{"L"}, Action: auth.Judge,
		Help: "let the learner decide instead of the rule, and back", Foot: 21})
	Evaluate = add(Entry{ID: "evaluate", Place: Label, Keys: []string{"E"}, Verb: "evaluate",
		Action: auth.Own("evaluate"), Help: "measure every scheme and the learner on the labels", Foot: 20})
	EvaluateWords = add(Entry{ID: "evaluate_words", Place: Features, Keys: []string{"E"}, Verb: "evaluate",
		Action: auth.Own("evaluate"), Help: "measure every scheme and the learner on the labels", Foot: 20})
)
