// VS Code, as a page reaches it.
const host = acquireVsCodeApi();

export const post = (message: unknown): void => host.postMessage(message);
export const setState = (state: unknown): void => host.setState(state);
export const getState = (): unknown => host.getState();
