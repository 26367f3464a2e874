module angler

go 1.26
