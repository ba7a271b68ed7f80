import { createRequire } from 'node:module';
import type * as undici from 'undici';

const require = createRequire(import.meta.url);

/** Loads a hundred modules, which should not slow down a start without remote subgraphs. */
export function loadUndici(): typeof undici {
  return require('undici') as typeof undici;
}
