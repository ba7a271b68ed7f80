import { loadBuilders } from '../../app/product/loadBuilders.ts';
import type { NewInstallation } from '../../subgraphs/identity/createInstallation.ts';
import { type SeededInstallation, seed } from './seed.ts';
import { lazily } from './stack/lazily.ts';
import type { HttpAnswer, HttpRequest } from './stack/openHttpClient.ts';
import { openTestStack, type StackOptions, type TestStack } from './stack/openTestStack.ts';
import type { RestAnswer, RestCall, ServedStack } from './stack/serveStack.ts';
import { openSharedStack } from './stack/sharedStack.ts';
import './toBeRefused.ts';

export { perFile, perTest } from './stack/lazily.ts';

/** Options with which a file opens a separate stack: settings of the stack, and how it is served. */
export type ProductOptions = Omit<StackOptions, 'subgraphs'>;

/** The product in a test file. Its members can be destructured at once and used from the first hook on. */
export interface Product {
  readonly stack: TestStack;
  /** The installation of this file, with its users, dealers and categories. */
  readonly market: SeededInstallation;
  /** Calls a route of the file's installation over HTTP. */
  rest(method: string, path: string, call?: RestCall): Promise<RestAnswer>;
  /** Sends an unchanged request to the file's installation. */
  send(request: HttpRequest): Promise<HttpAnswer>;
  /** Creates a further installation. */
  neighbour(options?: Partial<NewInstallation>): Promise<SeededInstallation>;
}

/**
 * Opens the product for this file: `const { market } = product()` at its top, `market.seller()` in its tests. The three
 * subgraphs, router and facade are those of the worker, shared with other files; the installation is the file's own. Its
 * clock starts at the real time and belongs to the file.
 *
 * A process has one connection to a database, so two products of a file need separate describes.
 *
 * @param options settings of a separate stack with a separate database. A function if they exist only from an earlier hook
 *   on
 */
export function product(options?: ProductOptions | (() => ProductOptions)): Product {
  let stack: TestStack;
  let market: SeededInstallation;
  beforeAll(async () => {
    const own = typeof options === 'function' ? options() : options;
    stack = own ? await openOwnStack(own) : await openSharedStack();
    market = await seed(stack).installation();
  }, 60_000);
  afterAll(() => (options ? stack.close() : stack.resetClock()));
  return {
    stack: lazily(() => stack),
    market: lazily(() => market),
    rest: (method, path, call) => stack.rest(method, path, { host: market.installation.hosts[0], ...call }),
    send: async (request) =>
      (await stack.serve()).send({ host: market.installation.hosts[0] ?? '', ...request }),
    neighbour: (options) => seed(stack).installation(options),
  };
}

/** The product over HTTP on a separate database. */
export interface ServedProduct extends ServedStack {
  readonly stack: TestStack;
}

/** Opens a product that the caller closes. Test files use `product` instead. */
export async function openProduct(options: ProductOptions = {}): Promise<ServedProduct> {
  const stack = await openOwnStack(options);
  return { ...(await stack.serve()), stack, close: stack.close };
}

async function openOwnStack(options: ProductOptions): Promise<TestStack> {
  return openTestStack({ subgraphs: Object.values(await loadBuilders()), ...options });
}
