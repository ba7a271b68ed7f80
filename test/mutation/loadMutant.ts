import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

/**
 * Loaded before a test process. Gives Node the mutated text of one module in place of its file, so that neither a copy of
 * the tree is made nor a file is changed.
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
