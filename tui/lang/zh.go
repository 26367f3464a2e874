package lang

var zhWords = map[string]string{}
var zhScreens = map[string]string{}
var zhKeys = map[string]string{}
var zhLines = [][2]string{}
