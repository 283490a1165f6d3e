// Package deploy tests the files that run the program in a cluster.
package deploy

import (
	"bytes"
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

// manifest is an object of a manifest.
type manifest struct {
	file   string
	object meta.Object
}

// newObject returns an empty object of a kind that the manifests have; nil for any other.
func newObject(kind string) meta.Object {
	switch kind {
	case "v1 ConfigMap":
		return &core.ConfigMap{}
	case "v1 Secret":
		return &core.Secret{}
	case "v1 Service":
		return &core.Service{}
	case "apps/v1 Deployment":
		return &apps.Deployment{}
	case "apps/v1 StatefulSet":
		return &apps.StatefulSet{}
	case "policy/v1 PodDisruptionBudget":
		return &policy.PodDisruptionBudget{}
	case "networking.k8s.io/v1 NetworkPolicy":
		return &networking.NetworkPolicy{}
	}
	return nil
}

// readManifests decodes all manifests. A key that a type does not have fails the test.
func readManifests(t *testing.T) (all []manifest) {
	t.Helper()
	files, err := filepath.Glob("kubernetes/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for part := range bytes.SplitSeq(text, []byte("\n---\n")) {
			var head meta.TypeMeta
			if err := yaml.Unmarshal(part, &head); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			o := newObject(head.APIVersion + " " + head.Kind)
			if o == nil {
				t.Fatalf("%s: %s %s is unknown", file, head.APIVersion, head.Kind)
			}
			if err := yaml.UnmarshalStrict(part, o); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			all = append(all, manifest{file, o})
		}
	}
	return all
}

// find returns the object of a type with a name. The zero value means that there is none.
func find[T meta.Object](all []manifest, name string) (o T) {
	for _, m := range all {
		if found, ok := m.object.(T); ok && found.GetName() == name {
			return found
		}
	}
	return o
}

// pods returns the pods that the manifests start, by the names of their owners.
func pods(all []manifest) map[string]core.PodSpec {
	out := map[string]core.PodSpec{}
	for _, m := range all {
		switch o := m.object.(type) {
		case *apps.Deployment:
			out[o.Name] = o.Spec.Template.Spec
		case *apps.StatefulSet:
			out[o.Name] = o.Spec.Template.Spec
		}
	}
	return out
}

// TestManifests decodes the manifests strictly, and follows every name in them to what it names.
func TestManifests(t *testing.T) {
	all := readManifests(t)
	if d := find[*apps.Deployment](all, "abl-lsp"); d == nil || *d.Spec.Replicas != 2 {
		t.Errorf("not two replicas: %+v", d)
	}
	for owner, pod := range pods(all) {
		t.Run(owner, func(t *testing.T) {
			if s := pod.SecurityContext; s == nil || !*s.RunAsNonRoot || *s.RunAsUser == 0 {
				t.Error("it may run as root")
			}
			if *pod.AutomountServiceAccountToken {
				t.Error("it gets a token of the cluster")
			}
			for _, v := range pod.Volumes {
				checkVolume(t, all, v)
			}
			for _, c := range pod.Containers {
				checkContainer(t, all, owner, pod, c)
			}
		})
	}
	for _, m := range all {
		if s, ok := m.object.(*core.Service); ok {
			t.Run(s.Name, func(t *testing.T) { checkService(t, all, s) })
		}
	}
}

func checkVolume(t *testing.T, all []manifest, v core.Volume) {
	t.Helper()
	if m := v.ConfigMap; m != nil && find[*core.ConfigMap](all, m.Name) == nil {
		t.Errorf("the volume %s: there is no ConfigMap %s", v.Name, m.Name)
	}
	if s := v.Secret; s != nil {
		secret := find[*core.Secret](all, s.SecretName)
		for _, item := range s.Items {
			if secret == nil || secret.StringData[item.Key] == "" {
				t.Errorf("the volume %s: the Secret %s has no %s", v.Name, s.SecretName, item.Key)
			}
		}
	}
}

