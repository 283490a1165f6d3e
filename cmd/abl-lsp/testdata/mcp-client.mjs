// A client of the Model Context Protocol, of its own TypeScript library: it lists the
// tools of a server, calls some, and prints what came as one line of JSON.
import { createRequire } from 'node:module'
import { resolve as absolute } from 'node:path'

const [packages, task, ...words] = process.argv.slice(2)
const require = createRequire(absolute(packages) + '/')
const { Client } = require('@modelcontextprotocol/sdk/client/index.js')
const { StdioClientTransport } = require('@modelcontextprotocol/sdk/client/stdio.js')
const { StreamableHTTPClientTransport } = require('@modelcontextprotocol/sdk/client/streamableHttp.js')
const { ElicitRequestSchema, ProgressNotificationSchema, ToolListChangedNotificationSchema } = require('@modelcontextprotocol/sdk/types.js')

const { calls, answer, headers, awaitChange } = JSON.parse(task)
const out = { questions: [], progress: [], results: [] }
const client = new Client({ name: 'test', version: '1' }, { capabilities: answer ? { elicitation: {} } : {} })
if (answer) {
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    out.questions.push(params.message)
    return { action: answer, content: {} }
  })
}
// As it came: the library's own handler drops a piece that is read together with the answer.
client.setNotificationHandler(ProgressNotificationSchema, ({ params }) => out.progress.push(params.message))
const changed = new Promise((resolve) => client.setNotificationHandler(ToolListChangedNotificationSchema, resolve))
const transport = words[0].startsWith('http')
  ? new StreamableHTTPClientTransport(new URL(words[0]), { requestInit: { headers } })
  : new StdioClientTransport({ command: words[0], args: words.slice(1), env: process.env, stderr: 'inherit' })
await client.connect(transport)
out.server = client.getServerVersion().name
const list = async () => (await client.listTools()).tools
out.tools = await list()
for (const params of calls) {
  out.results.push(await client.callTool(params, undefined, { onprogress: () => {} })) // asks for progress
}
if (awaitChange) {
  console.error('ready for the change')
  await changed
  out.after = (await list()).map((t) => `${t.name}(${Object.keys(t.inputSchema.properties)})`)
}
await client.close()
console.log(JSON.stringify(out))
