package lang

// zhRefusalLines are what the settings and their forms say of a value that cannot be.
var zhRefusalLines = [][2]string{
	{"%s is less than %s", "%s 小于 %s"}, {"must be longer than 0", "须大于 0"}, {"%s is neither flat nor gse", "%s 既不是 flat 也不是 gse"},
	{"%s is not above 0 and at most 1 000 000", "%s 不在 0 以上、1 000 000 以内"}, {"%s is none of %s", "%s 不在可选值之列：%s"},
	{"%s is shorter than a minute", "%s 不足一分钟"}, {"%s is longer than 8760h, a year", "%s 超过 8760h（一年）"}, {"outside of %s … %s", "不在 %s … %s 之内"},
	{"%s are more than %s", "%s 项超过上限 %s"}, {"%s rows are more than %s", "%s 行超过上限 %s"}, {"%s hosts are more than %s", "%s 个站点超过上限 %s"}, {"%s addresses are more than %s", "%s 个地址超过上限 %s"},
	{"%s: %s = %s", "%s：%s = %s"}, {"no setting is called %s", "没有名为 %s 的设置"}, {"toml: %s", "toml：%s"},

	{"%s fields are more than %s", "%s 个字段超过上限 %s"}, {"field %s", "字段 %s"}, {"%s: name must be a small letter and then small letters, digits and _, at most 40", "%s：名称须以小写字母开头，只含小写字母、数字和 _，最多 40 个字符"},
	{"%s: field %s has the same name; merge them", "%s：与字段 %s 同名；请合并"}, {"%s: type %s is none of %s", "%s：类型 %s 不在可选值之列：%s"},
	{"%s: no labels; name what stands before its values, e.g. labels = %s", "%s：没有标签；请写值前面的文字，例如 labels = %s"}, {"%s: %s labels are more than %s", "%s：%s 个标签超过上限 %s"},
	{"%s: a choice needs its values, e.g. choices = %s", "%s：选项类型须列出可选值，例如 choices = %s"}, {"%s: choices go with type = \"choice\" only", "%s：choices 只用于 type = \"choice\""}, {"%s: %s is no label: it has 2 to 25 characters", "%s：%s 不是标签：须为 2 至 25 个字符"},

	{"is no host: write it as in addresses, e.g. www.x.cn or www.x.cn:8080", "不是站点：按网址中的写法，例如 www.x.cn 或 www.x.cn:8080"},
	{"%s is no host: write it as in addresses, e.g. www.x.cn or www.x.cn:8080; a section is written www.x.cn/list/", "%s 不是站点：按网址中的写法，例如 www.x.cn；栏目写作 www.x.cn/list/"},
	{"names the usual port: write %s", "写了默认端口：请写 %s"}, {"is written %s in addresses: write that", "在网址中写作 %s：请照此写"}, {"it holds a control character", "含有控制字符"},
	{"one of password_file, password_env is enough", "password_file、password_env 只需其一"}, {"it is the name of an environment variable, not the password itself", "应为环境变量名，而不是口令本身"},
	{"write it as http://HOST:PORT or socks5://HOST:PORT", "写作 http://主机:端口 或 socks5://主机:端口"}, {"write it as http://HOST:PORT or socks5://HOST:PORT, or direct", "写作 http://主机:端口 或 socks5://主机:端口，或 direct"},
	{"it is no http address, e.g. http://www.x.cn/login", "不是 http 网址，例如 http://www.x.cn/login"}, {"it holds a password: write user and password_file", "含有口令：请写 user 和 password_file"},
	{"is missing", "不能为空"}, {"is missing, and there is a login_page; or write password_env", "不能为空，因为写了 login_page；或写 password_env"}, {"is missing, and there is more about a login", "不能为空，因为写了其他登录信息"},
	{"is missing, and there is a password", "不能为空，因为写了口令"}, {"is missing, and there is a user; or write password_env", "不能为空，因为写了用户名；或写 password_env"}, {"it holds a character that a user's name cannot have", "含有用户名不能有的字符"},
	{"it is no SHA-256 of a certificate, 64 digits 0-9 a-f; angler lists login DIR HOST shows it", "不是证书的 SHA-256（64 位 0-9 a-f）；angler lists login DIR HOST 可查看"},
	{"number %s is none: write %s", "第 %s 项有误：写作 %s"}, {"the value of %s is longer than 4 KB or holds a control character", "%s 的值超过 4 KB 或含有控制字符"}, {"cookies come from a file: write cookies = \"FILE\"", "Cookie 从文件读取：写作 cookies = \"文件\""}, {"%s is set by the program itself", "%s 由程序自己设定"},
	{"%s is no address of a server; write http://HOST:PORT", "%s 不是服务器地址；写作 http://主机:端口"}, {"a name and a password have no place in the address; let the server answer this machine without them", "地址中不能写用户名和口令；请让服务器允许本机免登录访问"},
	{"%s is more than the server's first page; write %s", "%s 不是服务器首页的地址；写作 %s"},

	{"a letter or digit, then at most 39 letters, digits, spaces, . _ -", "以字母或数字开头，其后最多 39 个字母、数字、空格或 . _ -"},
	{"goes with rhythm = \"daily\" only", "只用于每日通知"},
	{"\"command\" was removed; use way = \"webhook\", which posts the same JSON to an address", "\"command\" 已移除；请用 way = \"webhook\"，向网址发送同样的 JSON"},
	{"\"atom\" was removed; run: angler export DIR notices --format atom -o FILE --force", "\"atom\" 已移除；请运行 angler export DIR notices --format atom -o FILE --force"},
	{"\"weekly\" was removed; use rhythm = \"daily\"", "\"weekly\" 已移除；请用 rhythm = \"daily\""},
	{"%s is no time of day, as 08:30", "%s 不是时刻，例如 08:30"}, {"%s is no time zone, as Asia/Shanghai", "%s 不是时区，例如 Asia/Shanghai"}, {"it is the name of an environment variable, not the secret itself", "应为环境变量名，而不是密钥本身"},
	{"goes with way = %s only, and the way is %s", "只用于 %s 方式，而此处为 %s"}, {"is missing; write it, or url_file or url_env", "不能为空；也可改写 url_file 或 url_env"},
	{"one of url, url_file, url_env is enough", "url、url_file、url_env 只需其一"}, {"one of secret_file, secret_env is enough", "secret_file、secret_env 只需其一"},
	{"is missing, e.g. %s", "不能为空，例如 %s"},
	{"it is no http address", "不是 http 网址"}, {"%s is not HOST:PORT, e.g. smtp.example.com:587", "%s 不是“主机:端口”，例如 smtp.example.com:587"}, {"a password would be sent in the open: use starttls or tls", "口令会以明文发送：请用 starttls 或 tls"}, {"%s is no mail address", "%s 不是邮箱地址"},
}
