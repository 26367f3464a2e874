package lang

// zhDoors are the settings of single hosts, and what is said of logins.
var zhDoors = map[string]string{
	"single hosts": "单个站点", "host %s": "站点 %s",
	"host.delay": "抓取间隔", "host.per_host": "并发数", "host.headers": "请求头", "host.user_agent": "User-Agent", "host.proxy": "代理", "host.certificate": "信任的证书指纹",
	"host.cookies": "Cookie 文件", "host.user": "用户名", "host.password_file": "密码文件", "host.password_env": "密码环境变量", "host.login_page": "登录页", "host.login_fields": "登录表单字段",
	"host.login_secret": "密码字段名", "host.login_text": "登录成功的标志文字", "host.render": "浏览器渲染", "host.worker": "工作节点标签",
	"hosts with settings of their own: delay, headers, cookies, a login …":                    "有专门设置的站点：间隔、请求头、Cookie、登录等",
	"between two fetches of this host; empty: crawl.delay":                                    "该站点两次抓取的间隔；留空用 crawl.delay",
	"fetches of this host at once; empty: crawl.per_host":                                     "该站点同时抓取数；留空用 crawl.per_host",
	"sent with every request, each \"Name: value\"; a value may be env:VARIABLE or file:PATH": "每次请求附带的头，各写作 \"名称: 值\"；值可写 env:环境变量 或 file:文件路径",
	"empty: crawl.user_agent":                                     "留空用 crawl.user_agent",
	"http:// or socks5:// address, or direct; empty: crawl.proxy": "http:// 或 socks5:// 地址，direct 为直连；留空用 crawl.proxy",
	"SHA-256 of a certificate that is trusted without a known authority; angler lists login DIR HOST shows it": "无人担保仍予信任的证书的 SHA-256 指纹；用 angler lists login DIR HOST 查看",
	"file of cookies in Netscape's form, as browsers' add-ons export it; absolute or in the workspace":         "Netscape 格式的 Cookie 文件，浏览器扩展可导出；绝对路径，或在工作区内",
	"name at the door: of basic authentication, or with login_page of the form":                                "登录用户名：用于 Basic 认证；若设有 login_page，则填入表单",
	"file that holds the password, readable by its owner alone":                                                "存放密码的文件，须仅所有者可读",
	"address of the page with the login form":                                                                  "登录表单所在网页的地址",
	"fields of the form, each \"name = value\"; empty: user goes before the password":                          "表单字段，各写作 \"名称 = 值\"；留空则用户名填在密码之前的字段",
	"name of the field that takes the password; empty: the form's password field":                              "填写密码的字段名；留空用表单的密码框",
	"text that stands on the page after a login; empty: that it asks for no password":                          "登录后网页上应有的文字；留空则以不再要求密码为准",
	"pages through a browser: never, always; empty: never":                                                     "用浏览器渲染网页：never 从不，always 总是；留空为从不",
	"tag of the workers that fetch this host":                                                                  "抓取该站点的工作节点标签",

	"own": "专设", "of its own: %s": "专门设置：%s", "more closed host": "另有一个站点不让进入", "#more closed host": "另有 %s 个站点不让进入",
}

// zhDoorLines are what events and warnings say of logins.
var zhDoorLines = [][2]string{
	{"host %s is not asked: %s", "站点 %s 暂不抓取：%s"},
	{"the login of host %s failed, try: angler lists login DIR %s · %s", "站点 %s 登录失败，可用 angler lists login DIR %s 试登录 · %s"},
	{"host %s asks for a login: name one under [host] in angler.toml, then: angler lists login DIR %s", "站点 %s 要求登录：请在 angler.toml 的 [host] 中设置，再运行 angler lists login DIR %s"},
	{"host %s asks for a captcha, which is not solved: export a browser's cookies and name the file under [host], or raise its delay", "站点 %s 要求验证码，程序不代填：请从浏览器导出 Cookie 并在 [host] 中指定文件，或延长抓取间隔"},
	{"host %s refuses us (HTTP status %s): a longer delay may help, or a login or cookies under [host]", "站点 %s 拒绝访问（HTTP 状态 %s）：可延长抓取间隔，或在 [host] 中设置登录或 Cookie"},
	{"host %s refuses us (%s): a longer delay may help, or a login or cookies under [host]", "站点 %s 拒绝访问（%s）：可延长抓取间隔，或在 [host] 中设置登录或 Cookie"},
	{"host %s is closed by its robots.txt (%s): ask its owner, or take it out of the seeds", "站点 %s 的 robots.txt 禁止抓取（%s）：请联系站方，或从种子中移除"},
	{"host %s refuses access: its pages wait until %s; angler lists login tries it and says what came", "站点 %s 拒绝访问：其网页等到 %s 再抓；可用 angler lists login 试登录并查看结果"},
	{"host %s asks for a login (%s): it rests until %s, and what is stored stays; give it one under [host] in angler.toml, angler lists login tries it", "站点 %s 要求登录（%s）：休息至 %s，已存内容保持不变；请在 angler.toml 的 [host] 中设置登录，可用 angler lists login 试登录"},
	{"the login of host %s failed: %s; it is not asked until %s, or until its settings change", "站点 %s 登录失败：%s；%s 之前或设置更改之前不再尝试"},
	{"logged in to host %s", "已登录站点 %s"}, {"the login of %s will not outlive a restart: %s", "%s 的登录在重启后失效：%s"},
	{"host %s: %s lines of %s are no cookies: %s", "站点 %s：%[3]s 中有 %[2]s 行不是 Cookie：%[4]s"},
}
