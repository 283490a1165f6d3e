package main

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// measureRun measures a run of an HTTP tool as a process from start to end, and curl likewise.
func (b *bench) measureRun() error {
	host, stop, err := serveWeather()
	if err != nil {
		return err
	}
	defer stop()
	file := filepath.Join(b.folder, "weather.tools.abl")
	if err := writeWeatherTool(file, host); err != nil {
		return err
	}
	run := func() *exec.Cmd {
		return b.command(b.program, "run", file, "get_weather", "--arg", "city=Lisbon", "--allow-host", host)
	}
	if err := medianProcess(b.ownFigures, "run_http", run); err != nil {
		return err
	}
	curl, err := exec.LookPath("curl")
	if err != nil {
		b.reportLeftOut("curl", err)
		return nil
	}
	return medianProcess(b.figuresOf("curl"), "run_http", func() *exec.Cmd { return b.command(curl, "-sf", "http://"+host+"/cities/Lisbon") })
}

// writeWeatherTool writes a file with an HTTP tool that calls the server of [serveWeather].
func writeWeatherTool(file, host string) error {
	text := fmt.Sprintf("TOOLS:\n  get_weather(city: string) -> {city: string, high: number, sky: string}\n"+
		"    description: \"The weather of a city\"\n    type: http\n    endpoint: \"http://%s/cities/{city}\"\n    method: GET\n", host)
	return os.WriteFile(file, []byte(text), 0o644)
}

// serveWeather starts the server that HTTP tools call; stop ends it.
func serveWeather() (host string, stop func(), err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	api := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"city": "Lisbon", "high": 31.5, "sky": "clear"}`)
	})}
	go func() { _ = api.Serve(listener) }()
	return listener.Addr().String(), func() { _ = api.Close() }, nil
}

// medianProcess measures a short process many times.
func medianProcess(into figures, name string, command func() *exec.Cmd) error {
	var wall, cpu []time.Duration
	for range 21 {
		cmd := command()
		u, err := runToEnd(cmd)
		if err != nil || cmd.ProcessState.ExitCode() != 0 {
			return errors.Join(fmt.Errorf("%v: %v", cmd.Args, cmd.ProcessState), err)
		}
		wall, cpu = append(wall, u.wall), append(cpu, u.cpu)
	}
	into.setTime(name+"_ms", quantile(wall, 0.5))
	into.setTime(name+"_cpu_ms", quantile(cpu, 0.5))
	return nil
}
