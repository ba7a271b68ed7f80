const { console: ownConsole } = globalThis;
const { env: ownEnvironment, exit } = process;

/**
 * The realm of the worker as the environment of a test file. What tests change most is put back behind each file:
 * environment variables, the console, `process.exit`; anything else global they put back themselves.
 */
export default class RealmEnvironment {
  readonly global = globalThis;
  #variables: NodeJS.ProcessEnv = {};

  /** Called after the setup files, whose variables stay. */
  async setup(): Promise<void> {
    // Jest looks every frame of every error up in source maps, of which there are none.
    Reflect.deleteProperty(Error, 'prepareStackTrace');
    this.#variables = { ...process.env };
  }

  async teardown(): Promise<void> {
    globalThis.console = ownConsole;
    process.exit = exit;
    process.env = ownEnvironment;
    for (const name of Object.keys(process.env)) if (!(name in this.#variables)) delete process.env[name];
    Object.assign(process.env, this.#variables);
    dropState();
  }

  /** Jest asks for one of every environment; nothing runs in it. */
  getVmContext(): null {
    return null;
  }

  exportConditions(): string[] {
    return ['node', 'node-addons'];
  }
}

/** jest-circus keeps the tests of a file in a global, with all that they hold. */
function dropState(): void {
  for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
    if (symbol.description === 'JEST_STATE_SYMBOL') Reflect.deleteProperty(globalThis, symbol);
  }
}
