import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Kind, parse, visit } from 'graphql';

const suffix = '.fragment.graphql';

/**
 * Returns the names of the route documents under a directory, with `/`, in order. A file `<name>.fragment.graphql` is
 * excluded: it contains a fragment that the documents of its folder share.
 */
export function findRouteFiles(directory: string): string[] {
  return globSync('**/*.graphql', { cwd: directory })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => !file.endsWith(suffix))
    .sort();
}

/**
 * Returns the text of a route document with the shared fragments that it spreads, directly or indirectly. Fragments of
 * the document itself take precedence; undefined ones are reported by the validation.
 *
 * @param file name under `directory`, as returned by `findRouteFiles`
 */
export function readRouteText(directory: string, file: string): string {
  const folder = path.join(directory, path.dirname(file));
  const texts = [readFileSync(path.join(directory, file), 'utf8')];
  const known = new Set<string>();
  for (let index = 0; index < texts.length; index++) {
    const { defined, spread } = fragmentsOf(texts[index] ?? '');
    for (const name of defined) known.add(name);
    for (const name of spread) {
      const shared = path.join(folder, `${name}${suffix}`);
      if (known.has(name) || !existsSync(shared)) continue;
      known.add(name);
      texts.push(readFileSync(shared, 'utf8'));
    }
  }
  return texts.join('\n');
}

/** Returns the names of the fragments that a document defines and spreads; none if it does not parse. */
function fragmentsOf(text: string): { defined: Set<string>; spread: Set<string> } {
  const found = { defined: new Set<string>(), spread: new Set<string>() };
  try {
    visit(parse(text, { noLocation: true }), {
      [Kind.FRAGMENT_DEFINITION]: ({ name }) => void found.defined.add(name.value),
      [Kind.FRAGMENT_SPREAD]: ({ name }) => void found.spread.add(name.value),
    });
  } catch {
    // The next parser of the document reports its errors, by file.
  }
  return found;
}
