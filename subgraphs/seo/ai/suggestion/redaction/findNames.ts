import type { AnalysisInput } from '../../../engine/contract.ts';

const mostNames = 100;

/** A value to search, and whether its member names people, as `author` does. */
type Pending = readonly [value: unknown, isPerson: boolean];

/** Returns the names of people in the page's structured data. It is iterative, so nesting cannot overflow the stack. */
export function findNames({ schema }: Pick<AnalysisInput, 'schema'>): string[] {
  const names = new Set<string>();
  const pending: Pending[] = [[typeof schema === 'string' ? parse(schema) : schema, false]];
  for (const [value, isPerson] of pending) {
    if (typeof value === 'string' && isPerson) names.add(value);
    else if (Array.isArray(value)) for (const one of value) pending.push([one, isPerson]);
    else if (typeof value === 'object' && value !== null) {
      noteNames(value as Record<string, unknown>, names, isPerson);
      for (const [member, child] of Object.entries(value)) pending.push([child, isPersonal(member)]);
    }
  }
  return [...names].slice(0, mostNames);
}

function noteNames(value: Record<string, unknown>, names: Set<string>, isPerson: boolean): void {
  const { '@type': type, name, givenName, familyName } = value;
  const namesPeople = [type].flat().some((one) => one === 'Person' || one === 'ContactPoint');
  if (!namesPeople && !(isPerson && type === undefined)) return;
  for (const one of [name, [givenName, familyName].filter(Boolean).join(' '), familyName]) {
    if (typeof one === 'string' && one !== '') names.add(one);
  }
}

function isPersonal(member: string): boolean {
  return ['author', 'employee', 'contactPoint', 'founder', 'member'].includes(member);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
