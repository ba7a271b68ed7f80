import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { domains } from './rules.ts';

/** A file that could write records of another domain. */
export interface ForeignWrite {
  readonly file: string;
  readonly model: string;
}

/** Where a model of another domain may stand: as the argument of a function that only reads, or in a list of models. */
const reading = /(?:\b(?:reads|recordLoader|outboxSource|noteSource)(?:<[^;]*>)?\(\s*|\bmodels: \[[\w\s,]*)$/;

/**
 * Files that use a model of another domain for anything but reading: only a domain writes its own collections.
 *
 * @param root folder that holds the product
 */
export function findForeignWrites(root: string): ForeignWrite[] {
  return globSync(`subgraphs/{${Object.keys(domains).join(',')}}/**/*.ts`, { cwd: root })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => !/\.test\.ts$|\/fixture\//.test(file))
    .sort()
    .flatMap((file) => {
      const text = readFileSync(path.join(root, file), 'utf8');
      const code = text.replace(/^import [^;]*;/gm, '').replace(/\/\*.*?\*\/|\/\/[^\n]*/gs, '');
      return foreignModels(file, text)
        .filter((model) => !isOnlyRead(model, code))
        .map((model) => ({ file, model }));
    });
}

function isOnlyRead(model: string, code: string): boolean {
  const uses = [...code.matchAll(new RegExp(`\\b${model}\\b`, 'g'))];
  return uses.every(({ index }) => reading.test(code.slice(0, index)));
}

/** Names of models that a file imports from another domain of its subgraph, as the file calls them. */
function foreignModels(file: string, text: string): string[] {
  return [...text.matchAll(/^import \{([^}]*)\} from '(\.[^']+)'/gm)].flatMap(
    ([, names = '', specifier = '']) => {
      const imported = path.posix.join(path.posix.dirname(file), specifier);
      if (subgraphOf(imported) !== subgraphOf(file) || domainOf(imported) === domainOf(file)) return [];
      return names.split(',').flatMap((name) => /\b(\w+Model)\s*$/.exec(name)?.[1] ?? []);
    },
  );
}

function domainOf(file: string): string {
  return file.split('/').slice(0, 3).join('/');
}

function subgraphOf(file: string): string {
  return file.split('/').slice(0, 2).join('/');
}
