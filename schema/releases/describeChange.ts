import type { ReleasedChange } from './Release.ts';
import { styleOf } from './sections.ts';

/** A change by name: the member, and the type or route to which it belongs. */
export interface NamedChange {
  readonly owner: string | null;
  readonly member: string;
}

/** Returns the owner and the name of what a change adds. */
export function nameOf({ kind, path, message }: ReleasedChange): NamedChange {
  if (kind === 'route-added' || kind === 'type-added') return { owner: null, member: path };
  // A header is added to nearly every response at once.
  if (kind === 'response-header-added') return { owner: null, member: path.split(' ').at(-1) ?? path };
  if (styleOf(kind) === 'GraphQL') {
    const dot = path.indexOf('.');
    return { owner: path.slice(0, dot), member: path.slice(dot + 1) };
  }
  const { subject, rest } = splitPath(path);
  const member = rest.replace(/^(?:body|\d{3}) /, '').replace(/^(\w+):/, '');
  const [, bound, value] = / has (\w+) (\S+), before none\.$/.exec(message) ?? [];
  if (bound === undefined) return { owner: subject, member };
  return { owner: subject, member: `${member.replace(` ${bound}`, '')} (${bound} ${value})` };
}

/** Returns a change as one sentence in Markdown. */
export function describeChange(change: ReleasedChange): string {
  const { kind, path, message, severity, reason } = change;
  const words = { GraphQL: ofSchema, REST: ofRest, 'Access and limits': ofGuard }[styleOf(kind)];
  return [
    severity === 'breaking' ? '**Breaking.** ' : '',
    words(path, message),
    reason === undefined ? '' : ` Reason: ${escaped(reason)}`,
  ].join('');
}

/** Replaces the names in a message of graphql-js by the coordinate. */
function ofSchema(path: string, message: string): string {
  const [owner = ''] = path.split('(');
  const said = message.replace(new RegExp(`^${owner.replaceAll('.', '\\.')}(?: arg \\w+|\\(\\w+:\\))?`), '');
  return said === message ? escaped(message) : `\`${path}\`${escaped(said)}`;
}

/** Marks the coordinate in a message about a guard. */
function ofGuard(path: string, message: string): string {
  const [coordinate = ''] = path.split(' ');
  return escaped(message).replace(coordinate, () => `\`${coordinate}\``);
}

/** Says where a member is in words: a message about REST begins with the path of the change. */
function ofRest(path: string, message: string): string {
  const words = path.split(' ');
  let place = path;
  while (words.length > 1 && !message.startsWith(place)) {
    words.pop();
    place = words.join(' ');
  }
  if (!message.startsWith(place)) return escaped(message);
  const said = message.slice(place.length).replace(/, before (.+)\.$/, ' (before: $1).');
  return `${placeInWords(place)}${escaped(said)}`;
}

function placeInWords(place: string): string {
  const { subject, rest } = splitPath(place);
  if (rest === '') return `\`${subject}\``;
  const [, part = '', member = ''] = /^(body|\d{3}|(?:query|header|path):\S+)(?: (.+))?$/.exec(rest) ?? [];
  if (part === '') return `\`${rest}\` of \`${subject}\``;
  const [kind = '', name] = part.split(':');
  const whole =
    name === undefined
      ? kind === 'body'
        ? 'the body'
        : `the response ${kind}`
      : `${kind} parameter \`${name}\``;
  const text = member === '' ? whole : `\`${member}\` in ${whole}`;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)} of \`${subject}\``;
}

/** Splits a path of REST after the route or the schema. */
function splitPath(path: string): { subject: string; rest: string } {
  const words = path.split(' ');
  const length = path.startsWith('schemas/') ? 1 : 2;
  return {
    subject: words
      .slice(0, length)
      .join(' ')
      .replace(/^schemas\//, ''),
    rest: words.slice(length).join(' '),
  };
}

/** Escapes a message, because types such as `[ID!]` are text, not links. */
function escaped(message: string): string {
  return message.replace(/[[\]*_<>]/g, (character) => `\\${character}`);
}
