package analysis

// maxImportFixes is how many files are offered for one name.
const maxImportFixes = 3

// ImportFixes are the ways to import a tool into the file at path, one for each
// library of the workspace that declares it. The offset is where the tool is
// asked for: a TOOLS section is made in front of that section, if need be.
func ImportFixes(w Workspace, path, name string, offset int) []Fix {
	f := w.Files.Get(path)
	var fixes []Fix
	for _, p := range w.Paths() {
		from := w.Files.Get(p)
		if from.Kind != Library || p == path || !DeclaresTool(from, name) {
			continue
		}
		written := Relative(path, p)
		if written == "" {
			continue
		}
		at, s := ImportEdit(f, p, written, name, offset)
		fixes = append(fixes, Change("Import `"+name+"` from `"+written+"`", at, s))
		if len(fixes) == maxImportFixes {
			break
		}
	}
	for i := range fixes {
		fixes[i].Best = len(fixes) == 1
	}
	return fixes
}

// Brings reports whether the bracket list has the name.
func Brings(i Import, name string) bool {
	return i.NameOf(name, "") >= 0
}
