import { createRequire } from 'node:module';
import type * as undici from 'undici';

const require = createRequire(import.meta.url);

/** A hundred modules, which no start waits for that reaches its subgraphs without HTTP. */
export function loadUndici(): typeof undici {
  return require('undici') as typeof undici;
}
