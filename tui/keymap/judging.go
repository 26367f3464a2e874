package keymap

import "angler/crawl/auth"

// NextStep is the key of Home.
var NextStep = add(Home, "next_step", "enter", Entry{Verb: open, Action: auth.Own("next step"),
	Help: "do the next step: go to its screen, or start its run", Foot: 1})

// Samples.
var (
	Sample = add(Samples, "sample", "s", Entry{Action: auth.Sample,
		Help: "make the page a sample of the topic, or no longer", Foot: 1, Row: true})
	Negative = add(Samples, "negative", "!", Entry{Action: auth.Negative,
		Help: "make the page a negative sample ✗ (not like this: similar to the samples, but not wanted), or no longer",
		Foot: 1, Row: true})
	Probe = add(Samples, "probe", "F", Entry{Action: auth.Probe,
		Help: "sample the sites: fetch a few pages of every seed and stop", Foot: 2})
	AddSample = add(Samples, "add_sample", "a", Entry{Action: auth.AddSample,
		Help: "add a sample by its URL, or from a file", Foot: 5})
	AddNegative = add(Samples, "add_negative", "A", Entry{Action: auth.AddNegative,
		Help: "add a negative sample by its URL, or from a file"})
	Hosts = add(Samples, "samples_host", "h", Entry{Action: auth.Own("host"),
		Help: "show the pages of one host or section only", Foot: 6})
	AllHosts = add(Samples, "samples_all_hosts", "esc", Entry{Verb: back, Action: auth.Own("all hosts"),
		Help: "show the pages of all hosts again", Foot: 58})
)

// Features.
var (
	Switch = add(Features, "word_switch", "o", Entry{Action: auth.Configure.As("on/off"),
		Help: "switch the word off or on", Foot: 1, Row: true})
	AddWord = add(Features, "word_add", "a +", Entry{Show: "a +", Action: auth.Configure.As("add word"),
		Help: "add an expert word", Foot: 5})
	Lighter = add(Features, "word_lighter", "[", Entry{Verb: step, Action: auth.Configure.As("weight"),
		Help: "lower the word's weight by a tenth", Foot: 6, Row: true})
	Heavier = add(Features, "word_heavier", "]", Entry{Verb: step, Action: auth.Configure.As("weight"),
		Help: "raise the word's weight by a tenth", Foot: 6, Row: true})
	OwnWeight = add(Features, "word_own_weight", "=", Entry{Action: auth.Configure.As("weight 1"),
		Help: "give the word its own weight back", Row: true})
	TypeWeight = add(Features, "word_weight", "w", Entry{Action: auth.Configure.As("weight"),
		Help: "type the word's weight, as a multiple", Row: true})
	StopWord = add(Features, "word_stop", "r", Entry{Action: auth.StopWord,
		Help: "make the word a stop word: no page is judged by it", Foot: 12, Row: true})
	Scheme = add(Features, "scheme", "h", Entry{Action: auth.Configure.As("scheme"),
		Help: "choose how words are weighed", Foot: 7})
	Norm = add(Features, "norm", "p", Entry{Action: auth.Configure.As("norm"),
		Help: "choose the similarity: its norm, and the vector that pages are compared with", Foot: 8})
	TermsView = add(Features, "terms", "t", Entry{Verb: "terms", Action: auth.Terms,
		Help: "look for domain terms (C-value) to take into the dictionary", Foot: 10})
	UserWord = add(Features, "user_word", "W", Entry{Action: auth.AcceptTerms.As("user word"),
		Help: "add a word to the dictionary, so that text is cut by it", Foot: 13})
	Words = add(Features, "words", "#", Entry{Action: auth.Configure.As("words"),
		Help: "set m, the number of feature words", Foot: 9})
	LeastWord = add(Features, "least_weight", "l", Entry{Action: auth.Configure.As("minimal weight"),
		Help: "set the least weight of a feature word, as a share of the heaviest word's"})
	Gamma = add(Features, "gamma", "A", Entry{Action: auth.Configure.As("gamma"),
		Help: "set γ, how much weight the negative samples take"})
)

