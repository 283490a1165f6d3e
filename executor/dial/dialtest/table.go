package dialtest

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/executor/dial"
)

// Row is a URL, and the expected outcome of a request for it.
type Row struct {
	URL     string
	Allow   []string    // what the person allows
	Reaches string      // the one address that is connected to; "": none
	Refused dial.Reason // why none is; "": it is no URL, or a name without an address
}

// group is a set of rows that differ only in the URL.
type group struct {
	reaches string
	refused dial.Reason
	allow   string
	urls    string
}

// Rows returns the table. It covers the registries of special-purpose addresses, and the ways to
// hide such an address in a URL, a name or another address.
func Rows() []Row {
	var rows []Row
	for _, g := range groups() {
		for _, url := range strings.Fields(g.urls) {
			rows = append(rows, Row{URL: url, Allow: strings.Fields(g.allow), Reaches: g.reaches, Refused: g.refused})
		}
	}
	for _, c := range []string{"\t", "\r", "\n", "\x00", "\x7f", `\`} {
		for _, url := range []string{"http://exa" + c + "mple.com/", "http://example.com/a" + c + "b", "ht" + c + "tp://example.com"} {
			rows = append(rows, Row{URL: url, Refused: dial.URL})
		}
	}
	return rows
}

func groups() []group {
	return []group{
		{refused: dial.Private, urls: `http://127.0.0.1/ http://127.8.9.1/ http://[::1]/ http://localhost/ http://LOCALHOST./ http://localhost:8080/`},
		{refused: dial.URL, urls: `http://127.1/ http://2130706433/ http://0x7f000001/ http://0177.0.0.1/ http://0x7f.1/ http://0X7F.1/
			http://127.0.0.01/ http://127.0.0.1.0x0/ http://1.2.3.4.5/ http://256.0.0.1/ http://0/ http://127.0x1/ http://127.1./ http://0x/`},
		{refused: dial.Private, urls: `http://0.0.0.0/ http://[::]/ http://0.0.0.1/`},
		{refused: dial.Private, urls: `http://10.0.0.1/ http://172.16.0.1/ http://172.31.255.255/ http://192.168.1.1/ http://169.254.1.1/ http://100.64.0.1/
			http://192.0.0.1/ http://224.0.0.1/ http://239.1.1.1/ http://255.255.255.255/`},
		{refused: dial.Metadata, urls: `http://169.254.169.254/latest http://169.254.170.2/ http://100.100.100.200/ http://168.63.129.16/ http://192.0.0.192/
			http://[fd00:ec2::254]/ http://metadata.example/ http://azure.example/`},
		{refused: dial.Private, urls: `http://192.0.2.1/ http://198.18.0.1/ http://198.51.100.1/ http://203.0.113.1/ http://192.88.99.1/ http://240.0.0.1/`},
		{refused: dial.Private, urls: `http://[::ffff:127.0.0.1]/ http://[::ffff:7f00:1]/ http://[::127.0.0.1]/ http://[::5efe:10.0.0.1]/ http://only-mapped.example/`},
		{refused: dial.Private, urls: `http://[2001:470:1:2::5efe:10.0.0.1]/ http://[2001:470:1:2:200:5efe:10.0.0.1]/`},
		{refused: dial.Private, urls: `http://[64:ff9b::7f00:1]/ http://[64:ff9b::a00:1]/ http://[64:ff9b:1::1]/ http://[64:ff9b:1::808:808]/`},
		{refused: dial.Metadata, urls: `http://[64:ff9b::a9fe:a9fe]/ http://[64:ff9b:1::a9fe:a9fe]/ http://[2002:a9fe:a9fe::1]/ http://[::ffff:169.254.169.254]/`},
		{reaches: "[64:ff9b::808:808]:80", urls: `http://[64:ff9b::808:808]/`},
		{refused: dial.Private, urls: `http://[2002:7f00:1::]/ http://[2002:808:808::1]/ http://[2001::1]/ http://[2001:0:1::1]/ http://[fc00::1]/ http://[fd12::1]/
			http://[fe80::1]/ http://[fec0::1]/ http://[ff02::1]/ http://[2001:db8::1]/ http://[3fff::1]/ http://[5f00::1]/ http://[100::1]/ http://[2620:4f:8000::1]/`},
		{refused: dial.URL, urls: `http://[fe80::1%25lo]/ http://[2606:4700:4700::1111%25eth0]/`},
		{reaches: "8.8.8.8:80", urls: `http://8.8.8.8/ http://example.com http://EXAMPLE.com./ http://example.com:80/`},
		{reaches: "[2606:4700:4700::1111]:443", urls: `https://[2606:4700:4700::1111]/`},
		{reaches: "8.8.8.8:80", urls: `http://rebind.example/ http://private-first.example/`},
		{reaches: "[2606:4700:4700::1111]:8080", urls: `http://rebind6.example:8080/`},
		{refused: dial.Private, urls: `http://intranet.example/ http://deceiving.127.0.0.1.at/`},
		{refused: dial.URL, urls: `http://good@127.0.0.1/ http://a:b@example.com/ http://good\@127.0.0.1/ http://example.com\.evil/`},
		{refused: dial.Private, urls: `http://127.0.0.1#@good http://127.0.0.1?@good`},
		{refused: dial.Private, urls: `http://127。0。0。1/ http://127.0.0.1./ http://①②⑦.0.0.1/ http://ⓛocalhost/`},
		{reaches: "8.8.4.4:80", urls: `http://BÜCHER.example/ http://bücher。example/ http://xn--bcher-kva.example/`},
		{refused: dial.Private, urls: `http://[::1]:80/`},
		{urls: `http://%00/ http://exa%6dple.com/ http://[::1 /relative relative http://[::1]x/ http://no-such.example/`},
		{refused: dial.URL, urls: `http://example.com:0/ http://example.com:99999/ http://:80/ http:/// http://a..b/ http://a,b/`},
		{refused: dial.URL, urls: `file:///etc/passwd gopher://example.com/ ftp://example.com/ data:text/plain,x unix:///run/x.sock mailto:a@b javascript:1 http:example.com`},

		{reaches: "127.0.0.1:3000", allow: "127.0.0.1:3000", urls: `http://127.0.0.1:3000/ http://localhost:3000/ http://[::ffff:127.0.0.1]:3000/`},
		{refused: dial.Private, allow: "127.0.0.1:3000", urls: `http://127.0.0.1:3001/ http://127.0.0.2:3000/ http://[::1]:3000/ http://10.0.0.1:3000/`},
		{reaches: "[::1]:3000", allow: "localhost:3000", urls: `http://localhost:3000/ http://LocalHost.:3000/`},
		{refused: dial.Private, allow: "localhost:3000", urls: `http://localhost:3001/ http://127.0.0.1:3000/ http://intranet.example:3000/`},
		{reaches: "10.0.0.1:80", allow: "10.0.0.0/16", urls: `http://10.0.0.1/ http://intranet.example/`},
		{refused: dial.Private, allow: "10.0.0.0/16", urls: `http://10.1.0.1/ http://192.168.0.1/`},
		{reaches: "[fd00::1]:80", allow: "fd00::/8", urls: `http://intranet.example/`},
		{reaches: "10.0.0.1:80", allow: "intranet.example", urls: `http://intranet.example`},
		{reaches: "[::1]:80", allow: "[::1]:80 ", urls: `http://[::1]/ http://localhost/`},
		{refused: dial.Metadata, allow: "169.254.169.254 0.0.0.0/0 ::/0 metadata.example", urls: `http://169.254.169.254/ http://metadata.example/
			http://[fd00:ec2::254]/ http://168.63.129.16/ http://[64:ff9b::a9fe:a9fe]/ http://[::a9fe:a9fe]/ http://100.100.100.200/`},
		{refused: dial.URL, allow: "0.0.0.0/0", urls: `http://127.1/ http://user@127.0.0.1/`},
	}
}
