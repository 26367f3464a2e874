package lang

// zhWorkers are the texts about workers at other machines.
var zhWorkers = map[string]string{
	"workers at other machines": "工作节点", "workers %s": "工作节点 %s", "%s of %s slots": "%s / %s 个并发", "1 worker": "1 个工作节点", "%s workers": "%s 个工作节点",
	"worker": "工作节点", "worker %s": "工作节点 %s", "%s marked workers": "%s 个已选工作节点", "#job": "%s 个任务", "#result": "%s 条结果", "no worker is chosen": "没有选中工作节点",
	"order": "调度", "act on a worker at another machine: drain it, let it go on, stop or ban it": "调度工作节点：停派、恢复、停止或封禁",
	"no workers are expected: angler serve DIR --workers-listen ADDRESS expects them":                                                               "未启用工作节点：用 angler serve DIR --workers-listen 地址 启用",
	"No worker takes part yet: this process does all of it. See docs/machines.md.":                                                                  "还没有工作节点加入，全部由本进程完成。参见 docs/machines.md。",
	"No worker takes part yet: this process does all of it. angler workers invite DIR > FILE writes an invitation; with it, at another machine: %s": "还没有工作节点加入，全部由本进程完成。用 angler workers invite DIR > FILE 生成邀请文件，拷到另一台机器后运行：%s",
	"works": "工作中", "drains": "停派中", "stops": "停止中", "banned": "已封禁", "refused": "被拒", "lost": "失联",
	"CPU": "CPU", "tags": "标签", "p/s": "页/秒", "in flight": "在途", "memory": "内存", "seen": "最近", "version": "版本", "results": "结果", "dropped": "丢弃", "malformed": "无效",
	"%s that came late or twice": "%s迟到或重复", "%s that were none": "%s无效",
	"drain": "停派", "it ends the %s it has and gets no other; {undo} takes it back": "做完手上的 %s，不再派给它；{undo} 撤销", "it gets no jobs any more; {undo} takes it back": "不再派给它任务；{undo} 撤销", "it is not let in any more; {undo} takes it back": "不再准入；{undo} 撤销",
	"let it go on": "恢复", "it gets jobs again; one that is banned is let in": "重新派给它任务；已封禁的重新准入",
	"its process ends after its jobs; start it again on its machine": "做完任务后结束其进程；启动它的人可再次启动",
	"ban": "封禁", "its %s go to others, and it is not let in any more; {undo} takes it back": "它的 %s转给其他节点，不再准入；{undo} 撤销",
	"%s drained": "%s 已停派", "%s goes on": "%s 已恢复", "%s banned": "%s 已封禁", "%s stops": "%s 将停止",
	"it gets none already": "已不派给它任务", "it gets jobs already": "正在派给它任务", "it is not there": "它不在线", "it is banned already": "已封禁",
	"stop %s?": "停止%s？", "keep it": "保留", "nothing happens": "什么也不做", "stop it": "停止", "at once; no undo starts it again": "立即结束；无法撤销", "after %s; no undo starts it again": "做完 %s之后；无法撤销",

	"the worker's name, by which it is ordered": "工作节点的名称，调度时用它",
	"works: it gets jobs; drains: it ends those it has; stops: likewise, then its process ends; banned and refused: it is not let in; lost: no news from it": "工作中：接任务；停派中：做完手上的任务；停止中：做完后结束进程；已封禁、被拒：不准入；失联：没有音信",
	"what the worker says it has that others have not; [host.\"x\"] worker = \"tag\" sends a host there":                                                     "节点自称的特长；[host.\"x\"] worker = \"标签\" 把站点派给它",
	"hosts whose pages it fetches; a host stays with one worker while that has room":                                                                         "由它抓取的站点；只要它有空位，站点就留在它那里",
	"results a second over the last ten seconds":                                                                                                             "最近十秒每秒的结果数",
	"jobs that it has, of those it can do at once":                                                                                                           "手上的任务数 / 可同时做的任务数",
	"processors that it uses: 140% are 1.4 of them":                                                                                                          "占用的处理器：140% 即 1.4 个",
	"memory of its process": "其进程占用的内存",
	"when it was last heard of; it says every two seconds that it is there":                        "最近一次有音信的时间；它每两秒报到一次",
	"requests that brought no answer there, and results that were none; {open} tells them by kind": "没有得到应答的请求与无效的结果；按 {open} 分类查看",
	"version of angler there; one of another protocol is refused":                                  "该处 angler 的版本；协议不同的被拒",
}

// zhWorkerLines are what the engine says of them.
var zhWorkerLines = [][2]string{
	{"worker %s was not let in: it is banned", "工作节点 %s 未准入：已被封禁"},
	{"worker %s does not reach hosts that are reached from here (%s): it gets no more work for %s; see to its network", "工作节点 %s 连不上本机能连上的站点（%s）：%s 内不再派给它任务；请检查其网络"},
	{"%s: has the disk of the workers' server room, and is it there? Until it takes jobs again pages are fetched here", "%s：工作节点的消息服务器是否在线、磁盘是否有空间？恢复接收任务之前由本机抓取"},
	{"worker drained: %s", "停派工作节点：%s"}, {"worker banned: %s", "封禁工作节点：%s"}, {"worker goes on: %s", "恢复工作节点：%s"}, {"worker stopped: %s", "停止工作节点：%s"},
	{"worker %s joins with %s slots", "工作节点 %s 加入，%s 个并发"}, {"worker %s has left", "工作节点 %s 已离开"}, {"worker %s has not been heard of for %s: its jobs go to others", "工作节点 %s 已 %s 没有音信：其任务转给其他节点"},
	{"worker %s was refused: it is angler %s with protocol %s, this is %s with protocol %s", "拒绝工作节点 %s：它是 angler %s，协议 %s；本机是 %s，协议 %s"}, {"a result of worker %s is none: %s", "工作节点 %s 的一条结果无效：%s"},
	{"worker %s has not answered for %s in %s: another one has it now", "工作节点 %s 未在 %[3]s 内应答 %[2]s：改由其他节点处理"}, {"the workers cannot be told of the new settings: %s", "新设置无法告知工作节点：%s"}, {"a job cannot be handed out: %s; it is done here", "任务无法派出：%s；由本进程完成"},
	{"angler %s speaks protocol %s, this is %s with protocol %s: use the same version at both ends", "angler %s 使用协议 %s，本机是 %s，协议 %s：两端请用同一版本"}, {"not heard of for %s", "%s 没有音信"}, {"a result that is none: %s", "无效的结果：%s"},
	{"it is for workers with the tag %s, and none is there: start one with angler workers join --tags %s", "只能由带标签 %s 的工作节点抓取，而它不在线：用 angler workers join --tags %s 启动"},
	{"no workers are let in; serve the workspace with --workers-listen or --nats", "未启用工作节点：请用 --workers-listen 或 --nats 启动 angler serve"}, {"worker %s is not there: it is %s", "工作节点 %s 不在线：%s"}, {"there is no worker of that name: %s", "没有这个名称的工作节点：%s"}, {"no worker is called %s; angler workers list DIR lists them", "没有名为 %s 的工作节点；用 angler workers DIR 查看"},
}