// The domain terms over the screen Features.
var (
	AcceptTerms = add(Terms, "terms_accept", "a", Entry{Action: auth.AcceptTerms,
		Help: "terms: make the marked terms words of the dictionary", Foot: 2})
	RejectTerms = add(Terms, "terms_reject", "r", Entry{Action: auth.RejectTerms,
		Help: "terms: reject the marked terms; they are not proposed again", Foot: 3})
	Patterns = add(Terms, "terms_patterns", "p", Entry{Action: auth.TuneTerms.As("patterns"),
		Help: "terms: choose between ruled and loose patterns", Foot: 4})
	CValue = add(Terms, "terms_threshold", "A", Entry{Action: auth.TuneTerms.As("threshold"),
		Help: "terms: set the C-value that a term must exceed", Foot: 5})
	Corpus = add(Terms, "terms_corpus", "w", Entry{Action: auth.TuneTerms.As("corpus"),
		Help: "terms: choose where terms are looked for: all pages, lists, notices", Foot: 6})
	LookAgain = add(Terms, "terms_look", "l", Entry{Action: auth.Terms.As("look again"),
		Help: "terms: look for terms again", Foot: 7})
	StopLooking = add(Terms, "terms_cancel", "esc", Entry{Verb: back, Action: auth.Own("cancel"),
		Help: "terms: cancel the looking", Foot: 8})
	ToWords = add(Terms, "terms_close", "esc", Entry{Verb: back, Action: auth.Own("back to the words"),
		Help: "terms: back to the feature words", Foot: 9})
	LeaveTerms = add(Terms, "terms_leave", "t", Entry{Action: auth.Own("back"),
		Help: "terms: back to the feature words, while it is being looked for too"})
)

// Threshold.
var (
	Lower = add(Threshold, "theta_lower", "[ left", Entry{Verb: step, Action: auth.Own("coarse"),
		Help: "lower θ by .01", Foot: 1})
	Raise = add(Threshold, "theta_raise", "] right", Entry{Verb: step, Action: auth.Own("coarse"),
		Help: "raise θ by .01", Foot: 1})
	FineLower = add(Threshold, "theta_fine_lower", "{", Entry{Verb: step, Action: auth.Own("fine"),
		Help: "lower θ by .001", Foot: 2})
	FineRaise = add(Threshold, "theta_fine_raise", "}", Entry{Verb: step, Action: auth.Own("fine"),
		Help: "raise θ by .001", Foot: 2})
	TypeTheta = add(Threshold, "theta_type", "t", Entry{Action: auth.Own("type"), Help: "type a threshold", Foot: 5})
	Otsu      = add(Threshold, "theta_otsu", "o", Entry{Action: auth.Own("otsu"),
		Help: "go to Otsu's threshold", Foot: 6})
	LeaveOne = add(Threshold, "theta_leave_one_out", "l", Entry{Action: auth.Own("leave-one-out"),
		Help: "go to the lowest leave-one-out score of the samples", Foot: 8})
	BestF1 = add(Threshold, "theta_best", "b", Entry{Action: auth.Own("best F1"),
		Help: "go to the threshold with the best F1 on the labels", Foot: 6})
	Apply = add(Threshold, "theta_apply", "a", Entry{Action: auth.Configure.As("apply"),
		Help: "apply the threshold to the crawl", Foot: 3})
	PutBack = add(Threshold, "theta_back", "esc", Entry{Verb: back, Action: auth.Own("back"),
		Help: "put θ back where it was", Foot: 4})
	Automatic = add(Threshold, "theta_auto", "A", Entry{Action: auth.Configure.As("automatic"),
		Help: "let the program choose θ again", Foot: 7})
)

// Label, and the measures that Features and Label share.
var (
	Skip = add(Label, "skip", "l", Entry{Action: auth.Own("later"),
		Help: "leave the page for later: go on to the next without a label", Foot: 4, Row: true})
	Batch = add(Label, "label_batch", "B", Entry{Action: auth.LabelMany,
		Help: "label all pages of a host, or with URLs of one shape", Foot: 19})
	Assistants = add(Label, "proposals", "o", Entry{Action: auth.Own("proposals"),
		Help: "answer what assistants propose: labels, samples and seeds", Foot: 22})
	Judge = add(Label, "judge", "L", Entry{Action: auth.Judge,
		Help: "let the learner decide instead of the rule, and back", Foot: 21})
	Evaluate = add(Label, "evaluate", "E", Entry{Verb: "evaluate", Action: auth.Own("evaluate"),
		Help: "measure every scheme and the learner on the labels", Foot: 20})
	EvaluateWords = add(Features, "evaluate_words", "E", Entry{Verb: "evaluate", Action: auth.Own("evaluate"),
		Help: "measure every scheme and the learner on the labels", Foot: 20})
)
