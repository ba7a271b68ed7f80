import type { AnalysisInput } from '../../engine/contract.ts';

const mostNames = 100;

/** Names of people that the page's own structured data states: whoever sells, writes or is to be asked. */
export function findNames({ schema }: Pick<AnalysisInput, 'schema'>): string[] {
  const names = new Set<string>();
  collect(typeof schema === 'string' ? parse(schema) : schema, names, false);
  return [...names].slice(0, mostNames);
}

/** @param isPerson whether the member that it stands in names people, as `author` does */
function collect(value: unknown, names: Set<string>, isPerson: boolean): void {
  if (typeof value === 'string' && isPerson) names.add(value);
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const one of value) collect(one, names, isPerson);
    return;
  }
  const { '@type': type, name, givenName, familyName } = value as Record<string, unknown>;
  const namesPeople = [type].flat().some((one) => one === 'Person' || one === 'ContactPoint');
  if (namesPeople || (isPerson && type === undefined)) {
    for (const one of [name, [givenName, familyName].filter(Boolean).join(' '), familyName]) {
      if (typeof one === 'string' && one !== '') names.add(one);
    }
  }
  for (const [member, child] of Object.entries(value)) collect(child, names, isPersonal(member));
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
