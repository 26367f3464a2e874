package view

// LearnerInfo is what viewers show of the learner beside the rule.
type LearnerInfo struct {
	Ready   bool // 10 labels of both kinds
	InUse   bool
	Yes, No int
	F1      float64 // cross-validated on the labels
}

// BestJudge is the way of judging with the best F1 on the labels, where it is better than
// the one in force. The zero value means that there is none.
type BestJudge struct {
	Learner bool    // the learner; otherwise the rule with Theta
	Theta   float64 // in the middle of the gap between two labels
	F1      float64
	Now     float64 // F1 of the rule in force
}

// TermNews is what viewers show of the terms that were proposed after a harvest.
type TermNews struct {
	Proposal int // its number, from 1; 0 = there was none
	New      int // terms that no proposal before held, neither accepted nor rejected
}

// SeedNews is what viewers show of the hosts that are proposed as seeds.
type SeedNews struct {
	Rev    uint64 // moves with every change
	Round  int    // the newest look for seeds, from 1; 0 = there was none
	Known  int    // hosts, judged ones among them
	Open   int    // without a verdict and not part of the crawl
	New    int    // of these: found since anybody has judged one
	Broken int    // questions of a search that was broken off in them
}

// RecipeNews is what viewers show of the recipes for lists.
type RecipeNews struct {
	Rev     uint64 // moves with every change
	Known   int    // that are saved, those that are off among them
	Waiting int    // proposed by what pages received in the browser, without a verdict
	Name    string // of one that waits
}
