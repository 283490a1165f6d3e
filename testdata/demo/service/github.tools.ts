// The tools of a service, in the form of its own documentation. Each is handled by the
// function of its name in the module that abl.yaml names.
export const TOOLS = {
  listRepositories: {
    name: "listRepositories",
    description: "List repositories for the authenticated user",
    inputSchema: {
      type: "object",
      properties: {
        per_page: { type: "number", minimum: 1, maximum: 100, description: "Results per page (max 100)" },
        sort: {
          type: "string",
          enum: ["created", "updated", "pushed", "full_name"],
          description: "Sort field",
        },
      },
    },
    outputSchema: {
      type: "array",
      items: {
        type: "object",
        properties: {
          id: { type: "number" },
          full_name: { type: "string" },
          language: { type: "string" },
        },
      },
    },
    streaming: false,
    mutation: false,
  },

  createRepository: {
    name: "createRepository",
    description: "Create a new repository",
    inputSchema: {
      type: "object",
      properties: {
        name: { type: "string", description: "Repository name" },
        private: { type: "boolean", description: "Whether the repo is private" },
      },
      required: ["name"],
    },
    outputSchema: {
      type: "object",
      properties: {
        id: { type: "number" },
        full_name: { type: "string" },
        html_url: { type: "string" },
      },
    },
    streaming: false,
    mutation: true,
  },

  streamMessage: {
    name: "streamMessage",
    description: "Answer a question, word by word",
    inputSchema: {
      type: "object",
      properties: { question: { type: "string", description: "What to answer" } },
      required: ["question"],
    },
    outputSchema: { type: "string" },
    streaming: true,
    mutation: false,
  },
} as const;
