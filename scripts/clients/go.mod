module clients

go 1.26
