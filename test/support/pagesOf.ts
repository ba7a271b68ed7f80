import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { openBrowser } from './openBrowser.ts';
import type { Product } from './product.ts';
import { atEnd } from './stack/atEnd.ts';

/** A page that a test visits. */
export interface Visit {
  readonly page: Page;
  /** Closes the page. Throws if it requested another host, or had an error other than a refused request. */
  close(): Promise<void>;
}

/** The pages of an installation in a browser. */
export interface Pages {
  /** Scheme, host and port of the installation. */
  origin(): Promise<string>;
  /** Opens a path of the installation in a new window. */
  visit(path: string, options?: BrowserContextOptions): Promise<Visit>;
}

let shared: Promise<Browser> | undefined;

/** Opens pages of the file's installation in the browser of this worker, which closes with the worker. */
export function pagesOf(world: Product): Pages {
  const origin = async (): Promise<string> =>
    `http://${world.market.installation.hosts[0]}:${await world.stack.port()}`;
  return {
    origin,
    async visit(path, options = {}) {
      shared ??= openShared();
      const own = await origin();
      const context = await (await shared).newContext({ locale: 'en-GB', ...options });
      const page = await context.newPage();
      const faults = recordFaults(page, own);
      await page.goto(own + path);
      return {
        page,
        async close() {
          await context.close();
          if (faults.length > 0) throw new Error(`${path} is faulty:\n${faults.join('\n')}`);
        },
      };
    },
  };
}

async function openShared(): Promise<Browser> {
  const browser = await openBrowser();
  atEnd(() => browser.close());
  return browser;
}

/** Collects requests to other hosts, uncaught errors, and errors in the console other than refused requests. */
export function recordFaults(page: Page, origin: string): string[] {
  const faults: string[] = [];
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !/^(?:data|blob):/.test(url)) faults.push(`requests ${url}`);
  });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (line) => {
    if (line.type() === 'error' && !line.text().includes('status of 4')) faults.push(line.text());
  });
  return faults;
}
