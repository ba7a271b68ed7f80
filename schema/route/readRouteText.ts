import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Kind, parse, visit } from 'graphql';

const suffix = '.fragment.graphql';

/**
 * Names of the route documents under a directory, with `/`, in order. A file called `<name>.fragment.graphql` is none:
 * it holds a fragment that the documents of its folder share.
 */
export function findRouteFiles(directory: string): string[] {
  return globSync('**/*.graphql', { cwd: directory })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => !file.endsWith(suffix))
    .sort();
}

/**
 * Text of a route document, completed with the shared fragments that it spreads, directly or through another one. A
 * fragment that the document itself defines comes first; an undefined one is left to validation.
 *
 * @param file name under `directory`, as `findRouteFiles` gives it
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

/** Names of the fragments that a document defines and spreads; none of a document that does not parse. */
function fragmentsOf(text: string): { defined: Set<string>; spread: Set<string> } {
  const found = { defined: new Set<string>(), spread: new Set<string>() };
  try {
    visit(parse(text, { noLocation: true }), {
      [Kind.FRAGMENT_DEFINITION]: ({ name }) => void found.defined.add(name.value),
      [Kind.FRAGMENT_SPREAD]: ({ name }) => void found.spread.add(name.value),
    });
  } catch {
    // The next parser of the document reports what is wrong with it, by file.
  }
  return found;
}