func checkContainer(t *testing.T, all []manifest, owner string, pod core.PodSpec, c core.Container) {
	t.Helper()
	if s := c.SecurityContext; s == nil || !*s.ReadOnlyRootFilesystem || *s.AllowPrivilegeEscalation || !slices.Contains(s.Capabilities.Drop, "ALL") {
		t.Errorf("%s: %+v", c.Name, s)
	}
	volumes := map[string]bool{}
	for _, v := range pod.Volumes {
		volumes[v.Name] = true
	}
	if s := find[*apps.StatefulSet](all, owner); s != nil {
		for _, v := range s.Spec.VolumeClaimTemplates {
			volumes[v.Name] = true
		}
	}
	for _, m := range c.VolumeMounts {
		if !volumes[m.Name] {
			t.Errorf("%s: there is no volume %s", c.Name, m.Name)
		}
	}
	for _, e := range c.Env {
		ref := e.ValueFrom.SecretKeyRef
		if secret := find[*core.Secret](all, ref.Name); secret == nil || secret.StringData[ref.Key] == "" {
			t.Errorf("%s: the Secret %s has no %s", e.Name, ref.Name, ref.Key)
		}
	}
	for what, p := range map[string]*core.Probe{"liveness": c.LivenessProbe, "readiness": c.ReadinessProbe} {
		if p == nil {
			t.Errorf("%s: no probe of %s", c.Name, what)
			continue
		}
		port := ""
		if p.HTTPGet != nil {
			port = p.HTTPGet.Port.StrVal
		} else if p.TCPSocket != nil {
			port = p.TCPSocket.Port.StrVal
		}
		if !slices.ContainsFunc(c.Ports, func(own core.ContainerPort) bool { return own.Name == port }) {
			t.Errorf("%s: the probe of %s asks the port %q", c.Name, what, port)
		}
	}
}

func checkService(t *testing.T, all []manifest, s *core.Service) {
	t.Helper()
	for owner, pod := range pods(all) {
		if s.Spec.Selector["app.kubernetes.io/name"] != owner {
			continue
		}
		for _, p := range s.Spec.Ports {
			if !slices.ContainsFunc(pod.Containers[0].Ports, func(own core.ContainerPort) bool { return own.Name == p.TargetPort.StrVal }) {
				t.Errorf("%s has no port %s", owner, p.TargetPort.StrVal)
			}
		}
		return
	}
	t.Errorf("it selects no pod: %v", s.Spec.Selector)
}

// TestImageAndPodAgree compares the image with the pod that runs it: the user, the writable folders
// and the ports.
func TestImageAndPodAgree(t *testing.T) {
	text, err := os.ReadFile("Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	all := readManifests(t)
	pod := pods(all)["abl-lsp"]
	if !slices.Contains(lines, "USER 65532:65532") || *pod.SecurityContext.RunAsUser != 65532 {
		t.Errorf("the pod runs as %d", *pod.SecurityContext.RunAsUser)
	}
	mounts := map[string]bool{}
	for _, m := range pod.Containers[0].VolumeMounts {
		mounts[m.MountPath] = !m.ReadOnly
	}
	for _, folder := range []string{"/var/lib/abl-lsp", "/tmp"} {
		if !mounts[folder] {
			t.Errorf("%s cannot be written", folder)
		}
	}
	i := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "EXPOSE ") })
	if got, want := lines[max(i, 0)], "EXPOSE 8080 9090"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	ports := pod.Containers[0].Ports
	slices.SortFunc(ports, func(a, b core.ContainerPort) int { return cmp.Compare(a.ContainerPort, b.ContainerPort) })
	if len(ports) != 2 || ports[0].ContainerPort != 8080 || ports[1].ContainerPort != 9090 {
		t.Errorf("%+v", ports)
	}
}

// TestEnd checks that a pod has time for the Service to notice its end, and for the calls under way.
func TestEnd(t *testing.T) {
	all := readManifests(t)
	pod := pods(all)["abl-lsp"]
	hook := pod.Containers[0].Lifecycle
	if hook == nil || hook.PreStop == nil || hook.PreStop.Sleep == nil || hook.PreStop.Sleep.Seconds < 1 {
		t.Fatalf("it ends before the Service notices: %+v", hook)
	}
	var operator struct {
		Drain meta.Duration `json:"drain"`
	}
	if err := yaml.Unmarshal([]byte(find[*core.ConfigMap](all, "abl-lsp-operator").Data["operator.yaml"]), &operator); err != nil {
		t.Fatal(err)
	}
	if need := time.Duration(hook.PreStop.Sleep.Seconds)*time.Second + operator.Drain.Duration; operator.Drain.Duration == 0 || time.Duration(*pod.TerminationGracePeriodSeconds)*time.Second <= need {
		t.Errorf("it needs %v, and has %d s", need, *pod.TerminationGracePeriodSeconds)
	}
}

// TestRedisMemory checks that a full Redis refuses to store more before its container is killed.
func TestRedisMemory(t *testing.T) {
	redis := pods(readManifests(t))["abl-lsp-redis"].Containers[0]
	i := slices.Index(redis.Args, "--maxmemory")
	if i < 0 || i+1 == len(redis.Args) {
		t.Fatalf("%q", redis.Args)
	}
	most, err := resource.ParseQuantity(strings.Replace(redis.Args[i+1], "mb", "Mi", 1)) // as Redis counts
	if limit := redis.Resources.Limits.Memory(); err != nil || most.Value() > limit.Value()*4/5 {
		t.Errorf("%v of %v, %v", &most, limit, err)
	}
}
