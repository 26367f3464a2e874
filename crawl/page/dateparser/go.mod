module github.com/markusmobius/go-dateparser

go 1.24

require github.com/araddon/dateparse v0.0.0-20210429162001-6b43995a97de
