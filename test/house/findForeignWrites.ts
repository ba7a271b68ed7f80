import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { domains } from './rules.ts';

/** A file that could write records of another domain. */
export interface ForeignWrite {
  readonly file: string;
  readonly model: string;
}

/**
 * Calls of `scoped` with the model of another domain: only a domain writes its own collections, so others read them by `reads`.
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
      return foreignModels(file, text)
        .filter((model) => new RegExp(`\\bscoped\\(\\s*${model}\\b`).test(text))
        .map((model) => ({ file, model }));
    });
}

/** Names of models that a file imports from another domain of its subgraph. */
function foreignModels(file: string, text: string): string[] {
  return [...text.matchAll(/import \{([^}]*)\} from '(\.[^']+)'/g)].flatMap(
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
