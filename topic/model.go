package topic

// Label is an analyst's verdict on one page.
type Label string

// The verdicts; NoLabel means nobody has judged the page.
const (
	NoLabel Label = ""
	Yes     Label = "yes"
	No      Label = "no"
	Unsure  Label = "unsure"
)

// Term is one word of a page: its id in the lexicon and how often it occurs.
type Term struct{ ID, N uint32 }

// Vector is a page's term counts, sorted by ID, each ID once, N ≥ 1.
type Vector []Term

// Doc is all the topic knows of one page.
type Doc struct {
	Full    Vector // terms of all visible text (P0, P1, P3)
	List    Vector // terms of T(p) = <title> + titles of the page's records
	Records int    // entries of the best record group
	Dated   int    // of those, with a date

	// For the learner alone (Index.Learn); the schemes do not look at them.
	URL  string  // canonical
	Beta float64 // β = link characters ÷ other characters (P4 3.3), ≥ 0
}

// Scheme names a way to weigh words.
type Scheme string

// The schemes of DESIGN section 5.
const (
	SchemeRecords Scheme = "records" // ours, the default
	SchemeTFdivID Scheme = "tf/idf"  // P0 2.1: TF ÷ IDF over the samples
	SchemeTFIDF   Scheme = "tf-idf"  // P1: centroid of classic TF·IDF
	SchemeTF      Scheme = "tf"      // P3: frequency × weight
)

// Schemes lists the schemes in the order an interface offers them.
var Schemes = []Scheme{SchemeRecords, SchemeTFdivID, SchemeTFIDF, SchemeTF}

// Norm names the normalisation of the similarity.
type Norm string

// The norms: cosine over all terms of the page, cosine over the feature words
// only, and the bare inner product (P3: S = Σ D·W).
const (
	NormFull      Norm = "full"
	NormProjected Norm = "projected"
	NormInner     Norm = "inner"
)

// Norms lists the norms, the default first.
var Norms = []Norm{NormFull, NormProjected, NormInner}

// Config is everything an analyst can turn. It is a plain value, stored as
// JSON in the workspace; words are spelled out so that it survives a new
// lexicon.
type Config struct {
	Scheme  Scheme             `json:"scheme"`
	Norm    Norm               `json:"norm"`
	M       int                `json:"m"`                 // number of feature words
	Theta   float64            `json:"theta,omitempty"`   // threshold; 0 = automatic
	Gamma   float64            `json:"gamma"`             // weight of the negative samples against the samples' 1, 0 … MaxGamma
	Off     []string           `json:"off,omitempty"`     // words switched off, sorted
	Expert  []string           `json:"expert,omitempty"`  // words added by the analyst (P1, P3), sorted
	Weights map[string]float64 `json:"weights,omitempty"` // multiplier of a word's weight; 1 when absent
}

// Feature is one row of the feature table. Counts are over the samples'
// full text unless the scheme is records, which counts titles (Doc.List).
type Feature struct {
	Word       string
	ID         uint32
	TF         float64 // share of all sample words, 0 … 1 (P0 2.1: F ÷ Z)
	DF         int     // samples that hold the word
	Samples    int
	IDF        float64 // ln(1 + n/df), P0 2.1
	TFdivIDF   float64 // TF ÷ IDF, P0
	TFIDF      float64 // TF · IDF, the classic, for comparison
	Coverage   float64 // DF ÷ Samples
	Background float64 // share of all crawled pages that hold the word, 0 … 1
	NegativeTF float64 // share of all negative sample words, 0 … 1
	NegativeDF int     // negative samples that hold the word
	Taken      float64 // part of the word's weight that the negative samples took, 0 … 1
	Weight     float64 // the weight that scores, after negative samples, switches and multipliers; 0 when off
	Multiplier float64 // the analyst's multiplier, 1 unless set
	On         bool
	Expert     bool
	Feature    bool // among the m words that score
}

// Contribution is one word's share of a score.
type Contribution struct {
	Word  string  `json:"word"`
	Count int     `json:"count"` // occurrences on the page
	Share float64 `json:"share"` // part of the cosine this word brought
	// Taken is the part of the word's weight that the negative samples took, 0
	// … 1; a word that has lost all of it is listed with share 0.
	Taken float64 `json:"taken,omitempty"`
}

// Explanation says why a page scored what it scored.
type Explanation struct {
	Score    float64        `json:"score"` // after the gate
	Raw      float64        `json:"raw"`   // before the gate
	Gate     bool           `json:"gate"`  // passed: at least 3 dated records and at least half dated
	Theta    float64        `json:"theta"`
	Above    bool           `json:"above"`
	Negative int            `json:"negative_samples,omitempty"` // that the model was built against
	Scheme   Scheme         `json:"scheme"`
	Norm     Norm           `json:"norm"`
	Words    []Contribution `json:"words"` // largest first
	ModelRev uint64         `json:"model_rev"`
}
