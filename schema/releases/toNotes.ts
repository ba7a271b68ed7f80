import { deprecatedIn, type ReleasedDeprecation } from './deprecatedIn.ts';
import { describeChange, nameOf } from './describeChange.ts';
import type { Release, ReleasedChange } from './Release.ts';
import { namedKinds, type Section, type Style, sectionOf, styleOf } from './sections.ts';

/** Maximum number of names in a line. */
const mostNames = 40;

const styles: readonly Style[] = ['REST', 'GraphQL', 'Access and limits'];

/**
 * Returns the notes of a release for the developers of clients, in Markdown: what is new, what changed, what will be
 * removed on which day, and what was removed, for REST and for GraphQL.
 *
 * @param changes since the previous release
 */
export function toNotes(release: Release, changes: readonly ReleasedChange[]): string {
  const parts = [
    ['New', listed(changes, 'new')],
    ['Changed', listed(changes, 'changed')],
    ['Going away', goingAway(deprecatedIn(release))],
    ['Removed', listed(changes, 'removed')],
  ].filter(([, text]) => text !== '');
  if (parts.length === 0) return 'Nothing that a client could see.';
  const breaking = changes.filter(({ kind, severity }) => severity === 'breaking' && sectionOf(kind)).length;
  const count =
    breaking === 0
      ? 'No change breaks clients.'
      : `${breaking} ${breaking === 1 ? 'change breaks' : 'changes break'} clients.`;
  return [count, ...parts.map(([title, text]) => `### ${title}\n\n${text}`)].join('\n\n');
}

function listed(changes: readonly ReleasedChange[], section: Section): string {
  const own = changes.filter(({ kind }) => sectionOf(kind) === section);
  return styles
    .flatMap((style) => {
      const lines = linesOf(own.filter(({ kind }) => styleOf(kind) === style));
      return lines.length > 0 ? [`**${style}**\n\n${lines.join('\n')}`] : [];
    })
    .join('\n\n');
}

/** Lists additions by name, and other changes as sentences with the breaking ones first. */
function linesOf(changes: readonly ReleasedChange[]): string[] {
  const named = Map.groupBy(changes, titleOf);
  const sentences = (named.get(null) ?? []).toSorted(
    (a, b) => Number(b.severity === 'breaking') - Number(a.severity === 'breaking'),
  );
  const lists = titles.flatMap((title) => namesOf(title, named.get(title) ?? []));
  return [...lists, ...sentences.map((change) => `- ${describeChange(change)}`)];
}

/** Titles in the order of the notes. */
const operations = 'Operations';
const titles = [operations, ...Object.values(namedKinds)];

function titleOf({ kind, path }: ReleasedChange): string | null {
  if (kind === 'field-added' && /^(?:Query|Mutation|Subscription)\./.test(path)) return operations;
  return namedKinds[kind] ?? null;
}

/** Lists names on one line, or on one for each type or route to which they belong. */
function namesOf(title: string, changes: readonly ReleasedChange[]): string[] {
  if (changes.length === 0) return [];
  const names = changes.map(nameOf);
  const count = new Set(names.map(({ owner, member }) => `${owner} ${member}`)).size;
  const byOwner = Map.groupBy(names, ({ owner }) => owner);
  const alone = byOwner.get(null) ?? [];
  if (alone.length > 0) return [`- ${title} (${count}): ${quoted(alone.map(({ member }) => member))}`];
  return [
    `- ${title} (${count}):`,
    ...[...byOwner].map(([owner, own]) => `  - \`${owner}\`: ${quoted(own.map(({ member }) => member))}`),
  ];
}

function quoted(names: readonly string[]): string {
  const distinct = [...new Set(names)].sort();
  const shown = distinct.slice(0, mostNames).map((name) => `\`${name}\``);
  const rest = distinct.length - shown.length;
  return `${shown.join(', ')}${rest > 0 ? `, and ${rest} more` : ''}`;
}

function goingAway(deprecated: ReadonlyMap<string, ReleasedDeprecation>): string {
  return [...deprecated]
    .sort(([, a], [, b]) => ((a.until ?? '') < (b.until ?? '') ? -1 : 1))
    .map(([name, { reason, until }]) => {
      const date = until === undefined ? 'No day of its removal is stated.' : `Removed after ${until}.`;
      return `- \`${name}\`: ${reason === undefined ? '' : `${reason} `}${date}`;
    })
    .join('\n');
}
