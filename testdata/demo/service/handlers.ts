type Context = {
  settings: { url: string };
  auth: { token: string };
  signal: AbortSignal;
};

type Event = { type: string; delta?: { text: string } };

async function call({ settings, auth, signal }: Context, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${auth.token}`, "content-type": "application/json" };
  const response = await fetch(settings.url + path, { ...init, headers, signal });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response;
}

async function* events(response: Response): AsyncGenerator<Event> {
  let text = "";
  for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
    text += part;
    const lines = text.split("\n");
    text = lines.pop()!;
    for (const line of lines) if (line.startsWith("data: ")) yield JSON.parse(line.slice(6));
  }
}

export default {
  async listRepositories(args: { per_page?: number; sort?: string }, context: Context) {
    const query = new URLSearchParams({ sort: args.sort ?? "full_name", per_page: String(args.per_page ?? 30) });
    return (await call(context, `/user/repos?${query}`)).json();
  },

  async createRepository(args: { name: string; private?: boolean }, context: Context) {
    return (await call(context, "/user/repos", { method: "POST", body: JSON.stringify(args) })).json();
  },

  streamMessage: async function* (args: { question: string }, context: Context) {
    const response = await call(context, "/messages", { method: "POST", body: JSON.stringify(args) });
    for await (const event of events(response)) {
      if (event.type === "content_block_delta") {
        yield event.delta!.text;
      }
    }
  },
};
