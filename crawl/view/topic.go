package view

// LearnerInfo is the learner's state for viewers.
type LearnerInfo struct {
	Ready   bool // 10 labels of each kind exist
	InUse   bool
	Yes, No int
	F1      float64 // cross-validated on the labels
}

// BestJudge is the judge with the best F1 on the labels, if it beats the present one. The zero value means none.
type BestJudge struct {
	Learner bool    // the learner; else the rule with Theta
	Theta   float64 // middle of the gap between two labels
	F1      float64
	Now     float64 // F1 of the present rule
}

// TermNews counts the terms proposed after a harvest.
type TermNews struct {
	Proposal int // its number, from 1; 0 = none yet
	New      int // terms absent from earlier proposals, neither accepted nor rejected
}

// SeedNews counts the hosts proposed as seeds.
type SeedNews struct {
	Rev    uint64 // changes with every change
	Round  int    // number of the newest seed search, from 1; 0 = none
	Known  int    // hosts, including judged ones
	Open   int    // without a verdict and not crawled
	New    int    // of Open: found since the last verdict
	Broken int    // failed queries of an interrupted search
}

// RecipeNews counts the recipes of lists.
type RecipeNews struct {
	Rev     uint64 // changes with every change
	Known   int    // saved, including inactive ones
	Waiting int    // proposed from browser traffic, without a verdict
	Name    string // name of one that waits
}
