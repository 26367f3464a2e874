package auth

// This file is the table of actions and the roles that may perform them. A key names its action by a value of this
// table. The engine's method behind the key checks the same value.

// Action is something a person does. The zero Action has no rule and is refused to every role.
//
// Keep it small: a frame sorts about forty bindings that each hold one.
type Action struct {
	name  string
	needs level
	local place // refused to remote persons
}

// place says how an action uses a file on the engine's machine; 0 means not at all.
type place uint8

const (
	written place = iota + 1
	read
)

// elsewhere holds the advice to a remote person, whose file would be on the server.
var elsewhere = map[place]string{
	written: "the file would be the server's; run: ssh HOST export KIND > FILE",
	read:    "the file would be the server's; run there: angler import DIR FILE",
}

// level is the permission level of a role; 0 allows nothing.
type level uint8

const (
	viewers level = iota + 1
	analysts
	admins
)

func analyst(name string) Action { return Action{name: name, needs: analysts} }
func admin(name string) Action   { return Action{name: name, needs: admins} }

// Own returns an action that changes only the person's own screen. Every role may perform it.
func Own(name string) Action { return Action{name: name, needs: viewers} }

// As returns the same action under another name, for a key with its own variant.
func (a Action) As(name string) Action { a.name = name; return a }

// Name returns one or two English words.
func (a Action) Name() string { return a.name }

// Actions on the shared topic.
var (
	Sample      = analyst("sample")
	Negative    = analyst("negative")
	AddSample   = analyst("add")
	AddNegative = analyst("add negative")
	Configure   = analyst("configure") // words, weights, scheme, norm, γ, θ
	Terms       = analyst("terms")     // changes nothing but occupies all processors
	AcceptTerms = analyst("accept")
	RejectTerms = analyst("reject")
	TuneTerms   = analyst("tune") // the [terms] settings only
	StopWord    = analyst("stop word")
	Undo        = analyst("undo")
	Redo        = analyst("redo")
	Label       = analyst("label")
	LabelMany   = analyst("batch")
	Judge       = analyst("judge")

	Propose        = analyst("propose") // as an assistant, for a person to answer
	AcceptProposal = analyst("accept")
	RefuseProposal = analyst("refuse")
)

// Actions on notices and named filters, shared by the team. Read marks and screen positions are personal.
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

// Actions on runs.
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

	SuggestSeeds = analyst("look for seeds") // queries the search server and foreign sites
	RejectSeeds  = analyst("reject seeds")
	TryRecipes   = analyst("look for recipes") // queries foreign sites
	Replay       = analyst("replay")           // changes nothing but occupies all processors
	CancelJob    = analyst("cancel the job")
)

// Actions that change network load or the hosts that are asked.
var (
	Strategy = admin("strategy")
	Workers  = admin("workers")

	Workforce = admin("order") // which workers on other machines take part
	Seeds     = admin("seeds")

	AcceptSeeds = admin("accept seeds")

	AcceptRecipe = admin("accept recipe")
	PasteRecipe  = admin("paste a request") // sends a request that a person wrote
	SwitchRecipe = admin("pause recipe")
	RemoveRecipe = admin("remove recipe")

	Settings = admin("settings")
	Delay    = admin("delay")
	Depth    = admin("depth")
	Budget   = admin("budget")
	Render   = admin("render") // fetches pages with a browser on the server
)

// Backup copies the workspace, including keys and passwords, to the server's disk.
var Backup = admin("backup")

// TestTelling sends a test message to the configured addresses.
var TestTelling = admin("test")

// Export writes a file on the engine's machine.
var Export = Action{name: "export", needs: viewers, local: written}

// TakeIn reads a file on the engine's machine.
var TakeIn = Action{name: "import", needs: viewers, local: read}

// Denied returns why r may not perform a; "" means permission.
func (r Role) Denied(a Action) string {
	switch {
	case a.needs == 0:
		return "no rule says who may do this"
	case a.local > 0 && r != Owner && r != Reading:
		return elsewhere[a.local]
	case r == Reading && r.level() < a.needs:
		return "the workspace is open for reading only: this user cannot write it"
	case r.level() < a.needs:
		return "your key has role=" + string(r) + "; it takes role=" + string([]Role{Viewer, Analyst,
			Admin}[a.needs-viewers])
	}
	return ""
}
