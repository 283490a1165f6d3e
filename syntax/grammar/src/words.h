// The words that begin a line: keywords of sections, keys whose values are read in
// their own way, the names of all sections, and which names end a group of entries.
//
// Part of scanner.c; only scanner.c includes it.

typedef struct {
  const char *name;
  enum TokenType kind;
} Keyword;

static const Keyword section_keywords[] = {
  {"AGENT", HEADER_KEYWORD}, {"SUPERVISOR", HEADER_KEYWORD}, {"VERSION", HEADER_KEYWORD}, {"LANGUAGE", HEADER_KEYWORD},
  {"DESCRIPTION", TEXT_KEYWORD}, {"GOAL", TEXT_KEYWORD}, {"PERSONA", TEXT_KEYWORD}, {"INSTRUCTIONS", TEXT_KEYWORD},
  {"SYSTEM_PROMPT", TEXT_KEYWORD}, {"TOOLS", TOOLS_KEYWORD}, {"FLOW", FLOW_KEYWORD}, {"STEPS", FLOW_KEYWORD},
  {"WHEN", CONDITION_KEYWORD}, {NULL, SECTION_KEYWORD},
};

static const Keyword keys[] = {
  {"FILE", IMPORT_KEYWORD}, {"ADD", ADD_KEYWORD},
  {"WHEN", CONDITION_KEY}, {"IF", CONDITION_KEY}, {"CHECK", CONDITION_KEY}, {"FILTER", CONDITION_KEY},
  {"EXIT_WHEN", CONDITION_KEY}, {"COMPLETE_WHEN", CONDITION_KEY}, {"CONDITION", CONDITION_KEY},
  {"BUTTON", LABEL_KEY}, {"CODE", RAW_KEY}, {"STATEMENT", RAW_KEY}, {"BODY_SCHEMA", RAW_KEY}, {"CALL", CALL_KEY}, {"SET", SET_KEY}, {"WITH", SET_KEY}, {"MAP", SET_KEY},
  {"ENTRY_POINT", FLOW_KEY}, {"GLOBAL_DIGRESSIONS", FLOW_KEY}, {"STEPS", STEPS_KEY},
  {NULL, KEY},
};

// The names of the language's sections. One of these at column 0 ends a FLOW.
static const char *const section_names[] = {
  "ACTIONS", "ACTION_HANDLERS", "AGENT", "AGENTS", "ATTACHMENTS", "BEHAVIOR", "BEHAVIOR_PROFILE", "COMMUNICATION", "COMPLETE",
  "CONSTRAINTS", "CONVERSATION", "DELEGATE", "DESCRIPTION", "DESTINATIONS", "ENTITIES", "ESCALATE", "EXECUTION", "FLOW",
  "FLOW_MODIFICATIONS", "FLOW_REPLACE", "GATHER", "GATHER_OVERRIDES", "GOAL", "GUARDRAILS", "HANDOFF", "HOOKS", "IDENTITY",
  "INSTRUCTIONS", "INTENTS", "LANGUAGE", "LIMITATIONS", "LOOKUP_TABLES", "MEMORY", "MESSAGES", "MULTI_INTENT", "NLU", "ON_ERROR",
  "ON_START", "PERSONA", "POLICIES", "PRIORITY", "RESPONSE", "RESPONSE_RULES", "RETURN_HANDLERS", "RICH_CONTENT", "ROUTING", "STATE",
  "STEPS", "SUPERVISOR", "SYSTEM_PROMPT", "TEMPLATES", "TESTS", "TOOLS", "TOOLS_ADD", "TOOLS_HIDE", "TRANSFER_FLOW_POLICIES",
  "USE_BEHAVIOR_PROFILE", "VERSION", "VOICE", "WHEN",
};

static bool is_section_name(const Word *w) {
  for (unsigned i = 0; i < sizeof section_names / sizeof *section_names; i++) {
    if (word_is(w, section_names[i])) return true;
  }
  return false;
}

// Returns whether the entries here are in groups, so that an edit visits few of them.
static inline bool is_long_block(const bool *valid) { return valid[TOOL_NAME] || valid[FLOW_KEY]; }

// Returns whether the entry of this name is the last of its group; one in 16 is. Only the
// name decides, so that an edit does not change the other groups.
static bool ends_group(const Word *w) {
  uint32_t hash = 2166136261; // FNV-1a
  for (unsigned i = 0; i < w->length && i < MAX_WORD; i++) hash = (hash ^ (uint8_t)w->text[i]) * 16777619;
  return hash % 16 == 0;
}
