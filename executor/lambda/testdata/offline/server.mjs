// The AWS Lambda of npm's serverless-offline, with the function of handler.mjs. Prints its
// port once it answers, and ends with its input.
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const folder = dirname(fileURLToPath(import.meta.url));
const module = createRequire(`${process.argv[2]}/`).resolve("serverless-offline/lambda");
const { default: Lambda } = await import(pathToFileURL(module));

const serverless = {
  config: { servicePath: folder, serverlessPath: folder },
  service: { service: "abl", provider: { name: "aws", region: "eu-west-1", runtime: "nodejs20.x" } },
};
const lambda = new Lambda(serverless, { host: "127.0.0.1", lambdaPort: 0, terminateIdleLambdaTime: 60 });
lambda.create([{ functionKey: "documents", functionDefinition: { name: "documents", handler: "handler.process_document", timeout: 30 } }]);
await lambda.start();
console.log(process._getActiveHandles().find((h) => h.listening).address().port); // which it does not tell
process.stdin.on("end", () => process.exit()).resume();
