import { analyze } from '../../../subgraphs/seo/engine/analyze.ts';
import type { AnalysisInput } from '../../../subgraphs/seo/engine/contract.ts';
import type { CheckId, Ruleset } from '../../../subgraphs/seo/engine/ruleset/Ruleset.ts';
import { ruleset2026 } from '../../../subgraphs/seo/engine/ruleset/ruleset2026.ts';
import { verdictOf } from './runCheck.ts';

/** Numbers of a ruleset by their JSON pointers. */
export type Numbers = Readonly<Record<string, number>>;

/** Both sides of one threshold of the ruleset. */
export interface ThresholdRow {
  /** JSON pointer of the number. */
  readonly path: string;
  /** Other numbers that would hide this one. They are replaced for the whole row. */
  readonly also?: Numbers;
  /** Verdicts on inputs just inside and just outside of the limit. */
  readonly expected: readonly [inside: string, outside: string];
  inside(ruleset: Ruleset): string;
  outside(ruleset: Ruleset): string;
  /** A limit at which the inside input is outside. */
  readonly tighter: number;
  /** A limit at which the outside input is inside. Null if there is none. */
  readonly looser: number | null;
}

type Expected = ThresholdRow['expected'];
type Probe = (value: number) => AnalysisInput;

interface RowOptions {
  readonly also?: Numbers;
  /** Step beside the limit. Default: 1. */
  readonly unit?: number;
  /** Whether no input below the limit can be inside, for any ruleset. */
  readonly unreachable?: boolean;
}

/** The built-in ruleset with other numbers. */
export function withNumbers(numbers: Numbers): Ruleset {
  const ruleset = structuredClone(ruleset2026);
  for (const [path, value] of Object.entries(numbers)) {
    const names = namesOf(path);
    const last = names.pop() ?? '';
    const holder = names.reduce<Record<string, unknown>>(
      (object, name) => object[name] as Record<string, unknown>,
      ruleset as unknown as Record<string, unknown>,
    );
    holder[last] = value;
  }
  return ruleset;
}

/** The number at a pointer. */
export function numberAt(path: string): number {
  const found = namesOf(path).reduce<unknown>(
    (object, name) => (object as Record<string, unknown>)[name],
    ruleset2026,
  );
  if (typeof found !== 'number') throw new Error(`${path} is no number of the ruleset`);
  return found;
}

/** Pointers of all numbers below an object of the ruleset. */
export function pathsOf(value: unknown, at: string): string[] {
  if (typeof value === 'number') return [at];
  return Object.entries(value as object).flatMap(([name, member]) => pathsOf(member, `${at}/${name}`));
}

function verdictBy(path: string, input: AnalysisInput): (ruleset: Ruleset) => string {
  const [id] = path.split('/');
  return (ruleset) => {
    const [result] = analyze({ locale: 'en', ...input, checks: [id as CheckId] }, ruleset).checks;
    if (!result) throw new Error(`${id} is not in the registry`);
    return verdictOf(result);
  };
}

/** A row of two inputs. `path` begins with the id of the check. */
export function row(
  path: string,
  inputs: readonly [inside: AnalysisInput, outside: AnalysisInput],
  [tighter, looser]: readonly [number, number | null],
  expected: Expected,
  also: Numbers = {},
): ThresholdRow {
  const [inside, outside] = [verdictBy(path, inputs[0]), verdictBy(path, inputs[1])];
  return { path: at(path), also, expected, inside, outside, tighter, looser };
}

/** An upper limit. The value itself is inside, and one unit more is outside. */
export function upTo(path: string, probe: Probe, expected: Expected, { unit = 1, also }: RowOptions = {}) {
  const limit = numberAt(at(path));
  const [less, more] = [round(limit - unit), round(limit + unit)];
  return row(path, [probe(limit), probe(more)], [less, more], expected, also);
}

/** The upper limits of the two better verdicts. */
export function bands(
  path: string,
  probe: Probe,
  [best, middle, worst]: readonly [string, string, string],
  options?: RowOptions,
): ThresholdRow[] {
  return [
    upTo(`${path}/good`, probe, [best, middle], options),
    upTo(`${path}/ok`, probe, [middle, worst], options),
  ];
}

/** A lower limit. The value itself is inside, and one unit less is outside. */
export function from(
  path: string,
  probe: Probe,
  expected: Expected,
  { unit = 1, also, unreachable = false }: RowOptions = {},
) {
  const limit = numberAt(at(path));
  const [less, more] = [round(limit - unit), round(limit + unit)];
  return row(path, [probe(limit), probe(less)], [more, unreachable ? null : less], expected, also);
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

function namesOf(path: string): string[] {
  return path.split('/').slice(1);
}

/** The pointer of a threshold. */
export function at(path: string): string {
  return `/thresholds/${path}`;
}

/** The verdict without findings. */
export const good = 'good good';

/** A paragraph with a number of words. */
export function words(count: number): string {
  return `<p>${'word '.repeat(count)}</p>`;
}

/** Twenty elements, a share of which is special. */
export function twenty(share: number, special: string, plain: string): string {
  const count = Math.round(20 * share);
  return special.repeat(count) + plain.repeat(20 - count);
}
