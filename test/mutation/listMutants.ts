import path from 'node:path';
import { parseSync } from 'oxc-parser';
import { type Edit, editsOf, type Node } from './operators.ts';

/** One change of one file. */
export interface Mutant {
  readonly file: string;
  readonly line: number;
  /** The lines of the change, without indentation, before and after it. */
  readonly before: string;
  readonly after: string;
  /** The whole file with the change, in its live form. */
  readonly source: string;
}

/** Lists every mutant of a file in order of position. */
export function listMutants(file: string, source: string): readonly Mutant[] {
  const { program, errors } = parseSync(path.basename(file), source);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  const edits: Edit[] = [];
  visit(program as unknown as Node, [], edits, source);
  const mutants = edits
    .toSorted((one, other) => one.start - other.start || one.end - other.end)
    .map((edit) => toMutant(file, source, edit));
  return [...new Map(mutants.map((mutant) => [mutant.source, mutant])).values()];
}

function visit(node: Node, ancestors: readonly Node[], edits: Edit[], source: string): void {
  if (isWithoutCode(node)) return;
  edits.push(...editsOf(node, ancestors, source));
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) visit(child, [node, ...ancestors], edits, source);
    }
  }
}

/** Types and imports have no effect at run time. `x as T`, `x satisfies T` and `x!` contain an expression that has one. */
function isWithoutCode({ type }: Node): boolean {
  if (type.startsWith('Import') || type === 'ExportAllDeclaration') return true;
  return type.startsWith('TS') && !/^TS(?:As|Satisfies|NonNull)Expression$/.test(type);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function toMutant(file: string, source: string, { start, end, text, live }: Edit): Mutant {
  const from = source.lastIndexOf('\n', start - 1) + 1;
  const newline = source.indexOf('\n', end);
  const to = newline === -1 ? source.length : newline;
  const toLine = (lines: string) => lines.replaceAll(/\s+/g, ' ').trim();
  return {
    file,
    line: source.slice(0, start).split('\n').length,
    before: toLine(source.slice(from, to)),
    after: toLine(source.slice(from, start) + text + source.slice(end, to)),
    source: source.slice(0, live.start) + live.text + source.slice(live.end),
  };
}
