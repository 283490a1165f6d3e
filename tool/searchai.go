package tool

// KindSearchAI is the kind of [SearchAI].
const KindSearchAI Kind = "searchai"

// SearchAI is the binding of `type: searchai`: a search in a knowledge base.
type SearchAI struct {
	IndexID            string `json:"index_id,omitempty"`
	KBName             string `json:"kb_name,omitempty"`
	SearchInstructions string `json:"search_instructions,omitempty"`
}

// Kind returns KindSearchAI.
func (*SearchAI) Kind() Kind { return KindSearchAI }

func (*SearchAI) mutates() bool { return false }

var searchAIBinding = binding{
	kind:    KindSearchAI,
	order:   7,
	doc:     "A search in a knowledge base of the platform.",
	edition: Later,
	spec:    func() Spec { return new(SearchAI) },
	fields: []Field{
		{Name: "index_id", Type: String, Required: true, Edition: Later, Doc: "The index to search."},
		{Name: "kb_name", Type: String, Edition: Later, Doc: "The knowledge base's name."},
		{Name: "search_instructions", Type: String, Edition: Later, Doc: "What the search should heed."},
		{Name: "retrieval_profile", Type: WordType, Edition: Later, Doc: "How passages are found, such as `object-aware`."},
		{Name: "tenant_id", Type: String, Edition: Later, Undocumented: true, Doc: "Written by the platform's export; nobody needs to write it."},
	},
}
