import { parseTemplate } from '../../schema/route/pathTemplate.ts';

/** Matched path: its target, and the raw values of its parameters in order. */
export interface PathMatch<Target> {
  readonly target: Target;
  readonly values: readonly string[];
}

interface TrieNode<Target> {
  readonly literals: Map<string, TrieNode<Target>>;
  parameter?: TrieNode<Target>;
  target?: Target;
}

const noValues: readonly string[] = [];

/**
 * Creates a matcher of raw paths against templates, segment by segment; a literal precedes a parameter. Nothing is
 * decoded or normalized: another case, an escaped letter or slash, a trailing or double slash is another path. A check
 * of a path by its text therefore covers every spelling that reaches it.
 *
 * @param entries templates and their targets; a duplicate template is an error of the caller
 */
export function createMatcher<Target>(
  entries: Iterable<readonly [template: string, target: Target]>,
): (path: string) => PathMatch<Target> | null {
  const root: TrieNode<Target> = { literals: new Map() };
  const exact = new Map<string, PathMatch<Target>>();
  for (const [template, target] of entries) {
    insert(root, template, target);
    if (!template.includes('{')) exact.set(template, { target, values: noValues });
  }
  return (path) => {
    const found = exact.get(path);
    if (found) return found;
    if (path.charCodeAt(0) !== 47) return null;
    const values: string[] = [];
    const target = find(root, path, 1, values);
    return target === undefined ? null : { target, values };
  };
}

function insert<Target>(root: TrieNode<Target>, template: string, target: Target): void {
  let node = root;
  for (const segment of parseTemplate(template)) {
    if ('parameter' in segment) {
      node.parameter ??= { literals: new Map() };
      node = node.parameter;
      continue;
    }
    let next = node.literals.get(segment.literal);
    if (!next) node.literals.set(segment.literal, (next = { literals: new Map() }));
    node = next;
  }
  node.target = target;
}

/** Searches depth first, literals before parameters; the templates bound the depth, not the path. */
function find<Target>(
  node: TrieNode<Target>,
  path: string,
  start: number,
  values: string[],
): Target | undefined {
  const slash = path.indexOf('/', start);
  const end = slash === -1 ? path.length : slash;
  const segment = path.slice(start, end);
  const literal = node.literals.get(segment);
  if (literal) {
    const target = slash === -1 ? literal.target : find(literal, path, slash + 1, values);
    if (target !== undefined) return target;
  }
  const { parameter } = node;
  if (!parameter || segment === '') return undefined;
  values.push(segment);
  const target = slash === -1 ? parameter.target : find(parameter, path, slash + 1, values);
  if (target === undefined) values.pop();
  return target;
}
