package oauthtest

import (
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
)

// Person signs in with a browser: an HTTP client with cookies that follows redirects and
// fills in forms.
type Person struct {
	Name    string
	Refuses bool // refuses the client access
	browser *http.Client
}

// maxPages bounds the number of pages of a sign-in.
const maxPages = 12

var (
	formPattern   = regexp.MustCompile(`(?s)<form[^>]*action="([^"]*)".*?</form>`)
	hiddenPattern = regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)"`)
	abortPattern  = regexp.MustCompile(`href="([^"]*/abort)"`)
)

// SignIn follows the pages of a sign-in from a URL on, and returns the text of the last page.
func (p *Person) SignIn(page string) (string, error) {
	if p.browser == nil {
		jar, err := cookiejar.New(nil)
		if err != nil {
			return "", err
		}
		p.browser = &http.Client{Jar: jar}
	}
	at, text, err := p.openPage(p.browser.Get(page))
	for range maxPages {
		if err != nil {
			return "", err
		}
		found := formPattern.FindStringSubmatch(text)
		if found == nil || strings.Contains(text, "<title>abl-lsp") {
			return text, nil
		}
		at, text, err = p.fillForm(at, found, text)
	}
	return "", fmt.Errorf("no end after %d pages: %s", maxPages, text)
}

// fillForm submits a form with the person's name, and agrees to everything else.
func (p *Person) fillForm(at *url.URL, found []string, text string) (*url.URL, string, error) {
	values := url.Values{}
	for _, input := range hiddenPattern.FindAllStringSubmatch(found[0], -1) {
		values.Set(input[1], input[2])
	}
	if strings.Contains(found[0], `name="login"`) {
		values.Set("login", p.Name)
		values.Set("password", "any")
	} else if out := abortPattern.FindStringSubmatch(text); p.Refuses && out != nil {
		to, err := at.Parse(out[1])
		if err != nil {
			return nil, "", err
		}
		return p.openPage(p.browser.Get(to.String()))
	}
	to, err := at.Parse(strings.ReplaceAll(found[1], "&amp;", "&"))
	if err != nil {
		return nil, "", err
	}
	return p.openPage(p.browser.PostForm(to.String(), values))
}

func (p *Person) openPage(resp *http.Response, err error) (*url.URL, string, error) {
	if err != nil {
		return nil, "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	return resp.Request.URL, string(body), err
}
