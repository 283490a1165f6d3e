package main

import (
	"fmt"
	"path"
	"regexp"
	"strings"
)

// permissiveSentences are sentences that identify the licences which released files may
// have.
var permissiveSentences = map[string]*regexp.Regexp{
	"MIT":           regexp.MustCompile(`(?i)permission is hereby granted, free of charge,? to any person`),
	"BSD":           regexp.MustCompile(`(?i)redistribution and use in source and binary forms`),
	"Apache-2.0":    regexp.MustCompile(`(?i)apache license,? version 2\.0`),
	"ISC":           regexp.MustCompile(`(?i)permission to use, copy, modify, and(/or)? distribute this software for any purpose with or without fee`),
	"MPL-2.0":       regexp.MustCompile(`(?i)mozilla public license,? version 2\.0`),
	"PSF-2.0":       regexp.MustCompile(`(?i)psf license agreement`),
	"BlueOak-1.0.0": regexp.MustCompile(`(?i)blue oak model license version 1\.0\.0`),
	"none":          regexp.MustCompile(`(?i)dedicated to the public domain`),
}

// restrictive matches licences that put conditions on using the program.
var restrictive = regexp.MustCompile(`(?i)gnu (lesser |library |affero )?general public license,? version|server side public license|business source license|commons clause|all advertising materials`)

// secondaryLicense is the sentence of the MPL about licences that its code may be
// combined with. It does not count as restrictive.
const secondaryLicense = `"Secondary License" means either the GNU General Public License, Version 2.0, the GNU Lesser General Public License, Version 2.1, the GNU Affero General Public License, Version 3.0, or any later versions of those licenses.`

var noLicence = regexp.MustCompile(`(?i)^(notice|patents|copyright)`) // they are no licences

// check returns an error if the licences of a part are missing or not permissive.
func (p part) check() error {
	known := false
	for _, its := range p.texts {
		if noLicence.MatchString(path.Base(its.name)) {
			continue
		}
		if licenceOf(its.content) == "" {
			return fmt.Errorf("%s: %s is not known to be a permissive licence", p.name, its.name)
		}
		known = true
	}
	if !known {
		return fmt.Errorf("%s has no licence", p.name)
	}
	return nil
}

// licenceOf returns the name of the permissive licence of a text, "" if it is none.
func licenceOf(content string) string {
	words := strings.Join(strings.Fields(commentMarks.ReplaceAllString(content, "")), " ")
	if restrictive.MatchString(strings.ReplaceAll(words, secondaryLicense, "")) {
		return ""
	}
	for name, sentence := range permissiveSentences {
		if sentence.MatchString(words) {
			return name
		}
	}
	return ""
}

var commentMarks = regexp.MustCompile(`(?m)^\s*(//|#|\*+)`) // some write it as one
