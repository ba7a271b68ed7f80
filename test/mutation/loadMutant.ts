import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

/**
 * Is loaded before a test process. Returns the mutated text of one module to Node instead of its file, so that no file is
 * copied or changed.
 */
const { MUTATED_MODULE: url, MUTATED_SOURCE: file } = process.env;
if (url && file) {
  const source = readFileSync(file, 'utf8');
  registerHooks({
    load: (loaded, context, nextLoad) =>
      loaded.split('?')[0] === url
        ? { format: 'module-typescript', shortCircuit: true, source }
        : nextLoad(loaded, context),
  });
}
