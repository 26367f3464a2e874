package lang

// zhFetchLines are what the fetcher says of an address that it could not have, with the
// cause and without it.
var zhFetchLines = [][2]string{
	{"%s: robots.txt forbids it (%s)", "%s：robots.txt 禁止抓取（%s）"}, {"%s: robots.txt forbids it", "%s：robots.txt 禁止抓取"},
	{"%s: robots.txt cannot be read, so the host is closed for now; try again later (%s)", "%s：无法读取 robots.txt，该站点暂不抓取；请稍后再试（%s）"}, {"%s: robots.txt cannot be read, so the host is closed for now; try again later", "%s：无法读取 robots.txt，该站点暂不抓取；请稍后再试"},
	{"%s: not a public address; name its host as a seed, or allow private addresses (--allow-private) (%s)", "%s：不是公网地址；若确实要抓，请把该站点设为种子，或允许内网地址（--allow-private）（%s）"}, {"%s: not a public address; name its host as a seed, or allow private addresses (--allow-private)", "%s：不是公网地址；若确实要抓，请把该站点设为种子，或允许内网地址（--allow-private）"},
	{"%s: the host name has no address; check the spelling or the network (%s)", "%s：该域名没有地址；请检查拼写或网络（%s）"}, {"%s: the host name has no address; check the spelling or the network", "%s：该域名没有地址；请检查拼写或网络"},
	{"%s: cannot connect; check the host or the proxy, or try again later (%s)", "%s：无法连接；请检查站点或代理，或稍后再试（%s）"}, {"%s: cannot connect; check the host or the proxy, or try again later", "%s：无法连接；请检查站点或代理，或稍后再试"},
	{"%s: no trusted secure connection; try http:// or another host name (%s)", "%s：没有可信的安全连接；请试 http:// 或其他域名（%s）"}, {"%s: no trusted secure connection; try http:// or another host name", "%s：没有可信的安全连接；请试 http:// 或其他域名"},
	{"%s: timed out; try again later or allow more time (%s)", "%s：超时；请稍后再试，或放宽时限（%s）"}, {"%s: timed out; try again later or allow more time", "%s：超时；请稍后再试，或放宽时限"},
	{"%s: no answer that HTTP knows; check the port, or try again later (%s)", "%s：应答不是 HTTP；请检查端口，或稍后再试（%s）"}, {"%s: no answer that HTTP knows; check the port, or try again later", "%s：应答不是 HTTP；请检查端口，或稍后再试"},
	{"%s: the answer was cut off or unreadable; try again later (%s)", "%s：应答被截断或无法读取；请稍后再试（%s）"}, {"%s: the answer was cut off or unreadable; try again later", "%s：应答被截断或无法读取；请稍后再试"},
	{"%s: redirected too often; give the final address (%s)", "%s：重定向过多；请直接给出最终网址（%s）"}, {"%s: redirected too often; give the final address", "%s：重定向过多；请直接给出最终网址"},
	{"%s: not a fetchable URL; write http://HOST/PATH (%s)", "%s：不是可抓取的网址；请写 http://HOST/PATH（%s）"}, {"%s: not a fetchable URL; write http://HOST/PATH", "%s：不是可抓取的网址；请写 http://HOST/PATH"},
	{"%s: the login failed; try it with: angler lists login DIR HOST (%s)", "%s：登录失败；请用 angler lists login DIR HOST 试一试（%s）"}, {"%s: the login failed; try it with: angler lists login DIR HOST", "%s：登录失败；请用 angler lists login DIR HOST 试一试"},
}
