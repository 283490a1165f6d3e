// The extension YAML of Red Hat, if it is installed.
import { extensions, workspace, type Disposable, type TextDocument } from 'vscode';
import { emptySchema, isAgent, type Contributor } from './agentschema';

/** The part of that extension's API that is used. */
interface YamlApi {
  registerContributor(...contributor: Contributor): boolean;
}

/** Keeps that extension from showing a second time what the server says of agents. It is told when the first agent is
 * opened, because YAML starts it anyway then. */
export function shareAgents(isRunning: () => boolean): Disposable {
  let told = false;
  const tell = async ({ uri }: TextDocument) => {
    const extension = extensions.getExtension<YamlApi | undefined>('redhat.vscode-yaml');
    if (told || !extension || !isAgent(uri.path)) {
      return;
    }
    told = true;
    const api = await extension.activate();
    api?.registerContributor(...emptySchema(isRunning));
  };
  workspace.textDocuments.forEach((document) => void tell(document));
  return workspace.onDidOpenTextDocument((document) => void tell(document));
}
