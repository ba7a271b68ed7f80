import { Session } from 'node:inspector/promises';
import { stripTypeScriptTypes } from 'node:module';
import { pathToFileURL } from 'node:url';

/** Changes functions of modules while the process runs, as a debugger does. */
export class LiveModules {
  readonly #session = new Session();
  readonly #ids = new Map<string, string>();

  /** Must be called before the modules are loaded. */
  async open(): Promise<void> {
    this.#session.connect();
    this.#session.on('Debugger.scriptParsed', ({ params: { url, scriptId } }) =>
      this.#ids.set(url, scriptId),
    );
    await this.#session.post('Debugger.enable');
  }

  /**
   * Replaces the text of a module. Returns a function that restores it and returns whether it could, or null if it cannot be replaced: the module is
   * not loaded, what changes runs only when it is loaded, or the function is under way.
   */
  async replace(file: string, source: string): Promise<(() => Promise<boolean>) | null> {
    const sourceUrl = pathToFileURL(file).href;
    const scriptId = this.#ids.get(sourceUrl);
    if (scriptId === undefined) return null;
    const { scriptSource: before } = await this.#session.post('Debugger.getScriptSource', { scriptId });
    // Node loads the text with this address as well; without it, the module would count as changed outside of functions.
    if (!(await this.#set(scriptId, stripTypeScriptTypes(source, { sourceUrl })))) return null;
    return () => this.#set(scriptId, before);
  }

  async #set(scriptId: string, scriptSource: string): Promise<boolean> {
    // The types of Node lack the status of the answer.
    const { status } = (await this.#session.post('Debugger.setScriptSource', { scriptId, scriptSource })) as {
      status?: string;
    };
    return status === 'Ok';
  }
}
