package auth

// This file is the one table of what people do at the workbench and who may do
// it. A key names its action by a value of this table, and the engine's method
// behind the key checks the same value.

// Action is something a person does. The zero Action is refused to everyone:
// no rule says who may do it.
//
// It is small, because a frame sorts some forty bindings that each hold one.
type Action struct {
	name  string
	needs level
	local place // refused to everyone at the other end of a line
}

// place says what a file of the machine of the engine is for, 0 for none.
type place uint8

const (
	written place = iota + 1
	read
)

// elsewhere says what to do where the file would be the server's.
var elsewhere = map[place]string{
	written: "the file would be the server's; run: ssh HOST export KIND > FILE",
	read:    "the file would be the server's; run there: angler import DIR FILE",
}

// level is what a role allows, 0 nothing.
type level uint8

const (
	viewers level = iota + 1
	analysts
	admins
)

func analyst(name string) Action { return Action{name: name, needs: analysts} }
func admin(name string) Action   { return Action{name: name, needs: admins} }

// Own is an action that changes nothing but one's own screen: everyone may.
func Own(name string) Action { return Action{name: name, needs: viewers} }

// As is the same action under another name, for a key that does it in a way of
// its own.
func (a Action) As(name string) Action { a.name = name; return a }

// Name is a word or two in English.
func (a Action) Name() string { return a.name }

// The topic, for everyone.
var (
	Sample      = analyst("sample")
	Negative    = analyst("negative")
	AddSample   = analyst("add")
	AddNegative = analyst("add negative")
	Configure   = analyst("configure") // words, weights, scheme, norm, γ, θ
	Terms       = analyst("terms")     // changes nothing but keeps all processors busy
	AcceptTerms = analyst("accept")
	RejectTerms = analyst("reject")
	TuneTerms   = analyst("tune") // the settings of [terms] alone
	StopWord    = analyst("stop word")
	Undo        = analyst("undo")
	Redo        = analyst("redo")
	Label       = analyst("label")
	LabelMany   = analyst("batch")
	Judge       = analyst("judge")
)

// What the team says of notices, and the filters that it gives names. What one has
// read, and how one left the screens, is one's own.
var (
	Personal    = Own("own")
	Star        = analyst("star")
	Done        = analyst("done")
	Note        = analyst("note")
	JudgeNotice = analyst("judge")
	SaveView    = analyst("save view")
	FetchFiles  = analyst("fetch documents")
	Correct     = analyst("correct")
	Kin         = analyst("project")
	MuteList    = analyst("mute")
)

// The runs.
var (
	Probe     = analyst("sample the sites")
	Discovery = analyst("discovery")
	Harvest   = analyst("harvest")
	Pause     = analyst("pause")
	Resume    = analyst("resume")
	Step      = analyst("step")
	Stop      = analyst("stop")
	Steer     = analyst("steer")
	Retry     = analyst("retry")

	SuggestSeeds = analyst("look for seeds") // asks the search server and others' sites
	RejectSeeds  = analyst("reject seeds")
	TryRecipes   = analyst("look for recipes") // asks others' sites
	Replay       = analyst("replay")           // changes nothing but keeps all processors busy
	CancelJob    = analyst("cancel the job")
)

// The load on the network, and what decides where requests go.
var (
	Strategy = admin("strategy")
	Workers  = admin("workers")

	Workforce = admin("order") // who takes part in the crawl from other machines
	Seeds     = admin("seeds")

	AcceptSeeds = admin("accept seeds")

	AcceptRecipe = admin("accept recipe")
	PasteRecipe  = admin("paste a request") // sends what a person made up
	SwitchRecipe = admin("pause recipe")
	RemoveRecipe = admin("remove recipe")

	Settings = admin("settings")
	Delay    = admin("delay")
	Depth    = admin("depth")
	Budget   = admin("budget")
	Render   = admin("render") // pages through a browser of the server's
)

// Backup reads everything, keys and passwords among it, and copies it on the
// server's disk.
var Backup = admin("backup")

// TestTelling sends to the places that the settings name.
var TestTelling = admin("test")

// Export writes a file on the machine of the engine.
var Export = Action{name: "export", needs: viewers, local: written}

// TakeIn reads a file on the machine of the engine.
var TakeIn = Action{name: "take in", needs: viewers, local: read}

// Denied says why r may not do a; "" when r may.
func (r Role) Denied(a Action) string {
	switch {
	case a.needs == 0:
		return "no rule says who may do this"
	case a.local > 0 && r != Owner && r != Reading:
		return elsewhere[a.local]
	case r == Reading && r.level() < a.needs:
		return "the workspace is open for reading only: this user cannot write it"
	case r.level() < a.needs:
		return "your key has role=" + string(r) + "; it takes role=" + string([]Role{Viewer, Analyst, Admin}[a.needs-viewers])
	}
	return ""
}
