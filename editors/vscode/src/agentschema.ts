// Which schema of agents in YAML the extension YAML of Red Hat gets. By that of package.json it describes, completes and
// checks them, as the server does: while the server runs, everything would be shown twice.

/** The arguments with which Red Hat's extension is told of schemas: the scheme of their URIs, which one a file has, and its text. */
export type Contributor = [scheme: string, requestSchema: (file: string) => string | undefined, requestContent: (schema: string) => string];

/** Returns what gives agents an empty schema while the server runs. Without an answer for a file, the schema of package.json holds. */
export function emptySchema(isRunning: () => boolean): Contributor {
  return ['abl-agent', (file) => (isAgent(file) && isRunning() ? 'abl-agent://schema/empty' : undefined), () => '{}'];
}

/** Reports whether a path or URI is that of an agent in YAML. */
export function isAgent(file: string): boolean {
  return file.endsWith('.agent.yaml');
}
