// The tools of a code forge.
import type { ToolDefinition } from "./types";

const VERSION = "1.0";

export const TOOLS: Record<string, ToolDefinition> = {
  listRepositories: {
    name: "listRepositories",
    description: "List repositories for the authenticated user",
    inputSchema: {
      type: "object",
      properties: {
        per_page: { type: "number", description: "Results per page (max 100)" },
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
} as const;
