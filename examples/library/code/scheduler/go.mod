module lantern.example.org/scheduler

go 1.22
