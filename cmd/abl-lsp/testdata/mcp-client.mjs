// A client of the Model Context Protocol, of its own TypeScript library: it lists the
// tools of a server, calls some, and prints what came as one line of JSON. With a version of
// the protocol from 2026-07-28 on, it is the library's second edition.
import { createRequire } from 'node:module'
import { resolve as absolute } from 'node:path'

const [packages, task, ...words] = process.argv.slice(2)
const require = createRequire(absolute(packages) + '/')
const { calls, answer, headers, awaitChange, version } = JSON.parse(task)
const edition = version ? '@modelcontextprotocol/client' : '@modelcontextprotocol/sdk'
const { Client } = require(version ? edition : `${edition}/client/index.js`)
const { StdioClientTransport } = require(version ? `${edition}/stdio` : `${edition}/client/stdio.js`)
const { StreamableHTTPClientTransport } = require(version ? edition : `${edition}/client/streamableHttp.js`)
const { ElicitRequestSchema, ProgressNotificationSchema, ToolListChangedNotificationSchema, PromptListChangedNotificationSchema } = version
  ? { ElicitRequestSchema: 'elicitation/create', ProgressNotificationSchema: 'notifications/progress' }
  : require(`${edition}/types.js`)

const out = { questions: [], progress: [], results: [] }
const options = { capabilities: answer ? { elicitation: {} } : {}, versionNegotiation: version && { mode: { pin: version } } }
const client = new Client({ name: 'test', version: '1' }, options)
if (answer) {
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    out.questions.push(params.message)
    return { action: answer, content: {} }
  })
}
// As it came: the library's own handler drops a piece that is read together with the answer.
client.setNotificationHandler(ProgressNotificationSchema, ({ params }) => out.progress.push(params.message))
const notification = { tools: ToolListChangedNotificationSchema, prompts: PromptListChangedNotificationSchema }[awaitChange] // of the older edition
const changed = notification && new Promise((resolve) => client.setNotificationHandler(notification, resolve))
const transport = words[0].startsWith('http')
  ? new StreamableHTTPClientTransport(new URL(words[0]), { requestInit: { headers } })
  : new StdioClientTransport({ command: words[0], args: words.slice(1), env: process.env, stderr: 'inherit' })
await client.connect(transport)
out.server = client.getServerVersion().name
const list = async () => (await client.listTools()).tools
out.tools = await list()
for (const params of calls) {
  const progress = { onprogress: () => {} } // asks for progress
  out.results.push(await (version ? client.callTool(params, progress) : client.callTool(params, undefined, progress)))
}
if (awaitChange) {
  console.error('ready for the change')
  await changed
  out.after = awaitChange === 'prompts'
    ? (await client.listPrompts()).prompts.map((p) => `${p.name}(${(p.arguments ?? []).map((a) => a.name)})`)
    : (await list()).map((t) => `${t.name}(${Object.keys(t.inputSchema.properties)})`)
}
await client.close()
console.log(JSON.stringify(out))
